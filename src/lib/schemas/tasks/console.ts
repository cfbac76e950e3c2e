import { ConsoleCommand } from '../console.ts';
import { COMMAND_MAX } from '../plain/limits.ts';
import { defineTask } from './task-kind.ts';

export const console = defineTask({
	type: 'console',
	label: 'Console command',
	icon: 'terminal',
	role: 'superadmin',
	options: { command: ConsoleCommand.shape.command },
	fields: {
		command: {
			input: 'text',
			label: 'Command',
			hint: 'One line, as it is typed into the server’s console.',
			maxLength: COMMAND_MAX
		}
	},
	does: ({ command }) => `run “${command}” in the console`,
	async run({ command }, { console }) {
		await console(command);
		return 'The command was run.';
	}
});
