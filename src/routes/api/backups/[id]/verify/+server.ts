import { BackupRef } from '$lib/schemas/backup';
import { Empty } from '$lib/schemas/server';
import { command, json, parseParams } from '#core/http';

export const POST = command(Empty, async (_input, { locals, params }) => {
	const { id } = parseParams(BackupRef, params);
	return json({ backup: await locals.app.backups.verify(id, locals.actor) }, { status: 202 });
});
