import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
	BACKUP_ID,
	modSet,
	openMods,
	putOf,
	sha512,
	stillServer,
	updateOf,
	type Trouble
} from '../../../../../../tests/fakes/mods/change-setup.ts';
import {
	ann,
	createKit,
	finished,
	type Kit
} from '../../../../../../tests/faults/operations-kit.ts';
import type { Operation } from '#schemas/operation';
import { AppError } from '#core/errors';
import { toSummary } from '#operations';
import type { ModChange } from './index.ts';

let kit: Kit;
let trouble: Trouble;
let mods: string;
let desk: ReturnType<typeof openMods>;
/** What was done to the server, which runs. */
let story: string[];
/** The new set does not start; `opened`: after it has opened the world. */
let refuses: boolean | 'opened';

beforeEach(async () => {
	kit = await createKit();
	mods = path.join(kit.dir, 'mods');
	await mkdir(mods);
	await writeFile(path.join(mods, 'lithium-0.13.0.jar'), 'lithium 0.13.0');
	await writeFile(path.join(mods, 'other.jar'), 'other');
	await writeFile(path.join(kit.dir, 'running'), '');
	trouble = { retry: { everyMs: 5, forMs: 300 } };
	story = [];
	refuses = false;
	const still = stillServer(path.join(kit.dir, 'running'));
	const server: typeof still = {
		...still,
		async halt(...call) {
			story.push('halt');
			await still.halt(...call);
		},
		async launch(...call) {
			story.push('launch');
			await still.launch(...call);
		},
		async verify(...call) {
			if (refuses === 'opened') await call[1]?.('opened');
			if (refuses) throw new AppError('upstream', 'It does not start.');
			await still.verify(...call);
		}
	};
	desk = openMods({ operations: kit.operations, server, modsDir: mods, dataDir: kit.dir, trouble });
});

const OLD = { 'lithium-0.13.0.jar': sha512('lithium 0.13.0'), 'other.jar': sha512('other') };
const NEW = { 'lithium-0.13.1.jar': sha512('lithium 0.13.1'), 'other.jar': sha512('other') };
const update = (facts: Partial<ModChange> = {}) =>
	updateOf(
		mods,
		{
			from: { fileName: 'lithium-0.13.0.jar', title: 'Lithium 0.13.0' },
			to: { fileName: 'lithium-0.13.1.jar', title: 'Lithium 0.13.1', content: 'lithium 0.13.1' }
		},
		facts
	);
const run = (change: ModChange) => finished(kit.operations, desk.changes.run(change, ann));
const steps = ({ steps }: Operation) =>
	Object.fromEntries(steps.map(({ id, status }) => [id, status]));
const detail = ({ steps }: Operation, id: string) => steps.find((one) => one.id === id)?.detail;
const downloads = () => readdir(path.join(kit.dir, 'downloads')).catch(() => []);

describe('a change', () => {
	test('backs up first when asked to', async () => {
		const actions: string[] = [];
		trouble.backup = async () => void actions.push('backup');
		const operation = await run(await update({ backupFirst: true }));
		expect(operation.steps.map(({ id }) => id).slice(1, 6)).toEqual([
			'snapshot',
			'download',
			'trial',
			'backup',
			'swap'
		]);
		expect(actions).toEqual(['backup']);
	});

	test('goes on without a backup where there is no world yet', async () => {
		trouble.backup = async () => {
			throw new AppError('conflict', 'There is no world yet.', { code: 'no-world' });
		};
		const operation = await run(await update({ backupFirst: true }));
		expect(operation.state).toBe('succeeded');
		expect(steps(operation)['backup']).toBe('skipped');
		trouble.backup = async () => {
			throw new AppError('conflict', 'There is no room.', { code: 'no-space' });
		};
		const short = await updateOf(
			mods,
			{
				from: { fileName: 'other.jar', title: 'Other' },
				to: { fileName: 'other-2.jar', title: 'Other 2', content: 'other 2' }
			},
			{ backupFirst: true }
		);
		expect(steps(await run(short))).toMatchObject({ backup: 'failed', swap: 'skipped' });
	});

	test.each([
		[false, 'succeeded'],
		[true, 'rolled-back']
	] as const)('says mod by mod what it changes (does not start: %s)', async (isBad, state) => {
		refuses = isBad;
		trouble.putBack = async () => void (refuses = false);
		const changes = [{ is: 'replace', title: 'Lithium', from: '0.13.0', to: '0.13.1' }] as const;
		const operation = await run(await update({ changes: [...changes] }));
		expect(operation).toMatchObject({ state, changes });
		expect(await kit.operations.get(operation.id)).toEqual(operation);
		expect(toSummary(operation)).not.toHaveProperty('changes');
		expect(await run(await update())).not.toHaveProperty('changes');
	});

	test('succeeds, with a warning, when only the pack for players cannot be rebuilt', async () => {
		trouble.rebuildModpack = async () => {
			throw new AppError('internal', 'The disk is full.');
		};
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'succeeded' });
		expect(detail(operation, 'modpack')).toMatch(/pack for players could not be rebuilt: The disk/);
		expect(await modSet(mods)).toEqual(NEW);
	});
});

