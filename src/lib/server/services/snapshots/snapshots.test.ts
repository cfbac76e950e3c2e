import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Operation } from '#schemas/operation';
import { Snapshot, SNAPSHOTS_BY_HAND_MAX, SNAPSHOTS_BY_OPERATIONS_MAX } from '#schemas/snapshot';
import {
	openStore,
	picture,
	plant,
	stored
} from '../../../../../tests/fakes/archives/snapshot-folders.ts';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { systemClock } from '#core/clock';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createSnapshotContents, createSnapshots } from './index.ts';

const ann = { name: 'ann', role: 'admin', address: '192.0.2.1' } as const;
const OPERATION = '20260102T030405123Z-1a2b';
const running = {
	...{ id: OPERATION, kind: 'backup', subject: null, by: 'bob' },
	startedAt: '2026-01-02T03:04:05.123Z'
} as Operation;

/** A stand-in for a jar: `id name version`; anything else has no metadata. */
function namesIn(text: string) {
	const [modId = null, name = null, version = null] = text.startsWith('mod ')
		? text.split(' ').slice(1)
		: [];
	return { modId, name, version };
}

async function setup() {
	const dir = await tempDir();
	const kit = openStore(dir);
	await plant(kit.serverDir, { 'mods/a.jar': 'a1', 'config/a.toml': 'x' });
	const audited: unknown[][] = [];
	const restored: unknown[][] = [];
	const world = { needed: [] as string[], operation: null as Operation | null };
	const lockFile = path.join(dir, 'operation.lock');
	const snapshots = createSnapshots({
		store: kit.store,
		contents: createSnapshotContents({
			store: kit.store,
			readNames: async (handle) => namesIn(await handle.readFile('utf8')),
			installed: async () =>
				Promise.all(
					(await readdir(path.join(kit.serverDir, 'mods'))).map(async (fileName) => ({
						fileName,
						...namesIn(await readFile(path.join(kit.serverDir, 'mods', fileName), 'utf8'))
					}))
				)
		}),
		restoreOperation: async (...args) => {
			restored.push(args);
			return running;
		},
		needed: async () => world.needed,
		operation: () => world.operation,
		lock: createLock(lockFile, systemClock),
		audit: async (by, action, { subject = null, result = 'done', detail = null } = {}) =>
			void audited.push([by.name, action, subject, result, detail])
	});
	const other = createLock(lockFile, systemClock);
	onTestFinished(() => {
		snapshots.close();
		other.close();
	});
	let count = 0;
	/** Each with its own content. */
	const take = async (facts: { operationId?: string } = {}) => {
		await plant(kit.serverDir, { 'mods/a.jar': `version ${++count}` });
		return snapshots.take({ reason: 'update', operationId: null, by: 'ann', ...facts });
	};
	const ids = async () => (await snapshots.list()).map(({ id }) => id);
	return { ...kit, ...{ snapshots, audited, restored, world, other, take, ids } };
}

/** This many older ones just like it, named `20260101T000000Z-0001` and so on. */
async function copies(snapshotDir: string, id: string, count: number) {
	const file = (await readdir(snapshotDir, { recursive: true })).find((name) => name.includes(id))!;
	const manifest = await readFile(path.join(snapshotDir, file), 'utf8');
	for (let i = 1; i <= count; i++) {
		const twin = `20260101T000000Z-${i.toString(16).padStart(4, '0')}`;
		const text = manifest.replaceAll(id, twin);
		await writeFile(path.join(snapshotDir, file.replace(id, twin)), text);
	}
}

