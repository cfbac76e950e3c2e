import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import {
	copyFile,
	mkdir,
	mkdtemp,
	readdir,
	rename,
	rm,
	symlink,
	utimes,
	writeFile
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModDifference } from '#schemas/operation';
import type { Operation } from '#schemas/operation';
import { systemClock } from '#core/clock';
import { AppError } from '#core/errors';
import type { TrialVerdict } from '#trial';
import { createKit } from '../../../../../tests/faults/operations-kit.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import {
	after,
	BAD,
	BEFORE,
	fill,
	GOOD,
	openUpgrades,
	treeOf,
	type DeskTrouble
} from '../../../../../tests/fakes/upgrade-desk.ts';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { tidyOriginals } from './index.ts';
import type { UpgradeInput } from './types.ts';
import { mountSmallDisk } from '../../../../../tests/fakes/archives/small-disk.ts';

const ANN = { name: 'ann', role: 'superadmin', address: null } as const;

async function setup(trouble: DeskTrouble = {}, dir?: string) {
	dir ??= await tempDir();
	const kit = await createKit({ dir: path.join(dir, 'data') });
	const desk = openUpgrades({
		...{ dir, trouble },
		operations: kit.operations,
		clock: systemClock
	});
	onTestFinished(desk.close);
	await fill(desk.serverDir);
	const flag = path.join(dir, 'running');
	await writeFile(flag, '');
	return {
		...{ ...desk, dir, flag, kit },
		runs: () => existsSync(flag),
		tree: () => treeOf(desk.serverDir),
		ours: async () =>
			(await readdir(desk.serverDir)).filter((name) => name.startsWith('.craftwarden-upgrade-')),
		async upgrade(game: string, how: Partial<UpgradeInput> & { parks?: boolean } = {}) {
			const { parks, ...more } = how;
			const input = { ...(await desk.inputFor(game, { parks })), ...more };
			const { id } = await kit.operations.run('upgrade', input, ANN, game);
			await expect
				.poll(async () => (await kit.operations.get(id)).state, { timeout: 20_000 })
				.not.toBe('running');
			return kit.operations.get(id);
		}
	};
}

/** Who was made operator meanwhile stays so. */
const MEANWHILE = { 'ops.json': '["made meanwhile"]' };

test('game, mods, scripts and a copy of the world come together; the original lies untouched beside them', async () => {
	const at = await setup();
	const old = new Date('2026-01-02T03:04:05Z');
	await utimes(path.join(at.serverDir, 'my-world/region/r.0.0.mca'), old, old);
	expect(await at.upgrade(GOOD)).toMatchObject({ state: 'succeeded', cause: null });
	expect(await at.tree()).toEqual(after(GOOD));
	expect(at.runs()).toBe(true);
	expect(at.parked()).toBe('late.jar.disabled');
	const [kept, ...more] = await at.ours();
	expect(more).toEqual([]);
	const original = await treeOf(path.join(at.serverDir, kept!, 'old'));
	for (const [name, content] of Object.entries(original))
		expect([name, content]).toEqual([name, BEFORE[name]]);
	expect(Object.keys(original)).toEqual(
		expect.arrayContaining(['my-world/level.dat', 'my-world/region/r.0.0.mca', 'mods/a-1.jar'])
	);
	expect(await readdir(path.join(at.serverDir, kept!))).toEqual(['kept.json', 'old']);
});

test('says mod by mod what it changes', async () => {
	const at = await setup();
	const { change } = await at.inputFor(GOOD);
	const changes: ModDifference[] = [{ is: 'replace', title: 'A', from: '1', to: '2' }];
	expect(await at.upgrade(GOOD, { change: { ...change, changes } })).toMatchObject({
		state: 'succeeded',
		changes
	});
});