test.each([
	[true, /changed in it stays, unless the backup made just before is restored\.$/],
	[false, /changed in it stays\.$/]
])(
	'what is taken back after it had opened the world says what stays (backup: %s)',
	async (backupFirst, words) => {
		refuses = 'opened';
		trouble.putBack = async () => void (refuses = false);
		const operation = await run(await update({ backupFirst }));
		expect(operation).toMatchObject({
			state: 'rolled-back',
			worldOpened: { backup: backupFirst ? BACKUP_ID : null }
		});
		expect(detail(operation, 'rollback')).toMatch(words);
		expect(await kit.operations.get(operation.id)).toEqual(operation);
	}
);

test('what never opened the world says nothing of it', async () => {
	refuses = true;
	trouble.putBack = async () => void (refuses = false);
	const operation = await run(await update({ backupFirst: true }));
	expect(operation.state).toBe('rolled-back');
	expect(operation).not.toHaveProperty('worldOpened');
});

describe('a duplicate mod', () => {
	test.each<[string, Partial<ModChange>]>([
		['added', {}],
		['enabled', { put: [], take: [] }]
	])('is detected once its file is here, before anything is changed: %s', async (_, facts) => {
		const seen: unknown[] = [];
		trouble.duplicate = async ({ put }, fileOf) => {
			for (const [i, { sha512: wanted }] of put.entries())
				seen.push(sha512(await readFile(fileOf(i))) === wanted);
			return 'x.jar is the same mod (lithium) as y.jar.';
		};
		const operation = await run(await update(facts));
		expect(seen).toEqual(facts.put ? [] : [true]);
		expect(operation.cause?.message).toBe('x.jar is the same mod (lithium) as y.jar.');
		const at = facts.put ? 'swap' : 'download';
		expect(steps(operation)).toMatchObject({ [at]: 'failed', restart: 'skipped' });
		expect(story).toEqual([]);
		expect(await modSet(mods)).toEqual(OLD);
		expect(await downloads()).toEqual([]);
	});
});

describe('other changes', () => {
	const nothing = async (facts: Partial<ModChange>): Promise<ModChange> => ({
		...(await update()),
		put: [],
		take: [],
		...facts
	});

	test('disable and enable only rename', async () => {
		const one = { sha512: OLD['other.jar'], title: 'Other 1', side: 'both' } as const;
		const off = await run(
			await nothing({
				kind: 'disable',
				titles: ['Other 1'],
				rename: [{ ...one, from: 'other.jar', to: 'other.jar.disabled' }]
			})
		);
		expect(off).toMatchObject({ kind: 'disable', state: 'succeeded' });
		expect(steps(off)).toMatchObject({ download: 'skipped', swap: 'done' });
		expect(Object.keys(await modSet(mods))).toContain('other.jar.disabled');
		const on = await run(
			await nothing({
				kind: 'enable',
				titles: ['Other 1'],
				rename: [{ ...one, from: 'other.jar.disabled', to: 'other.jar' }]
			})
		);
		expect(on).toMatchObject({ state: 'succeeded' });
		expect(await modSet(mods)).toEqual(OLD);
	});

	test('remove deletes files, several at once', async () => {
		const take = Object.entries(OLD).map(([fileName, sha512]) => ({
			fileName,
			sha512,
			title: fileName,
			side: 'both' as const
		}));
		const operation = await run(await nothing({ kind: 'remove', titles: ['A 1', 'B 1'], take }));
		expect(operation).toMatchObject({ state: 'succeeded', subject: '2 mods' });
		expect(await modSet(mods)).toEqual({});
	});

	test('install of an uploaded jar consumes the upload', async () => {
		const staged = path.join(kit.dir, 'upload.jar');
		await writeFile(staged, 'mine');
		const put = { ...putOf({ fileName: 'mine.jar', title: 'Mine 1', content: 'mine' }), staged };
		const operation = await run(
			await nothing({ kind: 'install', titles: ['Mine 1'], put: [{ ...put, file: null }] })
		);
		expect(operation).toMatchObject({ state: 'succeeded' });
		expect(await modSet(mods)).toEqual({ ...OLD, 'mine.jar': sha512('mine') });
		expect(existsSync(staged)).toBe(false);
	});
});

