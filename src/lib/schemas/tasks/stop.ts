import { defineTask } from './task-kind.ts';

export const stop = defineTask({
	type: 'stop',
	label: 'Stop',
	icon: 'power',
	long: true,
	options: {},
	fields: {},
	disconnects: () => true,
	does: () => 'stop the server',
	async run(_, { power }) {
		await power('stop', 0);
		return 'The server was stopped.';
	}
});
