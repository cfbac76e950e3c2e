import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/console', ({ body, locals }) =>
	locals.app.console.run(body.command, locals.actor)
);
