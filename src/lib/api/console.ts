import { ConsoleAnswer, ConsoleCommand } from '#schemas/console';
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
	'POST /api/console': json({
		role: 'superadmin',
		summary: 'Run one command on the server; what it answers',
		body: ConsoleCommand,
		answers: { 200: ConsoleAnswer }
	})
};
