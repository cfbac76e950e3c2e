import { defineTask } from './task-kind.ts';

export const backup = defineTask({
	type: 'backup',
	label: 'Backup',
	icon: 'archive',
	long: true,
	options: {},
	fields: {},
	does: () => 'make a backup',
	async run(_, { backup }) {
		await backup();
		return 'Backup made.';
	}
});
