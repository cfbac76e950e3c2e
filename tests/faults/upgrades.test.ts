import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Operation } from '#schemas/operation';
import {
	after,
	BAD,
	BEFORE,
	BROUGHT,
	fill,
	GOOD,
	hangIn,
	launcherJava,
	OLD,
	openUpgrades,
	refusedIn,
	treeOf,
	trialsIn
} from '../fakes/upgrade-desk.ts';
import {
	EXPLORE_LIMIT_MS,
	explore,
	obstacle,
	STEADY,
	type Fault,
	type Outcome
} from './explore.ts';
import { listKept } from '../../src/lib/server/services/upgrades/original.ts';
import { processesIn } from '../harness.ts';
import { restarted } from './restarted.ts';
import { tempDir } from './temp.ts';

const PROGRAM = path.resolve('tests/faults/programs/upgrade.ts');
const why = obstacle();
const FAULTS: Fault[] = ['SIGKILL', 'ENOSPC', 'EIO', 'ENOSPC from then on'];

const serverOf = (dir: string) => path.join(dir, 'data', 'server');

async function prepare(dir: string) {
	await fill(serverOf(dir));
	await writeFile(path.join(dir, 'running'), '');
}

/** An upgrade that went well, and that the journal has forgotten. */
async function prepareUpgraded(dir: string) {
	await prepare(dir);
	const { status } = spawnSync(process.execPath, ['--import', STEADY, PROGRAM, dir, GOOD]);
	expect(status).toBe(0);
	await rm(path.join(dir, 'data/operations'), { recursive: true });
}

/** The game of before or the newer one, whole; what is aside is kept, whatever happened. */
async function checkBack(dir: string, outcome: Outcome) {
	const operation = await restart(dir);
	// Whose they are is not known, so they stay.
	const theirs = ['ops.json', 'new.yml'];
	const of = (files: Record<string, string>) =>
		Object.fromEntries(Object.entries(files).filter(([name]) => !theirs.includes(name)));
	const found = await treeOf(serverOf(dir));
	const tree = of(found);
	const said = operation?.steps.map((step) => `${step.id} ${step.status}`).join(', ');
	const about = `${operation?.state}: ${said}; ${operation?.cause?.message}`;
	const isNew = tree[`fabric-${GOOD}.jar`] !== undefined;
	expect(tree, about).toEqual(of(isNew ? after(GOOD) : BEFORE));
	expect(found['new.yml'], about).toBe(after(GOOD)['new.yml']);
	expect(existsSync(path.join(dir, 'running')), about).toBe(true);
	if (!operation) return expect(isNew, about).toBe(true);
	expect(operation.state, about).not.toBe('interrupted');
	if (operation.state === 'succeeded') expect(isNew, about).toBe(false);
	if (operation.state === 'rolled-back' || existsSync(refusedIn(dir)))
		expect(isNew, about).toBe(true);
	if (outcome.fault.endsWith('from then on')) return;
	expect(await listKept(serverOf(dir)), about).toMatchObject([
		{ aside: { gameVersion: isNew ? OLD : GOOD }, live: { gameVersion: isNew ? GOOD : OLD } }
	]);
}

/** What a process leaves that dies with the new game in place. */
async function dieWithNew(dir: string) {
	await prepare(dir);
	await writeFile(path.join(dir, 'deadly'), '');
	const { signal } = spawnSync(process.execPath, ['--import', STEADY, PROGRAM, dir, BAD]);
	expect(signal).toBe('SIGKILL');
	expect(existsSync(path.join(serverOf(dir), `fabric-${BAD}.jar`))).toBe(true);
}

async function restart(dir: string): Promise<Operation | null> {
	const { operation, opened } = await restarted(dir, ({ operations, clock }) => {
		const trouble = trialsIn(dir, clock);
		return { trouble, desk: openUpgrades({ dir, operations, clock, trouble }) };
	});
	// As every start of the dashboard does.
	await opened.trouble.trials?.sweep();
	opened.desk.close();
	return operation;
}

