import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Operation } from '#schemas/operation';
import { modSet, sha512 } from '../fakes/mods/change-setup.ts';
import {
	EXPLORE_LIMIT_MS,
	explore,
	obstacle,
	STEADY,
	type Fault,
	type Outcome
} from './explore.ts';
import {
	CHANGES,
	deadlyIn,
	deskAt,
	giveJava,
	hangIn,
	modsDirOf,
	NEW,
	OLD,
	storeAt,
	type Change
} from './programs/mods-desk.ts';
import { tempDir } from './temp.ts';
import { createSteadyClock } from './programs/steady-clock.ts';
import { restarted } from './restarted.ts';

const PROGRAM = path.resolve('tests/faults/programs/change-mods.ts');
const why = obstacle();
const FAULTS = [
	'SIGKILL',
	...['ENOSPC', 'EIO', 'EACCES', 'EROFS'].flatMap((error) => [error, `${error} from then on`])
] as Fault[];
/** The other changes take the same paths: what is true of one error is true of the next. */
const FEWER: Fault[] = ['SIGKILL', 'ENOSPC', 'ENOSPC from then on'];

const hashed = (set: Record<string, string>) =>
	Object.fromEntries(Object.entries(set).map(([name, content]) => [name, sha512(content)]));

/** The old set, and a snapshot of the one that a restore leads to. */
async function prepare(dir: string, running: boolean) {
	const fill = async (set: Record<string, string>) => {
		await rm(modsDirOf(dir), { recursive: true, force: true });
		await mkdir(modsDirOf(dir), { recursive: true });
		for (const [name, content] of Object.entries(set))
			await writeFile(path.join(modsDirOf(dir), name), content);
	};
	await fill(NEW.restore);
	const { store } = storeAt(dir, createSteadyClock());
	const { id } = await store.take({ reason: 'manual', operationId: null, by: null, note: '' });
	store.close();
	await writeFile(path.join(dir, 'snapshot'), id);
	await fill(OLD);
	if (running) await writeFile(path.join(dir, 'running'), '');
}

const snapshotOf = (dir: string) => {
	try {
		return readFileSync(path.join(dir, 'snapshot'), 'utf8');
	} catch {
		return '';
	}
};

async function restart(dir: string): Promise<Operation | null> {
	const { operation, opened } = await restarted(dir, (kit) =>
		deskAt(dir, kit.operations, kit.clock)
	);
	await opened.trials.sweep();
	opened.close();
	return operation;
}

/** What a process leaves that dies in the middle of a rollback, before anything is put back. */
async function dieInRollback(dir: string) {
	await writeFile(deadlyIn(dir), '');
	const { signal } = spawnSync(process.execPath, ['--import', STEADY, PROGRAM, dir, 'bad', '']);
	expect(signal).toBe('SIGKILL');
	expect(await modSet(modsDirOf(dir))).toEqual(hashed(NEW.bad));
}

async function check(kind: Change, running: boolean, dir: string, outcome: Outcome) {
	const operation = await restart(dir);
	const set = await modSet(modsDirOf(dir));
	const ended = outcome.lines.find((line) => line.startsWith('ended'))?.split(' ')[1];
	const said = operation?.steps.map((step) => `${step.id} ${step.status}`).join(', ');
	const about = `${operation?.state}, it had ${ended}: ${said}; ${operation?.cause?.message}`;
	const isNew = JSON.stringify(set) === JSON.stringify(sorted(hashed(NEW[kind])));
	expect(set, about).toEqual(hashed(isNew ? NEW[kind] : OLD));
	expect(existsSync(path.join(dir, 'running')), about).toBe(running);
	if (!operation) {
		expect(isNew, about).toBe(ended === 'succeeded');
		return;
	}
	expect(operation.state, about).not.toBe('interrupted');
	if (kind === 'bad') expect(operation.state, about).not.toBe('succeeded');
	if (operation.state === 'succeeded') expect(isNew, about).toBe(true);
	if (operation.state === 'rolled-back') expect(isNew, about).toBe(false);
	if (operation.state === 'failed' && isNew)
		expect(about).toMatch(/rollback skipped|journal|last steps are not recorded/);
	if (outcome.fault.endsWith('from then on')) return;
	const left = (await readdir(modsDirOf(dir))).filter((name) => name.startsWith('.'));
	expect(left, about).toEqual([]);
}