describe('by hand', () => {
	test('a snapshot is taken, listed newest first, and recorded', async () => {
		const { snapshots, audited } = await setup();
		const first = await snapshots.create({ note: 'before the party' }, ann);
		const second = await snapshots.create({ note: '' }, ann);
		const list = await snapshots.list();
		expect(list.map(({ id }) => id)).toEqual([second.id, first.id]);
		for (const one of list) expect(Snapshot.strict().parse(one)).toEqual(one);
		expect(list[1]).toMatchObject({
			...{ reason: 'manual', operationId: null, by: 'ann', note: 'before the party', inUse: false },
			...{ mods: 1, files: 2, bytes: 3, ownBytes: 0, pinned: false }
		});
		expect(audited).toEqual([
			['ann', 'snapshots.create', first.id, 'done', 'before the party'],
			['ann', 'snapshots.create', second.id, 'done', null]
		]);
	});

	test('never while an operation is in progress, here or in another process', async () => {
		const { snapshots, audited, world, other } = await setup();
		world.operation = running;
		await expect(snapshots.create({ note: '' }, ann)).rejects.toMatchObject({
			...{ kind: 'conflict', operation: OPERATION },
			message: expect.stringMatching(/^A backup is being made .*Wait until that has finished/)
		});
		world.operation = null;
		other.tryAcquire();
		await expect(snapshots.create({ note: '' }, ann)).rejects.toMatchObject({ kind: 'conflict' });
		other.release();
		expect(await snapshots.list()).toEqual([]);
		expect(audited.map(([, action, , result]) => [action, result])).toEqual([
			['snapshots.create', 'refused'],
			['snapshots.create', 'refused']
		]);
		await snapshots.create({ note: '' }, ann);
		expect(other.tryAcquire()).toBe(true);
	});

	test('a note and a pin are changed and recorded', async () => {
		const { snapshots, audited, take } = await setup();
		const { id } = await take();
		const changed = await snapshots.change(id, { pinned: true, note: 'good' }, ann);
		expect(changed).toMatchObject({ id, pinned: true, note: 'good' });
		expect(await snapshots.list()).toEqual([changed]);
		expect(audited).toEqual([['ann', 'snapshots.change', id, 'done', 'Pinned · Note: good']]);
	});

	test('there is a limit, and a message that says what to remove', async () => {
		const { snapshots, take, other, audited, snapshotDir } = await setup();
		const operations = await take();
		const { id } = await snapshots.create({ note: '' }, ann);
		await snapshots.change(id, { pinned: true }, ann);
		await copies(snapshotDir, id, SNAPSHOTS_BY_HAND_MAX - 1);
		const oneMore = snapshots.create({ note: '' }, ann);
		await expect(oneMore).rejects.toMatchObject({ kind: 'conflict' });
		await expect(oneMore).rejects.toThrow(/already 100 snapshots .*Delete some/);
		expect(audited.at(-1)).toEqual([
			...['ann', 'snapshots.create', null, 'refused'],
			expect.stringContaining('already')
		]);
		expect(other.tryAcquire()).toBe(true);
		other.release();
		await take(); // an operation's own

		const pin = () => snapshots.change(operations.id, { pinned: true }, ann);
		await expect(pin()).rejects.toThrow(/already 100 pinned snapshots.*Unpin one/);
		await snapshots.change(operations.id, { note: 'without a pin' }, ann);
		await snapshots.change(id, { pinned: true, note: 'still' }, ann);
		await snapshots.change(id, { pinned: false }, ann);
		await pin();
		await snapshots.remove(id, ann);
		await snapshots.create({ note: '' }, ann);
	});

	test('deleting frees what only it held, unless an operation needs it', async () => {
		const { snapshots, audited, take, world, snapshotDir, ids } = await setup();
		const [first, second] = [await take(), await take()];
		world.needed = [first.id];
		await expect(snapshots.remove(first.id, ann)).rejects.toMatchObject({ kind: 'conflict' });
		expect((await snapshots.list()).map(({ inUse }) => inUse)).toEqual([false, true]);
		world.needed = [];
		const { bytes } = await stored(snapshotDir);
		await snapshots.remove(first.id, ann);
		expect((await stored(snapshotDir)).bytes).toBe(bytes - first.ownBytes + 1); // config/a.toml is in both
		expect(await ids()).toEqual([second.id]);
		await expect(snapshots.remove(first.id, ann)).rejects.toMatchObject({ kind: 'not-found' });
		expect(audited.map(([, , subject, result]) => [subject, result])).toEqual([
			[first.id, 'refused'],
			[first.id, 'done'],
			[first.id, 'refused']
		]);
	});
});

describe('those taken by operations', () => {
	test('evict the oldest of their kind, but none that is pinned, needed or manual', async () => {
		const { snapshots, take, world, ids, snapshotDir } = await setup();
		const first = await take();
		await copies(snapshotDir, first.id, SNAPSHOTS_BY_OPERATIONS_MAX + 2);
		const byHand = await snapshots.create({ note: '' }, ann);
		const [pinned, needed, oldest] = [1, 2, 3].map((i) => `20260101T000000Z-000${i}`);
		await snapshots.change(pinned!, { pinned: true }, ann);
		world.needed = [needed!];
		const before = await ids();
		const { id } = await take();
		const after = await ids();
		expect(after).toContain(id);
		for (const one of [pinned, needed, byHand.id, first.id]) expect(after).toContain(one);
		expect(after).not.toContain(oldest);
		expect(after.filter((one) => ![pinned, needed, byHand.id].includes(one))).toHaveLength(
			SNAPSHOTS_BY_OPERATIONS_MAX
		);
		expect(before.filter((one) => !after.includes(one)).every((one) => one < first.id)).toBe(true);
		await take();
		expect(await ids()).toHaveLength(after.length);
	});
});

describe('pruning', () => {
	test('keeps the newest, those that are pinned, and those an operation needs or took', async () => {
		const { snapshots, take, world, ids, audited } = await setup();
		const pinned = await take();
		const needed = await take();
		const tookIt = await take({ operationId: OPERATION });
		const [old, newer, newest] = [await take(), await take(), await take()];
		await snapshots.change(pinned.id, { pinned: true }, ann);
		world.needed = [needed.id, OPERATION];
		expect((await snapshots.olderThan(2)).map(({ id }) => id)).toEqual([old.id]);
		expect(await snapshots.prune(2, ann)).toEqual({ removed: 1 });
		expect(await ids()).toEqual([newest, newer, tookIt, needed, pinned].map(({ id }) => id));
		expect(await ids()).not.toContain(old.id);
		world.needed = [];
		expect(await snapshots.prune(1, ann)).toEqual({ removed: 3 });
		expect(await ids()).toEqual([newest.id, pinned.id]);
		expect(audited.at(-1)).toEqual(['ann', 'snapshots.prune', null, 'done', 'Kept 1, removed 3']);
		for (const id of await ids()) expect(await snapshots.problem(id)).toBeNull();
	});
});

