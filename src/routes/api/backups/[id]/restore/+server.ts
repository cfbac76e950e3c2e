import { BackupRef, BackupRestore } from '$lib/schemas/backup';
import { accepted, command, parseParams } from '#core/http';

export const POST = command(BackupRestore, async (wish, { locals, params }) => {
	const { id } = parseParams(BackupRef, params);
	return accepted(await locals.app.backups.restore(id, wish, locals.actor));
});
