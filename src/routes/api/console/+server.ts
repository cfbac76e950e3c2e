import { ConsoleCommand } from '$lib/schemas/console';
import { command } from '#core/http';

export const POST = command(ConsoleCommand, async (input, { locals }) =>
	locals.app.console.run(input.command, locals.actor)
);
