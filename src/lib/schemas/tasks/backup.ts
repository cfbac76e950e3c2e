import { defineTask } from './task-kind.ts';

export const backup = defineTask({
	type: 'backup',
	label: 'Backup',
	icon: 'archive',
	options: {},
	fields: {},
	facts: () => '',
	run: async (_, { backup }) => `Backup made (operation ${await backup()}).`
});
