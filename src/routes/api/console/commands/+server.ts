import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/console/commands', ({ locals }) =>
	locals.app.console.commands()
);
