import { CommandList, ConsoleAnswer, ConsoleCommand } from '#schemas/console';
import { Empty } from '#schemas/server';
import { action, json, page } from './define.ts';

export const console = {
	'page /admin/console': page({
		role: 'superadmin',
		actions: {
			run: action({ role: 'superadmin', body: ConsoleCommand }),
			clear: action({ role: 'superadmin', body: Empty })
		}
	}),
	'GET /api/console/commands': json({
		role: 'superadmin',
		summary: 'Which commands the server knows, to complete what is typed',
		answers: { 200: CommandList }
	}),
	'POST /api/console': json({
		role: 'superadmin',
		summary: 'Run one command on the server; what it answers',
		body: ConsoleCommand,
		answers: { 200: ConsoleAnswer }
	})
};
