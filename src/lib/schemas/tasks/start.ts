import { defineTask } from './task-kind.ts';

export const start = defineTask({
	type: 'start',
	label: 'Start',
	icon: 'power',
	long: true,
	options: {},
	fields: {},
	does: () => 'start the server',
	async run(_, { power }) {
		await power('start', 0);
		return 'The server was started.';
	}
});