test('the original is removed after seven days, and nothing before or beside it', async () => {
	const at = await setup();
	await at.upgrade(GOOD);
	const clock = createManualClock();
	const told: string[] = [];
	const tidy = () => tidyOriginals(at.serverDir, clock, { info: (text) => void told.push(text) });
	const stranger = path.join(at.serverDir, '.craftwarden-upgrade-unfinished');
	await mkdir(path.join(stranger, 'old'), { recursive: true });
	// Left by a process that was killed while it probed the disk.
	const probe = path.join(at.serverDir, '.craftwarden-upgrade-probe-0123456789ab');
	await writeFile(probe, 'probe');
	const now = Date.now() - clock.now().getTime();
	await clock.advance(now + 6.9 * 24 * 3_600_000);
	await tidy();
	expect([existsSync(probe), told]).toEqual([false, []]);
	expect(await at.ours()).toHaveLength(2);
	await clock.advance(0.2 * 24 * 3_600_000);
	await tidy();
	expect(await at.ours()).toEqual([path.basename(stranger)]);
	expect(told).toHaveLength(1);
	expect(await at.tree()).toEqual(after(GOOD));
});

test('a game that does not come up goes, and everything is byte for byte as before', async () => {
	const at = await setup();
	const ended = await at.upgrade(BAD);
	expect(ended).toMatchObject({ state: 'rolled-back', cause: { message: 'It does not start.' } });
	expect(await at.tree()).toEqual({ ...BEFORE, ...MEANWHILE });
	expect([at.runs(), await at.ours(), at.parked()]).toEqual([true, [], null]);
	expect(ended.steps.find(({ id }) => id === 'rollback')?.detail).toMatch(
		/^Rolled back: game, loader, mods, settings and world are as they were/
	);
});

test('a countdown comes right before the stop, and is called off when the upgrade is refused then', async () => {
	const calledOff = (at: { flag: string }) => existsSync(`${at.flag}-called-off`);
	const countdown = { seconds: 60, message: '' };
	const good = await setup();
	const ended = await good.upgrade(GOOD, { countdown });
	expect(ended).toMatchObject({ state: 'succeeded' });
	const steps = ended.steps.map(({ id }) => id);
	expect(steps.slice(steps.indexOf('backup'), steps.indexOf('restart'))).toEqual([
		...['backup', 'countdown', 'swap']
	]);
	expect(calledOff(good)).toBe(false);

	const late = await setup({
		backup: async () => writeFileSync(path.join(late.serverDir, 'mods/mine.jar'), 'mine')
	});
	expect(await late.upgrade(GOOD, { countdown })).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringMatching(/mine\.jar/) }
	});
	expect([calledOff(late), late.runs()]).toEqual([true, true]);
});

test('a world that only the new game made is removed with it: the old one could not open it', async () => {
	const at = await setup({
		launched(game) {
			const world = path.join(at.serverDir, 'my-world');
			if (game !== BAD) return;
			mkdirSync(world, { recursive: true });
			writeFileSync(path.join(world, 'level.dat'), `saved by ${BAD}`);
		}
	});
	await rm(path.join(at.serverDir, 'my-world'), { recursive: true });
	expect(await at.upgrade(BAD)).toMatchObject({ state: 'rolled-back' });
	const before = Object.entries(BEFORE).filter(([name]) => !name.startsWith('my-world/'));
	expect(await at.tree()).toMatchObject(
		Object.fromEntries(before.filter(([n]) => n !== 'ops.json'))
	);
	expect(existsSync(path.join(at.serverDir, 'my-world'))).toBe(false);
});

test('a stopped server is upgraded, tried and stopped again', async () => {
	const at = await setup();
	await rm(at.flag);
	expect(await at.upgrade(GOOD)).toMatchObject({ state: 'succeeded' });
	expect([at.runs(), await at.tree()]).toEqual([false, after(GOOD)]);
	const bad = await setup();
	await rm(bad.flag);
	expect(await bad.upgrade(BAD)).toMatchObject({ state: 'rolled-back' });
	expect([bad.runs(), await bad.tree()]).toEqual([false, { ...BEFORE, ...MEANWHILE }]);
});

