import { accepted, endpoint } from '#core/http';

export const GET = endpoint('GET /api/backups', async ({ locals }) => ({
	backups: await locals.app.backups.list()
}));

export const POST = endpoint('POST /api/backups', async ({ body, locals }) =>
	accepted(await locals.app.backups.create(body, locals.actor))
);
