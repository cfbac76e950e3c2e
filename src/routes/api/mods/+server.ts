import { ModPatch, ModRemove } from '$lib/schemas/mod';
import { accepted, command, endpoint } from '#core/http';
import { streamOf } from './stream';

export const GET = endpoint(({ locals }) => locals.app.mods.list());

export const PATCH = command(ModPatch, async (input, { locals }) => {
	const operation = await locals.app.mods.patch(input, locals.actor);
	return operation ? accepted(operation) : { ok: true };
});

export const DELETE = command(ModRemove, async (input, event) =>
	streamOf(await event.locals.app.mods.remove(input, event.locals.actor), event)
);
