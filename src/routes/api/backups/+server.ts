import { BackupCreate } from '$lib/schemas/backup';
import { accepted, command, endpoint } from '#core/http';

export const GET = endpoint(async ({ locals }) => ({ backups: await locals.app.backups.list() }));

export const POST = command(BackupCreate, async (input, { locals }) =>
	accepted(await locals.app.backups.create(input, locals.actor))
);
