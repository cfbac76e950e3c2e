import { z } from 'zod';
import { ConsoleCommand } from '$lib/schemas/console';
import { action, page } from '#core/http';
import type { Actions } from './$types';
import { Answers } from './answers';

const answers = new Answers();

export const load = page(async ({ locals, depends }) => {
	depends('craftwarden:console');
	const { rcon } = await locals.app.installation();
	return { answered: answers.of(locals.session!.id), rcon: rcon.enabled };
});

/** An answer without words is one too: what became of it is said on the page, and a reload asks nothing. */
async function run(command: string, { app, actor }: App.Locals) {
	try {
		const { spans } = await app.console.run(command, actor);
		return { spans, problem: null };
	} catch (cause) {
		if (!isExpected(cause)) throw cause;
		return { spans: [], problem: cause.message };
	}
}

/** A wrong field belongs to the form; the rest happened to the command. */
const isExpected = (cause: unknown): cause is Error =>
	cause instanceof Error && 'kind' in cause && cause.kind !== 'invalid';

export const actions = {
	run: action(ConsoleCommand, async ({ command }, { locals }) => {
		const at = new Date().toISOString();
		answers.add(locals.session!.id, { at, command, ...(await run(command, locals)) });
	}),
	clear: action(z.strictObject({}), async (_, { locals }) => {
		answers.clear(locals.session!.id);
	})
} satisfies Actions;
