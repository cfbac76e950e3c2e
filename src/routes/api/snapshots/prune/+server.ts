import { SnapshotPrune } from '$lib/schemas/snapshot';
import { command } from '#core/http';

export const POST = command(SnapshotPrune, ({ keep }, { locals }) =>
	locals.app.snapshots.prune(keep, locals.actor)
);
