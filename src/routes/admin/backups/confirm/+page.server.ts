import { z } from 'zod';
import { BackupId } from '$lib/schemas/backup';
import { isGood } from '$lib/schemas/plain/good-backup';
import { SnapshotId } from '$lib/schemas/snapshot';
import { formActions, found, page, parse } from '#core/http';

const Question = z.union([
	z.object({ backup: BackupId }),
	z.object({ snapshot: SnapshotId, do: z.enum(['delete', 'restore']) })
]);

export const load = page('page /admin/backups/confirm', async ({ locals: { app }, url }) => {
	const asked = parse(Question, Object.fromEntries(url.searchParams));
	if ('backup' in asked) {
		const backups = await app.backups.list();
		const item = found(backups.find(({ id }) => id === asked.backup));
		const last = isGood(item) && backups.filter(isGood).length === 1;
		return { action: 'deleteBackup' as const, item, changes: null, last };
	}
	const snapshot = (await app.snapshots.list()).find(({ id }) => id === asked.snapshot);
	const item = found(snapshot);
	const action = asked.do === 'delete' ? ('deleteSnapshot' as const) : ('restoreSnapshot' as const);
	const wanted = action === 'restoreSnapshot' && !item.problem;
	const changes = wanted ? await app.snapshots.changes(item.id) : null;
	return { action, item, changes, last: false };
});

export const actions = formActions('page /admin/backups/confirm', {
	deleteBackup: async ({ body, locals }) => {
		await locals.app.backups.remove(body.id, locals.actor);
		return { message: 'The backup is deleted.', location: '/admin/backups' };
	},
	deleteSnapshot: async ({ body, locals }) => {
		await locals.app.snapshots.remove(body.id, locals.actor);
		return { message: 'The snapshot is deleted.', location: '/admin/backups?tab=snapshots' };
	},
	restoreSnapshot: async ({ body, locals }) => ({
		message: 'The snapshot is being put back.',
		operation: await locals.app.snapshots.restore(body.id, locals.actor)
	})
});