describe('restoring', () => {
	test('is an operation that others supply', async () => {
		const { snapshots, restored, take, audited } = await setup();
		const { id } = await take();
		await snapshots.change(id, { note: 'good' }, ann);
		expect(await snapshots.restore(id, {}, ann)).toBe(running);
		expect(restored).toEqual([[id, ann, { note: 'good', countdown: null }]]);
		expect(audited.map(([, action]) => action)).not.toContain('snapshots.restore');
		const unknown = '20260102T030405Z-0000';
		await expect(snapshots.restore(unknown, {}, ann)).rejects.toMatchObject({ kind: 'not-found' });
		expect(restored).toHaveLength(1);
		expect(audited.at(-1)?.slice(1, 4)).toEqual(['snapshots.restore', unknown, 'refused']);
	});

	test('its steps put everything back, and receive beforehand why they could not', async () => {
		const { snapshots, take, serverDir, snapshotDir } = await setup();
		const { id } = await take();
		const wanted = await picture(serverDir);
		await plant(serverDir, { 'mods/b.jar': 'b' });
		expect(await snapshots.problem(id)).toBeNull();
		await snapshots.putBack(id);
		expect(await picture(serverDir)).toEqual(wanted);
		const { files } = await stored(snapshotDir);
		await plant('/', { [files[0]!]: 'damaged' });
		expect(await snapshots.problem(id)).toMatch(/damaged/);
		expect(await snapshots.verify(id)).toMatchObject({
			...{ id, inUse: false, problem: expect.stringMatching(/cannot be restored/) }
		});
		expect(await snapshots.problem('20260102T030405Z-0000')).toMatch(/no such snapshot/);
		await expect(snapshots.putBack('nonsense')).rejects.toBeInstanceOf(AppError);
	});

	test('what a cancelled operation took is deleted, even while that operation is still running', async () => {
		const { snapshots, take, world, ids } = await setup();
		const { id } = await take({ operationId: OPERATION });
		world.needed = [OPERATION];
		await snapshots.drop(id);
		expect(await ids()).toEqual([]);
	});
});

describe('the contents of one', () => {
	test('mods are listed by name, or by file when they have none', async () => {
		const { snapshots, serverDir } = await setup();
		await plant(serverDir, {
			'mods/lithium-1.jar': 'mod lithium Lithium 1.0',
			'mods/odd.jar.disabled': 'not a mod',
			'mods/readme.txt': 'hello'
		});
		const { id } = await snapshots.create({ note: '' }, ann);
		await plant(serverDir, { 'mods/lithium-1.jar': 'mod lithium Lithium 9.9' });
		expect(await snapshots.mods(id)).toEqual([
			{ fileName: 'a.jar', name: 'a', version: null },
			{ fileName: 'lithium-1.jar', name: 'Lithium', version: '1.0' },
			{ fileName: 'odd.jar.disabled', name: 'odd', version: null }
		]);
		await expect(snapshots.mods('20260102T030405Z-0000')).rejects.toMatchObject({
			kind: 'not-found'
		});
	});

	test('what a restore would change is listed by mod, and agrees with what it then does', async () => {
		const { snapshots, serverDir } = await setup();
		await plant(serverDir, {
			'mods/lithium-1.jar': 'mod lithium Lithium 1.0',
			'mods/gone.jar': 'mod gone Gone 3',
			'mods/switched.jar': 'mod switched Switched 4',
			'mods/same.jar': 'mod same Same 5'
		});
		const { id } = await snapshots.create({ note: '' }, ann);
		const none = { back: [], away: [], changed: [], others: [] };
		expect(await snapshots.changes(id)).toEqual(none);

		const mods = path.join(serverDir, 'mods');
		await rm(path.join(mods, 'lithium-1.jar'));
		await rm(path.join(mods, 'gone.jar'));
		await rename(path.join(mods, 'switched.jar'), path.join(mods, 'switched.jar.disabled'));
		await plant(serverDir, {
			'mods/lithium-2.jar': 'mod lithium Lithium 2.0',
			'mods/new.jar': 'mod new New 1',
			'config/a.toml': 'y'
		});
		expect(await snapshots.changes(id)).toEqual({
			back: [{ fileName: 'gone.jar', name: 'Gone', version: '3' }],
			away: [{ fileName: 'new.jar', name: 'New', version: '1' }],
			changed: [
				{ name: 'Lithium', from: '2.0', to: '1.0' },
				{ name: 'Switched', from: 'disabled', to: 'enabled' }
			],
			others: ['config/a.toml']
		});
		await snapshots.putBack(id);
		expect(await snapshots.changes(id)).toEqual(none);
	});
});