describe('the trial on a copy', () => {
	const verdict = (message?: string): TrialVerdict => ({
		verdict: message ? 'bad' : 'good',
		fingerprint: message ?? null,
		cause: message ? { message, log: [], mods: ['late'] } : null,
		...{ readyMs: 900, durationMs: 1000 }
	});
	/** Answers for sets of jars; `incomplete`: the reason of a launcher that does not download the game. */
	async function tried(
		answer: (jars: string[]) => TrialVerdict | Promise<TrialVerdict>,
		incomplete: string | null = null
	) {
		const asked: string[] = [];
		const at = await setup({
			trials: {
				problem: async () => null,
				times: async () => ({ limitMs: 1000, usualMs: null, holdMs: 0, wholeMs: 1000 }),
				async complete({ jar, into }) {
					asked.push(`complete ${path.basename(jar)}`);
					if (incomplete === null) await writeFile(path.join(into, 'brought'), 'by the launcher');
					return incomplete;
				},
				async boot(jars, { game }) {
					const names = jars.map(({ fileName }) => fileName).sort();
					asked.push(
						`boot ${game?.command.at(-2)} instead of ${game?.instead}: ${names.join(' ')}`
					);
					expect(at.runs()).toBe(true);
					expect(await at.tree()).toEqual(BEFORE);
					return answer(names);
				}
			}
		});
		return { ...at, asked };
	}
	const detailOf = ({ steps }: Operation, id: string) => steps.find((step) => step.id === id);

	test('comes before anything is touched, with the mods as they will be', async () => {
		const at = await tried(() => verdict());
		const ended = await at.upgrade(GOOD);
		expect(ended).toMatchObject({ state: 'succeeded', boots: [{ verdict: 'good' }] });
		expect(at.asked).toEqual([
			'complete fabric-2.0.jar',
			'boot fabric-2.0.jar instead of fabric-1.0.jar: a-2.jar own.jar'
		]);
		expect(detailOf(ended, 'trial')?.detail).toBe(
			'The new game started with its mods on a copy of the server in 900 ms. Watching and stopping it took 100 ms.'
		);
		// What the launcher downloaded is not downloaded again.
		expect(await at.tree()).toEqual({ ...after(GOOD), brought: 'by the launcher' });
	});

	test('a set that does not start, while the new game does without mods, ends it: the server was never stopped', async () => {
		const at = await tried((jars) => verdict(jars.length ? 'Late does not start.' : undefined));
		const ended = await at.upgrade(GOOD, { parks: false });
		expect(ended).toMatchObject({
			state: 'failed',
			cause: {
				message:
					'Late does not start. This was found on a copy: the server itself was never stopped.',
				mods: ['late']
			},
			boots: [
				{ verdict: 'bad', control: false },
				{ verdict: 'good', control: true, files: [] }
			]
		});
		expect(at.asked.slice(1)).toEqual([
			'boot fabric-2.0.jar instead of fabric-1.0.jar: a-2.jar late.jar own.jar',
			'boot fabric-2.0.jar instead of fabric-1.0.jar: '
		]);
		expect([at.runs(), await at.tree(), await at.ours()]).toEqual([true, BEFORE, []]);
	});

	test.each([
		['the new game does not start without mods either', 'It does not start.', null],
		[
			'the launcher does not download the game',
			undefined,
			'The launcher did not download the game.'
		],
		['there is no memory any more', new AppError('conflict', 'There is not enough memory.'), null]
	])('inconclusive, because %s: it continues, and says so', async (_, answer, incomplete) => {
		const at = await tried(() => {
			if (answer instanceof AppError) throw answer;
			return verdict(answer);
		}, incomplete);
		const ended = await at.upgrade(GOOD);
		expect(ended).toMatchObject({ state: 'succeeded', cause: null });
		const why = incomplete ?? (answer instanceof AppError ? answer.message : answer);
		expect(detailOf(ended, 'trial')).toMatchObject({
			status: 'done',
			detail: expect.stringMatching(`^The trial is inconclusive: .*${why} The upgrade continues`)
		});
	});

	test('is skipped on request, and when the server is stopped', async () => {
		const at = await tried(() => verdict('It does not start.'));
		const ended = await at.upgrade(GOOD, { skipTrial: true });
		expect(ended).toMatchObject({ state: 'succeeded' });
		expect(detailOf(ended, 'trial')).toMatchObject({ status: 'skipped' });
		const stopped = await tried(() => verdict('It does not start.'));
		await rm(stopped.flag);
		expect(await stopped.upgrade(GOOD)).toMatchObject({ state: 'succeeded' });
		expect([at.asked, stopped.asked]).toEqual([[], []]);
	});

	test('changes made in the meantime are not overwritten', async () => {
		const at = await tried(async () => {
			await writeFile(path.join(at.serverDir, 'fabric-1.5.jar'), 'another game');
			return verdict();
		});
		const ended = await at.upgrade(GOOD);
		expect(ended).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringContaining('The game or loader has changed') }
		});
		expect(at.runs()).toBe(true);
		expect(await at.tree()).toEqual({ ...BEFORE, 'fabric-1.5.jar': 'another game' });
	});
});

