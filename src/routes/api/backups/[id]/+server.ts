import { BackupPatch, BackupRef } from '$lib/schemas/backup';
import { command, endpoint, parseParams } from '#core/http';
import type { RequestEvent } from './$types';

export const GET = endpoint(async ({ locals, params, request }: RequestEvent) => {
	const { id } = parseParams(BackupRef, params);
	const asked = {
		range: request.headers.get('range'),
		ifRange: request.headers.get('if-range')
	};
	const { stream, status, headers } = await locals.app.backups.download(id, asked, locals.actor);
	return new Response(stream, { status, headers });
});

export const PATCH = command(BackupPatch, async (patch, { locals, params }) => {
	const { id } = parseParams(BackupRef, params);
	return { backup: await locals.app.backups.change(id, patch, locals.actor) };
});

export const DELETE = endpoint(async ({ locals, params }: RequestEvent) => {
	await locals.app.backups.remove(parseParams(BackupRef, params).id, locals.actor);
});
