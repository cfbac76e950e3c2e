import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/backups/[id]/verify', async ({ params, locals }) => ({
	backup: await locals.app.backups.verify(params.id, locals.actor)
}));
