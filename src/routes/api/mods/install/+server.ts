import { ModInstall } from '$lib/schemas/mod';
import { command } from '#core/http';
import { streamOf } from '../stream';

export const POST = command(ModInstall, async (input, event) =>
	streamOf(await event.locals.app.mods.install(input, event.locals.actor), event)
);