describe('nothing is changed', () => {
	const untouched = async () => {
		expect(await modSet(mods)).toEqual(OLD);
		expect(await downloads()).toEqual([]);
		expect(story).toEqual([]);
	};
	test('when the mods differ from the plan: refused at once', async () => {
		const change = await update();
		await writeFile(path.join(mods, 'other.jar'), 'by SFTP');
		await expect(desk.changes.run(change, ann)).rejects.toMatchObject({
			kind: 'conflict',
			code: 'plan-changed',
			message: expect.stringContaining('other.jar is another file now')
		});
		expect(await kit.operations.list()).toEqual([]);
		expect(desk.audit).toEqual([{ by: 'ann', action: 'mods.update', result: 'refused' }]);
		expect(story).toEqual([]);
	});

	test('when they change while it downloads', async () => {
		const change = await update();
		trouble.checkJar = async () => {
			await writeFile(path.join(mods, 'third.jar'), 'by SFTP');
			return null;
		};
		const operation = await run(change);
		expect(operation).toMatchObject({ state: 'failed' });
		expect(operation.cause?.message).toMatch(/third\.jar was added/);
		expect(detail(operation, 'rollback')).toMatch(/Nothing was changed/);
		expect(story).toEqual([]);
	});

	test('when the registry has withdrawn a file, or has another one under its name', async () => {
		trouble.withdrawn = async (files) => files;
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'failed' });
		expect(operation.cause?.message).toMatch(/no longer offers Lithium 0\.13\.1/);
		expect(steps(operation)).toMatchObject({ lookup: 'failed', snapshot: 'skipped' });
		expect(await desk.snapshots.count()).toBe(0);
		await untouched();
	});

	test('when a file is a symlink', async () => {
		const change = await update();
		await symlink('/etc/hosts', path.join(mods, 'lithium-0.13.1.jar'));
		const operation = await run(change);
		expect(operation.cause?.message).toMatch(/is a symbolic link/);
		await untouched();
	});

	test('when the download fails, or is not a mod for this server', async () => {
		trouble.download = async () => {
			throw new AppError('upstream', 'The registry does not answer.');
		};
		expect(await run(await update())).toMatchObject({
			state: 'failed',
			cause: { message: 'The registry does not answer.' }
		});
		await untouched();
		delete trouble.download;
		trouble.checkJar = async () => 'it is made for Forge.';
		const operation = await run(await update());
		expect(operation.cause?.message).toBe(
			'Lithium 0.13.1 cannot be used here: it is made for Forge.'
		);
		await untouched();
	});

	test('when there is no snapshot', async () => {
		trouble.take = async () => {
			throw new AppError('internal', 'The disk is full.');
		};
		expect(await run(await update())).toMatchObject({ state: 'failed' });
		await untouched();
	});

	test('when it is cancelled while it downloads', async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		trouble.download = async (_, to, { signal }) => {
			await writeFile(to, 'half');
			resolve();
			await delay(60_000, null, { signal });
		};
		const { id } = await desk.changes.run(await update(), ann);
		await promise;
		const ended = finished(kit.operations, await kit.operations.get(id));
		await kit.operations.cancel(id, ann);
		const cancelled = await ended;
		expect(cancelled).toMatchObject({ state: 'cancelled' });
		expect(cancelled.steps.some((one) => one.id === 'rollback')).toBe(false);
		expect(await desk.snapshots.count()).toBe(0);
		await untouched();
	});

	test('by a second change while one is in progress', async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		trouble.backup = () => promise;
		const first = await desk.changes.run(await update({ backupFirst: true }), ann);
		await expect(desk.changes.run(await update(), ann)).rejects.toMatchObject({
			kind: 'conflict',
			operation: first.id
		});
		const ended = finished(kit.operations, first);
		resolve();
		expect(await ended).toMatchObject({ state: 'succeeded' });
	});
});