/** Those whose working folder lies there, or did. */
async function processesIn(dir: string) {
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const folders = await Promise.all(
		pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => ''))
	);
	return folders.filter((folder) => folder.startsWith(dir));
}

const sorted = (set: Record<string, string>) =>
	Object.fromEntries(Object.entries(set).sort(([a], [b]) => (a < b ? -1 : 1)));

describe.skipIf(why)(
	`a change of the mods${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test.each(CHANGES)(
			'%s killed or refused at any call ends with exactly the old or the new set',
			async (kind) => {
				const running = kind !== 'replace';
				const hits = await explore({
					program: PROGRAM,
					args: (dir) => [dir, kind, snapshotOf(dir)],
					prepare: (dir) => prepare(dir, running),
					faults: kind === 'update' ? FAULTS : FEWER,
					sample: kind === 'update' ? 6 : kind === 'bad' ? 2 : 1,
					check: (dir, outcome) => check(kind, running, dir, outcome)
				});
				expect(hits).toBeGreaterThan(0);
			}
		);

		test.each(['update', 'bad'] as const)(
			'%s, tried on a copy, killed or refused at any call leaves the server running, no copy and no process',
			async (kind) => {
				const hits = await explore({
					program: PROGRAM,
					args: (dir) => [dir, kind, ''],
					async prepare(dir) {
						await prepare(dir, true);
						giveJava(dir);
					},
					faults: FEWER,
					sample: 3,
					sampleOf: (file) => file.includes('/trials'),
					check: async (dir, outcome) => {
						await check(kind, true, dir, outcome);
						expect(await readdir(path.join(dir, 'data/trials')).catch(() => [])).toEqual([]);
						expect(await processesIn(path.join(dir, 'data/trials'))).toEqual([]);
					}
				});
				expect(hits).toBeGreaterThan(0);
			}
		);

		test('killed while a copy boots, the next start ends what was left and tries again', async () => {
			const dir = await tempDir();
			const trials = path.join(dir, 'data/trials');
			await prepare(dir, true);
			giveJava(dir);
			await writeFile(hangIn(dir), '');
			const args = ['--import', STEADY, PROGRAM, dir, 'bad', ''];
			const program = spawn(process.execPath, args, { stdio: 'ignore' });
			await expect.poll(() => processesIn(trials), { timeout: 20_000 }).not.toEqual([]);
			await expect.poll(() => existsSync(hangIn(dir))).toBe(false);
			program.kill('SIGKILL');
			await once(program, 'exit');
			expect(await processesIn(trials)).not.toEqual([]);
			expect(await restart(dir)).toMatchObject({
				state: 'failed',
				boots: [{ verdict: 'bad' }, { verdict: 'good' }]
			});
			expect(await processesIn(trials)).toEqual([]);
			expect(await readdir(trials)).toEqual([]);
			expect(existsSync(path.join(dir, 'running'))).toBe(true);
			expect(await modSet(modsDirOf(dir))).toEqual(hashed(OLD));
		});

		test('a rollback that was interrupted is killed or refused again at any call and ends with exactly the old set', async () => {
			const hits = await explore({
				program: PROGRAM,
				args: (dir) => [dir, 'recover'],
				async prepare(dir) {
					await prepare(dir, true);
					await dieInRollback(dir);
				},
				faults: FEWER,
				sample: 1,
				check: (dir, outcome) => check('bad', true, dir, outcome)
			});
			expect(hits).toBeGreaterThan(0);
		});
	}
);
