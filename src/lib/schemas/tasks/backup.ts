import { defineTask } from './task-kind.ts';

export const backup = defineTask({
	type: 'backup',
	label: 'Backup',
	icon: 'archive',
	options: {},
	fields: {},
	facts: () => '',
	async run(_, { backup }) {
		await backup();
		return 'Backup made.';
	}
});
