import { z } from 'zod';
import { BACKUP_TABS } from './tabs';
import { BackupId } from '$lib/schemas/backup';
import { NOTE_MAX } from '$lib/schemas/common';
import { SNAPSHOT_KEEP_MAX, SnapshotId } from '$lib/schemas/snapshot';
import { formActions, orProblem, page, parse } from '#core/http';

/** The query parameters; invalid ones show the beginning. */
const View = z.object({
	tab: z.enum(BACKUP_TABS).catch('backups').default('backups'),
	backup: BackupId.nullable().catch(null).default(null),
	snapshot: SnapshotId.nullable().catch(null).default(null)
});

/** More than are kept. */
const OPERATIONS_MAX = 1000;

/** The operation that made a backup: only one runs at a time. Null when it is not kept any more. */
async function makerOf(app: App.Locals['app'], createdAt: string) {
	const all = await app.operations.list(OPERATIONS_MAX);
	const found = all.find(
		({ startedAt, finishedAt }) =>
			startedAt <= createdAt && (finishedAt === null || createdAt <= finishedAt)
	);
	return found ? { id: found.id, by: found.by } : null;
}

/** Null when the list of its files is damaged, which the snapshot says itself. */
const modsIn = (app: App.Locals['app'], id: string) => app.snapshots.mods(id).catch(() => null);

export const load = page('page /admin/backups', async ({ locals: { app }, url, isDataRequest }) => {
	const view = parse(View, Object.fromEntries(url.searchParams));
	const [listed, snapshots, noWorld] = await Promise.all([
		orProblem(app.backups.list()),
		app.snapshots.list(),
		orProblem(app.backups.noWorld())
	]);
	const backups = listed.value ?? [];
	const backup = view.tab === 'backups' && backups.find(({ id }) => id === view.backup);
	const snapshot = view.tab === 'snapshots' && snapshots.find(({ id }) => id === view.snapshot);
	const mods = snapshot ? modsIn(app, snapshot.id) : null;
	return {
		...view,
		backups,
		/** Why they cannot be listed. */
		problem: listed.problem,
		/** Why there is nothing to back up. */
		noWorld: noWorld.value ?? null,
		snapshots,
		maker: backup ? await makerOf(app, backup.createdAt) : null,
		// Awaited for a full page load; in a running app the rest of the detail is shown meanwhile.
		mods: isDataRequest ? mods : await mods,
		limits: { note: NOTE_MAX, keep: SNAPSHOT_KEEP_MAX }
	};
});

const changed = (patch: { pinned?: boolean }) =>
	patch.pinned === undefined ? 'Note saved.' : patch.pinned ? 'Pinned.' : 'Unpinned.';

export const actions = formActions('page /admin/backups', {
	create: async ({ body, locals }) => ({
		message: 'The backup has started.',
		operation: await locals.app.backups.create(body, locals.actor)
	}),
	change: async ({ body: { id, ...patch }, locals }) => {
		await locals.app.backups.change(id, patch, locals.actor);
		return { message: changed(patch) };
	},
	verify: async ({ body, locals }) => {
		await locals.app.backups.verify(body.id, locals.actor);
		// Its page says how it goes on, and what it came to.
		return;
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
	}
});
