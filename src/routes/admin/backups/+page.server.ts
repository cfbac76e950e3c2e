import { z } from 'zod';
import { BACKUP_TABS } from './backups';
import { BackupCreate, BackupId } from '$lib/schemas/backup';
import { checkbox, Note, NOTE_MAX } from '$lib/schemas/common';
import {
	SNAPSHOT_KEEP_MAX,
	SnapshotCreate,
	SnapshotId,
	SnapshotPrune
} from '$lib/schemas/snapshot';
import { action, page, parse } from '#core/http';
import type { Actions } from './$types';

/** What the address asks for; nonsense shows the beginning. */
const View = z.object({
	tab: z.enum(BACKUP_TABS).catch('backups').default('backups'),
	backup: BackupId.nullable().catch(null).default(null),
	snapshot: SnapshotId.nullable().catch(null).default(null)
});

export const load = page(async ({ locals: { app }, url }) => {
	const view = parse(View, Object.fromEntries(url.searchParams));
	const [backups, snapshots] = await Promise.all([app.backups.list(), app.snapshots.list()]);
	return {
		...view,
		backups,
		snapshots,
		limits: { note: NOTE_MAX, keep: SNAPSHOT_KEEP_MAX }
	};
});

/** Two buttons of one form: the one for pinning has a value of its own. */
const Change = z
	.object({ note: Note.optional(), pinned: z.enum(['yes', 'no']).optional() })
	.transform(({ note, pinned }) =>
		pinned ? { pinned: pinned === 'yes' } : note === undefined ? {} : { note }
	);
const changed = (patch: { pinned?: boolean }) =>
	patch.pinned === undefined ? 'Note saved.' : patch.pinned ? 'Pinned.' : 'Unpinned.';
const onBackup = z.object({ id: BackupId });
const onSnapshot = z.object({ id: SnapshotId });

export const actions = {
	create: action(BackupCreate.extend({ withMods: checkbox }), async (input, { locals }) => ({
		message: 'The backup has begun.',
		operation: await locals.app.backups.create(input, locals.actor)
	})),
	change: action(onBackup.and(Change), async ({ id, ...patch }, { locals }) => {
		await locals.app.backups.change(id, patch, locals.actor);
		return { message: changed(patch) };
	}),
	verify: action(onBackup, async ({ id }, { locals }) => {
		await locals.app.backups.verify(id, locals.actor);
		return { message: 'The backup is being read back and compared with its manifest.' };
	}),
	createSnapshot: action(SnapshotCreate, async (input, { locals }) => {
		await locals.app.snapshots.create(input, locals.actor);
		return { message: 'Snapshot taken.' };
	}),
	changeSnapshot: action(onSnapshot.and(Change), async ({ id, ...patch }, { locals }) => {
		await locals.app.snapshots.change(id, patch, locals.actor);
		return { message: changed(patch) };
	}),
	verifySnapshot: action(onSnapshot, async ({ id }, { locals }) => {
		const { problem } = await locals.app.snapshots.verify(id);
		return { message: problem ?? 'Every file of the snapshot is there and unchanged.' };
	}),
	prune: action(SnapshotPrune, async ({ keep }, { locals }) => {
		const { removed } = await locals.app.snapshots.prune(keep, locals.actor);
		const words =
			removed === 1 ? 'One snapshot was removed.' : `${removed} snapshots were removed.`;
		return { message: removed ? words : 'There was nothing to remove.' };
	})
} satisfies Actions;
