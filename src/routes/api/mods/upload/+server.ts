import { JAR_MAX_BYTES } from '$lib/schemas/mod';
import { accepted, endpoint, incomingFile } from '#core/http';

export const POST = endpoint(async ({ locals, request }) => {
	const file = await incomingFile(request, 'jar', JAR_MAX_BYTES);
	return accepted(await locals.app.mods.upload(file, locals.actor));
});