test('mods that changed since the plan, and a backup that fails, leave the server alone', async () => {
	const at = await setup();
	const input = await at.inputFor(GOOD);
	await writeFile(path.join(at.serverDir, 'mods/new.jar'), 'new');
	const { id } = await at.kit.operations.run('upgrade', input, ANN);
	await expect.poll(async () => (await at.kit.operations.get(id)).state).toBe('failed');
	expect((await at.kit.operations.get(id)).cause?.message).toContain('new.jar was added');
	expect([at.runs(), await at.ours()]).toEqual([true, []]);

	const unsafe = await setup({
		backup: () => Promise.reject(new Error('no room for a backup'))
	});
	expect(await unsafe.upgrade(GOOD)).toMatchObject({ state: 'failed' });
	expect([unsafe.runs(), await unsafe.tree(), await unsafe.ours()]).toEqual([true, BEFORE, []]);
});

test.each([
	['the world itself is a link', 'my-world', /my-world is reached through a link/],
	['a region in it is one', 'my-world/region/r.1.1.mca', /r\.1\.1\.mca is a link or a special file/]
])('%s: refused while the server runs', async (_, name, words) => {
	const at = await setup();
	const elsewhere = path.join(at.dir, 'elsewhere');
	const file = path.join(at.serverDir, name);
	if (existsSync(file)) await rename(file, elsewhere);
	else await writeFile(elsewhere, 'chunks');
	await symlink(elsewhere, file);
	const ended = await at.upgrade(GOOD);
	expect(ended).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringMatching(words) }
	});
	expect(ended.steps.find(({ status }) => status === 'failed')?.id).toBe('lookup');
	expect(at.runs()).toBe(true);
});

const MEMORY = '/dev/shm';
const hasOther = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(tmpdir()).dev;

test.skipIf(!hasOther)('mods on another disk: refused while the server runs', async () => {
	const at = await setup();
	const elsewhere = await mkdtemp(path.join(MEMORY, 'craftwarden-test-'));
	onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
	const mods = path.join(at.serverDir, 'mods');
	for (const name of await readdir(mods))
		await copyFile(path.join(mods, name), path.join(elsewhere, name));
	await rm(mods, { recursive: true });
	await symlink(elsewhere, mods);
	const ended = await at.upgrade(GOOD);
	expect(ended.steps.find(({ status }) => status === 'failed')?.id).toBe('lookup');
	expect(ended.cause?.message).toContain('mods is on another disk');
	expect(at.runs()).toBe(true);
});

test.each([
	['before the server is stopped', 'backup', 'failed', 'swap'],
	['as the exchange is to be noted', 'flushed', 'rolled-back', 'swap'],
	['as the new game starts', 'launched', 'rolled-back', 'verify']
] as const)(
	'a disk that is full %s gives the server back as it was, once there is room',
	async (_, when, outcome, step) => {
		const disk = mountSmallDisk('80m');
		if (!disk) return;
		onTestFinished(disk.dispose);
		const full = { [when]: async () => disk.fill() };
		const at = await setup({ retry: { everyMs: 5, forMs: 20_000 }, ...full }, disk.dir);
		const { id } = await at.kit.operations.run('upgrade', await at.inputFor(BAD), ANN);
		const state = async () => {
			const { steps, ...operation } = await at.kit.operations.get(id);
			if (steps.at(-1)?.detail?.includes('tried again')) disk.empty();
			return operation.state;
		};
		await expect.poll(state, { timeout: 20_000, interval: 5 }).not.toBe('running');
		const ended = await at.kit.operations.get(id);
		const failed = ended.steps.find(({ status }) => status === 'failed')?.id;
		expect([ended.state, failed]).toEqual([outcome, step]);
		const { 'ops.json': ops, ...tree } = await at.tree();
		const { 'ops.json': before, ...rest } = BEFORE;
		expect(tree).toEqual(rest);
		expect([before, MEANWHILE['ops.json']]).toContain(ops);
		expect([at.runs(), await at.ours()]).toEqual([true, []]);
	}
);
