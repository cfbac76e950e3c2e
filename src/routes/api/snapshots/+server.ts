import { SnapshotCreate } from '$lib/schemas/snapshot';
import { command, endpoint, json } from '#core/http';

export const GET = endpoint(async ({ locals }) => ({
	snapshots: await locals.app.snapshots.list()
}));

export const POST = command(SnapshotCreate, async (input, { locals }) =>
	json({ snapshot: await locals.app.snapshots.create(input, locals.actor) }, { status: 201 })
);
