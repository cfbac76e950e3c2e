import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../src/lib/server/storage/archive/run-here.ts';
import {
	createHome,
	newGame,
	setupBackups,
	put,
	removeHome,
	savingNote,
	startGame,
	type Game
} from '../fakes/archives/backups-setup.ts';
import { EXPLORE_LIMIT_MS, explore, obstacle, type Outcome } from './explore.ts';

const why = obstacle();
const ALL = process.env.FAULTS === 'all';
const dataOf = (dir: string) => path.join(dir, 'data');
/** Without the time of its start: files' times are coarse, so that what a restore has just kept might be older. */
const gameOf = (dir: string): Game => ({
	...JSON.parse(readFileSync(path.join(dir, 'game.json'), 'utf8')),
	...{ answers: new Map(), lastSeen: new Map(), readyAt: null }
});

/** A home with a good backup of version 1, whose world is at version 2 by now; the game runs. */
async function template() {
	const home = await createHome();
	const game = newGame();
	const setup = setupBackups(home, game);
	const id = await setup.backUp({ withMods: true });
	await setup.close();
	for (const [name, text] of Object.entries(SECOND)) await put(home, name, text);
	startGame(game);
	return { home, id, game };
}
const SECOND = {
	'world/level.dat': 'level 2',
	'world/region/r.0.0.mca': 'chunks 2'.repeat(3000),
	'world_nether/DIM-1/region/r.0.0.mca': 'nether 2',
	'config/mod.toml': 'value = 2',
	'mods/one.jar': 'jar 2',
	'ops.json': '[2]'
};
/** 1, 2, or what is neither. */
const versions = (dir: string) =>
	new Set(
		Object.keys(SECOND).map((name) => {
			const file = path.join(dataOf(dir), 'server', name);
			return existsSync(file) ? /[12](?=\D*$)/.exec(readFileSync(file, 'utf8'))?.[0] : 'missing';
		})
	);

/** Starts afresh on the folder and waits until everything has settled. */
async function restart(dir: string) {
	const game = gameOf(dir);
	const setup = setupBackups(dataOf(dir), game);
	setup.settings.backupVerifyDaily = false; // it would still be writing when the folder is removed
	await setup.operations.recover();
	setup.backups.startWatching();
	await expect.poll(() => setup.operations.running(), { interval: 5, timeout: 20_000 }).toBeNull();
	await expect.poll(() => savingNote(dataOf(dir)), { interval: 5, timeout: 5000 }).toBe(false);
	if (game.pid !== null) expect(game.saving).toBe(true);
	return { setup, game };
}

async function soundOnes(setup: Awaited<ReturnType<typeof restart>>['setup']) {
	const listed = await setup.backups.list();
	for (const { id, state } of listed) {
		if (state !== 'complete') continue;
		const sidecar = JSON.parse(readFileSync(path.join(setup.backupDir, `${id}.json`), 'utf8'));
		const { bytes, manifestSha256, totals } = sidecar;
		const expected = { bytes, manifestSha256, totals };
		await runHere({ kind: 'read', file: setup.folder.paths(id).archive, expected, into: null });
	}
	return listed;
}

async function checkBackup(dir: string, { lines }: Outcome) {
	const { setup, game } = await restart(dir);
	const earlier = readFileSync(path.join(dir, 'earlier'), 'utf8');
	const listed = await soundOnes(setup);
	expect(listed.find(({ id }) => id === earlier)).toMatchObject({ state: 'complete' });
	const added = listed.filter(({ id, state }) => id !== earlier && state === 'complete');
	if (lines.includes('ended succeeded')) expect(added).toHaveLength(1);
	if (lines.some((line) => line.startsWith('refused'))) expect(added).toHaveLength(0);
	// A backup whose end alone could not be journalled is complete all the same.
	expect(added.length).toBeLessThanOrEqual(1);
	expect(game.state).toBe('running');
	expect(versions(dir)).toEqual(new Set(['2']));
	await setup.close();
}

/** Nothing is replaced before what was there is safe, and what says so is true. */
async function checkBackupFirst(dir: string, outcome: Outcome) {
	const { setup, operation } = await checkRestore(dir, outcome);
	const earlier = readFileSync(path.join(dir, 'earlier'), 'utf8');
	const listed = await setup.backups.list();
	// One that was finished, but not journalled as such, is made again.
	const before = listed.filter(({ id, state }) => id !== earlier && state === 'complete');
	expect(before.length).toBeLessThanOrEqual(2);
	expect(listed.find(({ id }) => id === earlier)).toMatchObject({ state: 'complete' });
	const { undo, state } = operation ?? {};
	if (state === 'succeeded') expect(undo).toBeDefined();
	if (!undo) return;
	expect(before.map(({ id }) => id)).toContain(undo.backup);
	const { archive } = setup.folder.paths(undo.backup);
	for (const [name, text] of Object.entries(SECOND))
		expect(execFileSync('tar', ['--zstd', '-xOf', archive, name], { encoding: 'utf8' })).toBe(text);
}

async function checkRestore(dir: string, { lines }: Outcome) {
	const { setup, game } = await restart(dir);
	const [operation] = (await setup.operations.list()).filter(({ kind }) => kind === 'restore');
	const said = `${operation?.state}: ${JSON.stringify(operation?.cause?.message)}`;
	const succeeded = operation?.state === 'succeeded';
	// One that could only not be journalled to its end is not taken back.
	const stays = operation?.steps.at(-1)?.detail?.startsWith('The backup stays in place') === true;
	expect(versions(dir), said).toEqual(new Set([succeeded || stays ? '1' : '2']));
	if (lines.includes('ended succeeded')) expect(succeeded).toBe(true);
	expect(game.state, said).toBe('running');
	await soundOnes(setup);
	const staged = readdirSync(setup.serverDir).filter((name) => name.startsWith('.craftwarden'));
	if (!succeeded && lines.every((line) => !line.startsWith('ended'))) expect(staged).toEqual([]);
	if (succeeded || stays)
		expect(
			readFileSync(path.join(setup.serverDir, staged[0]!, 'old/world/level.dat'), 'utf8')
		).toBe('level 2');
	await setup.close();
	return { setup, operation };
}

describe.skipIf(why)(
	`killed, or refused by the disk, at any call${why ? ` (skipped: ${why})` : ''}`,
	() => {
		test.each([
			['backup', checkBackup, ''],
			['restore', checkRestore, ''],
			['restore-after-backup', checkBackupFirst, '/data/backups/']
		] as const)(
			'a %s leaves what was good, nothing half done, and a game that saves',
			async (action, check, within) => {
				const { home, id, game } = await template();
				const hits = await explore({
					program: path.resolve('tests/faults/programs/backups.ts'),
					args: (dir) => [dir, action],
					async prepare(dir) {
						cpSync(home, dataOf(dir), { recursive: true, preserveTimestamps: true });
						writeFileSync(path.join(dir, 'game.json'), JSON.stringify(game));
						writeFileSync(path.join(dir, 'earlier'), id);
					},
					check: async (dir, outcome) => void (await check(dir, outcome)),
					faults: ALL ? ['SIGKILL', 'ENOSPC', 'EIO'] : ['SIGKILL', 'ENOSPC'],
					sample: 6,
					sampleOf: (file) => file.includes(within)
				});
				await removeHome(home);
				expect(hits).toBeGreaterThan(0);
			},
			EXPLORE_LIMIT_MS
		);
	}
);
