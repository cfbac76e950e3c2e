import { SnapshotPatch, SnapshotRef } from '$lib/schemas/snapshot';
import { command, endpoint, parseParams } from '#core/http';

export const PATCH = command(SnapshotPatch, async (patch, { locals, params }) => {
	const { id } = parseParams(SnapshotRef, params);
	return { snapshot: await locals.app.snapshots.change(id, patch, locals.actor) };
});

export const DELETE = endpoint(({ locals, params }) =>
	locals.app.snapshots.remove(parseParams(SnapshotRef, params).id, locals.actor)
);
