import { ModUpdate } from '$lib/schemas/mod';
import { command } from '#core/http';
import { streamOf } from '../stream';

export const POST = command(ModUpdate, async (input, event) =>
	streamOf(await event.locals.app.mods.update(input, event.locals.actor), event)
);
