import { z } from 'zod';
import { BackupId } from '$lib/schemas/backup';
import { SnapshotId } from '$lib/schemas/snapshot';
import { action, found, page, parse } from '#core/http';
import type { Actions } from './$types';

const Question = z.union([
	z.object({ backup: BackupId }),
	z.object({ snapshot: SnapshotId, do: z.enum(['delete', 'restore']) })
]);

export const load = page(async ({ locals: { app }, url }) => {
	const asked = parse(Question, Object.fromEntries(url.searchParams));
	if ('backup' in asked) {
		const backup = (await app.backups.list()).find(({ id }) => id === asked.backup);
		return { deed: 'deleteBackup' as const, item: found(backup) };
	}
	const snapshot = (await app.snapshots.list()).find(({ id }) => id === asked.snapshot);
	const deed = asked.do === 'delete' ? ('deleteSnapshot' as const) : ('restoreSnapshot' as const);
	return { deed, item: found(snapshot) };
});

export const actions = {
	deleteBackup: action(z.object({ id: BackupId }), async ({ id }, { locals }) => {
		await locals.app.backups.remove(id, locals.actor);
		return { message: 'The backup is deleted.', location: '/admin/backups' };
	}),
	deleteSnapshot: action(z.object({ id: SnapshotId }), async ({ id }, { locals }) => {
		await locals.app.snapshots.remove(id, locals.actor);
		return { message: 'The snapshot is deleted.', location: '/admin/backups?tab=snapshots' };
	}),
	restoreSnapshot: action(z.object({ id: SnapshotId }), async ({ id }, { locals }) => ({
		message: 'The snapshot is being put back.',
		operation: await locals.app.snapshots.restore(id, locals.actor)
	}))
} satisfies Actions;