/** Old or new, whole: world, mods, configuration, loader, script and settings. */
async function check(game: string, dir: string, outcome: Outcome) {
	const operation = await restart(dir);
	const { 'ops.json': ops, ...tree } = await treeOf(serverOf(dir));
	const { 'ops.json': before, ...old } = BEFORE;
	const { 'ops.json': meanwhile, ...fresh } = after(game);
	const tried = existsSync(path.join(dir, 'jdk'));
	for (const name of Object.keys(BROUGHT)) if (tried) delete tree[name];
	const said = operation?.steps.map((step) => `${step.id} ${step.status}`).join(', ');
	const about = `${operation?.state}: ${said}; ${operation?.cause?.message}`;
	const isNew = tree[`fabric-${game}.jar`] !== undefined;
	expect(tree, about).toEqual(isNew ? fresh : old);
	// A game that cannot finish writing its own list leaves half of it, whoever runs it.
	if (!outcome.name?.endsWith('/ops.json')) expect([before, meanwhile], about).toContain(ops);
	expect(existsSync(path.join(dir, 'running')), about).toBe(true);
	if (!operation) return expect(isNew, about).toBe(false);
	expect(operation.state, about).not.toBe('interrupted');
	if (operation.state === 'succeeded') expect(isNew, about).toBe(true);
	if (game === BAD || operation.state === 'rolled-back') expect(isNew, about).toBe(false);
	if (outcome.fault.endsWith('from then on')) return;
	const trials = path.join(dir, 'data', 'trials');
	if (existsSync(trials)) expect(await readdir(trials), about).toEqual([]);
	const ours = (await readdir(serverOf(dir))).filter((name) => /^\.craftwarden-up/.test(name));
	// What a disk refuses to remove is left to the housekeeping, which removes what has such a note.
	const nobodys = ours.filter((name) => !existsSync(path.join(serverOf(dir), name, 'kept.json')));
	expect(nobodys, about).toEqual([]);
	if (isNew) expect(ours, about).toHaveLength(1);
}

describe.skipIf(why)(
	`an upgrade of the game${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test.each([
			['comes up', GOOD],
			['does not come up', BAD]
		])(
			'that %s, killed or refused at any call, ends with the old or the new server',
			async (_, game) => {
				const hits = await explore({
					program: PROGRAM,
					args: (dir) => [dir, game],
					prepare,
					faults: FAULTS,
					sample: 2,
					check: (dir, outcome) => check(game, dir, outcome)
				});
				expect(hits).toBeGreaterThan(0);
			}
		);

		test('an upgrade tried on a copy first, then killed or refused by the disk, ends with the old or the new server', async () => {
			const hits = await explore({
				program: PROGRAM,
				args: (dir) => [dir, GOOD],
				prepare: async (dir) => {
					await prepare(dir);
					await launcherJava(dir);
				},
				faults: ['SIGKILL', 'ENOSPC'],
				sample: 2,
				// Gives them the same names in each run.
				sampleOf: (file) => /\/trials$|\/new\/(?:\.fabric|libraries)/.test(file),
				check: (dir, outcome) => check(GOOD, dir, outcome)
			});
			expect(hits).toBeGreaterThan(0);
		});

		test('after a kill during the download of the game, the next start ends the launcher and downloads again', async () => {
			const dir = await tempDir();
			const trials = path.join(dir, 'data', 'trials');
			await prepare(dir);
			await launcherJava(dir);
			await writeFile(hangIn(dir), '');
			const args = ['--import', STEADY, PROGRAM, dir, GOOD];
			const program = spawn(process.execPath, args, { stdio: 'ignore' });
			await expect.poll(() => existsSync(hangIn(dir)), { timeout: 20_000 }).toBe(false);
			program.kill('SIGKILL');
			await once(program, 'exit');
			const [copy = ''] = await readdir(trials);
			const game = path.join(trials, copy, 'server');
			expect(await processesIn(game)).not.toEqual([]);
			expect(await restart(dir)).toMatchObject({
				state: 'succeeded',
				boots: [{ verdict: 'good' }]
			});
			expect([await processesIn(game), await readdir(trials)]).toEqual([[], []]);
			expect(await treeOf(serverOf(dir))).toEqual({ ...after(GOOD), ...BROUGHT });
		});

		test.each([
			['that comes up', prepareUpgraded],
			[
				'that does not come up',
				async (dir: string) => {
					await prepareUpgraded(dir);
					await writeFile(refusedIn(dir), OLD);
				}
			]
		])(
			'going back to a game %s, killed or refused at any call, ends with that or the newer one',
			async (_, prepare) => {
				const hits = await explore({
					program: PROGRAM,
					args: (dir) => [dir, 'back'],
					prepare,
					faults: FAULTS,
					sample: 2,
					check: checkBack
				});
				expect(hits).toBeGreaterThan(0);
			}
		);

		test('a rollback that is killed or refused at any call ends with the old server', async () => {
			const hits = await explore({
				program: PROGRAM,
				args: (dir) => [dir, 'recover'],
				prepare: dieWithNew,
				faults: FAULTS,
				sample: 1,
				check: (dir, outcome) => check(BAD, dir, outcome)
			});
			expect(hits).toBeGreaterThan(0);
		});
	}
);
