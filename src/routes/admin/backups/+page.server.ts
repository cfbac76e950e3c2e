import { z } from 'zod';
import { BACKUP_TABS } from './tabs';
import { BackupId } from '$lib/schemas/backup';
import { NOTE_MAX } from '$lib/schemas/common';
import { SNAPSHOT_KEEP_MAX, SnapshotId } from '$lib/schemas/snapshot';
import { formActions, page, parse } from '#core/http';

/** What the address asks for; nonsense shows the beginning. */
const View = z.object({
	tab: z.enum(BACKUP_TABS).catch('backups').default('backups'),
	backup: BackupId.nullable().catch(null).default(null),
	snapshot: SnapshotId.nullable().catch(null).default(null)
});

export const load = page('page /admin/backups', async ({ locals: { app }, url }) => {
	const view = parse(View, Object.fromEntries(url.searchParams));
	const [backups, snapshots] = await Promise.all([app.backups.list(), app.snapshots.list()]);
	return {
		...view,
		backups,
		snapshots,
		limits: { note: NOTE_MAX, keep: SNAPSHOT_KEEP_MAX }
	};
});

const changed = (patch: { pinned?: boolean }) =>
	patch.pinned === undefined ? 'Note saved.' : patch.pinned ? 'Pinned.' : 'Unpinned.';

export const actions = formActions('page /admin/backups', {
	create: async ({ body, locals }) => ({
		message: 'The backup has begun.',
		operation: await locals.app.backups.create(body, locals.actor)
	}),
	change: async ({ body: { id, ...patch }, locals }) => {
		await locals.app.backups.change(id, patch, locals.actor);
		return { message: changed(patch) };
	},
	verify: async ({ body, locals }) => {
		await locals.app.backups.verify(body.id, locals.actor);
		return { message: 'The backup is being read back and compared with its manifest.' };
	},
	createSnapshot: async ({ body, locals }) => {
		await locals.app.snapshots.create(body, locals.actor);
		return { message: 'Snapshot taken.' };
	},
	changeSnapshot: async ({ body: { id, ...patch }, locals }) => {
		await locals.app.snapshots.change(id, patch, locals.actor);
		return { message: changed(patch) };
	},
	verifySnapshot: async ({ body, locals }) => {
		const { problem } = await locals.app.snapshots.verify(body.id);
		return { message: problem ?? 'Every file of the snapshot is there and unchanged.' };
	},
	prune: async ({ body, locals }) => {
		const { removed } = await locals.app.snapshots.prune(body.keep, locals.actor);
		const words =
			removed === 1 ? 'One snapshot was removed.' : `${removed} snapshots were removed.`;
		return { message: removed ? words : 'There was nothing to remove.' };
	}
});
