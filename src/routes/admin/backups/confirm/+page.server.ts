import { z } from 'zod';
import { BackupId } from '$lib/schemas/backup';
import { isGood } from '$lib/schemas/plain/good-backup';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { SnapshotId, type Snapshot } from '$lib/schemas/snapshot';
import { formActions, found, page, parseAddress } from '#core/http';

const Question = z.union([
	z.object({ backup: BackupId }),
	z.object({ snapshot: SnapshotId, do: z.enum(['delete', 'restore', 'put-back']) })
]);

/** From a change of mods, or from a restore, it is asked for as what it means there. */
function putBack(asked: 'restore' | 'put-back', { reason }: Snapshot) {
	if (asked === 'restore') return 'restoreSnapshot' as const;
	return reason === 'restore' ? ('undoRestore' as const) : ('oldMods' as const);
}

export const load = page('page /admin/backups/confirm', async ({ locals: { app }, url }) => ({
	...(await askedIn(app, url)),
	announcementMax: ANNOUNCEMENT_MAX
}));

async function askedIn(app: App.Locals['app'], url: URL) {
	const asked = parseAddress(Question, Object.fromEntries(url.searchParams));
	if ('backup' in asked) {
		const backups = await app.backups.list();
		const item = found(backups.find(({ id }) => id === asked.backup));
		const last = isGood(item) && backups.filter(isGood).length === 1;
		return { asked: 'deleteBackup' as const, action: 'deleteBackup', item, changes: null, last };
	}
	const snapshot = (await app.snapshots.list()).find(({ id }) => id === asked.snapshot);
	const item = found(snapshot);
	if (asked.do === 'delete')
		return {
			...{ asked: 'deleteSnapshot' as const, action: 'deleteSnapshot' },
			...{ item, changes: null, last: false }
		};
	const changes = item.problem ? null : await app.snapshots.changes(item.id);
	const what = putBack(asked.do, item);
	return {
		...{ asked: what, action: 'restoreSnapshot', item, changes, last: false },
		...(what === 'oldMods' && { home: '/admin/mods' })
	};
}

export const actions = formActions('page /admin/backups/confirm', {
	deleteBackup: async ({ body, locals }) => {
		await locals.app.backups.remove(body.id, locals.actor);
		return { message: 'The backup is deleted.', location: '/admin/backups' };
	},
	deleteSnapshot: async ({ body, locals }) => {
		await locals.app.snapshots.remove(body.id, locals.actor);
		return { message: 'The snapshot is deleted.', location: '/admin/backups?tab=snapshots' };
	},
	restoreSnapshot: async ({ body: { id, ...when }, locals }) => ({
		message: 'The snapshot is being restored.',
		operation: await locals.app.snapshots.restore(id, when, locals.actor)
	})
});
