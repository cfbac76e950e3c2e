import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/snapshots', async ({ locals }) => ({
	snapshots: await locals.app.snapshots.list()
}));

export const POST = endpoint('POST /api/snapshots', async ({ body, locals }) => ({
	snapshot: await locals.app.snapshots.create(body, locals.actor)
}));
