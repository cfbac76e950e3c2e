import { Empty } from '$lib/schemas/server';
import { SnapshotRef } from '$lib/schemas/snapshot';
import { accepted, command, parseParams } from '#core/http';

export const POST = command(Empty, async (_input, { locals, params }) => {
	const { id } = parseParams(SnapshotRef, params);
	return accepted(await locals.app.snapshots.restore(id, locals.actor));
});