describe('a rollback', () => {
	test('with a damaged snapshot is refused and says so', async () => {
		trouble.rebuildModpack = () => Promise.reject(new Error('not reached'));
		refuses = true;
		trouble.putBack = async () => {
			throw new AppError('conflict', 'The snapshot is damaged: lithium-0.13.0.jar.');
		};
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'failed' });
		expect(operation.cause?.message).toMatch(
			/The rollback failed too: The snapshot is damaged.*The new set is in place, whole\. Restore the snapshot/
		);
	});

	test('leftover downloads of dead operations are removed by the next one', async () => {
		const left = path.join(kit.dir, 'downloads', '20260102T030405123Z-1a2b');
		await mkdir(left, { recursive: true });
		await run(await update());
		expect(await downloads()).toEqual([]);
	});
});

describe('restoring a snapshot that has a mod twice', () => {
	const restore = async () => {
		const { id } = await desk.snapshots.take({ operationId: null });
		await writeFile(path.join(mods, 'third.jar'), 'third');
		return finished(kit.operations, desk.changes.restore(id, '', ann));
	};

	test('says so, and does what was asked for', async () => {
		trouble.twins = async () => ({ locked: null, others: 'a.jar is the same mod as b.jar.' });
		const operation = await restore();
		expect(operation).toMatchObject({ state: 'succeeded' });
		expect(detail(operation, 'lookup')).toBe('a.jar is the same mod as b.jar.');
		expect(operation.changes).toEqual([{ is: 'remove', title: 'third.jar', from: null, to: null }]);
		expect(await modSet(mods)).toEqual(OLD);
	});

	test('is refused before anything is changed where a locked one would be disabled by it', async () => {
		trouble.twins = async () => ({ locked: 'b.jar is locked.', others: 'not asked' });
		const operation = await restore();
		expect(operation).toMatchObject({ state: 'failed', cause: { message: 'b.jar is locked.' } });
		expect(await modSet(mods)).toEqual({ ...OLD, 'third.jar': sha512('third') });
		expect(story).toEqual([]);
	});
});

test('a snapshot that does not exist changes nothing', async () => {
	const operation = await finished(
		kit.operations,
		desk.changes.restore('20260102T030405Z-9999', '', ann)
	);
	expect(operation).toMatchObject({ state: 'failed', kind: 'restore' });
	expect(await modSet(mods)).toEqual(OLD);
	expect(story).toEqual([]);
});

describe('a result that cannot be recorded', () => {
	test('is kept when it had proven itself: nothing is rolled back any more', async () => {
		trouble.rebuildModpack = async () => {
			// The journal accepts nothing more, not even the success.
			const dir = path.join(kit.dir, 'operations');
			await rename(dir, `${dir}.away`);
			await writeFile(dir, '');
		};
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'failed' });
		expect(detail(operation, 'rollback')).toMatch(/Nothing was rolled back: the new mods/);
		expect(await modSet(mods)).toEqual(NEW);
		expect(story).toEqual(['halt', 'launch']);
		await rm(path.join(kit.dir, 'operations'));
	});
});

test('a server stopped for a rollback that left no trace runs again when the journal still says that all is well', async () => {
	const full = Object.assign(new Error('EROFS'), { code: 'EROFS' });
	let broken = false;
	// Its last fsync fails: what was refused is on the disk all the same, and from then on nothing is.
	const sick = await createKit({
		dir: kit.dir,
		journal: (real) => ({
			...real,
			async write(entry) {
				if (broken) throw full;
				await real.write(entry);
				broken = entry.memo['settled'] === true;
				if (broken) throw full;
			}
		})
	});
	const flag = path.join(kit.dir, 'running');
	const at = (operations: Kit['operations'], trouble: Trouble) =>
		openMods({ operations, server: stillServer(flag), modsDir: mods, dataDir: kit.dir, trouble });
	const putBack = async () => Promise.reject(full);
	const { changes } = at(sick.operations, { putBack, retry: { everyMs: 5, forMs: 60_000 } });
	const { id } = await changes.run(await update(), ann);
	await vi.waitFor(() => expect([broken, existsSync(flag)]).toEqual([true, false]), {
		timeout: 15_000,
		interval: 5
	});
	await sick.operations.close();
	const next = await createKit({ dir: kit.dir });
	at(next.operations, {});
	await next.operations.recover();
	expect(await finished(next.operations, next.operations.get(id))).toMatchObject({
		state: 'succeeded'
	});
	expect(await modSet(mods)).toEqual(NEW);
	expect(existsSync(flag)).toBe(true);
});
