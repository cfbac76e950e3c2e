import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '#core/errors';
import { systemClock } from '#core/clock';
import { createKit } from '../../../../../../tests/faults/operations-kit.ts';
import { createManualClock } from '../../../../../../tests/fakes/manual-clock.ts';
import {
	after,
	BEFORE,
	fill,
	GOOD,
	OLD,
	openUpgrades,
	refusedIn,
	treeOf,
	type DeskTrouble
} from '../../../../../../tests/fakes/upgrade-desk.ts';
import { tempDir } from '../../../../../../tests/faults/temp.ts';
import { createUpgrades, keptSnapshots, tidyOriginals } from '../index.ts';
import { PREFIX } from '../original.ts';
import type { Deps } from '../types.ts';

const ANN = { name: 'ann', role: 'superadmin', address: null } as const;

/** A server that was upgraded, and played on since. */
async function setup(trouble: DeskTrouble = {}, more: Partial<Deps> = {}) {
	const dir = await tempDir();
	const kit = await createKit({ dir: path.join(dir, 'data') });
	const { operations } = kit;
	const desk = openUpgrades({ ...{ dir, trouble, operations }, clock: systemClock });
	onTestFinished(desk.close);
	await fill(desk.serverDir);
	const flag = path.join(dir, 'running');
	await writeFile(flag, '');
	const ended = async ({ id }: { id: string }) => {
		const state = async () => (await operations.get(id)).state;
		await expect.poll(state, { timeout: 20_000, interval: 5 }).not.toBe('running');
		return operations.get(id);
	};
	const { id } = await ended(await operations.run('upgrade', await desk.inputFor(GOOD), ANN));
	const upgrades = createUpgrades({ ...desk.deps, ...more });
	const put = (name: string, text: string) => fill(desk.serverDir, { [name]: text });
	await put('my-world/region/r.0.0.mca', 'played on');
	return {
		...{ ...desk, dir, id, put, flag, upgrades, operations, ended },
		root: path.join(desk.serverDir, `${PREFIX}${id}`),
		runs: () => existsSync(flag),
		tree: () => treeOf(desk.serverDir),
		goBack: async (backupFirst = false) => ended(await upgrades.goBack(id, { backupFirst }, ANN))
	};
}

/** Who was made operator meanwhile stays so, and nobody knows whose the other file is. */
const STAYS = { 'ops.json': '["made meanwhile"]', 'new.yml': 'of the new one' };
const PLAYED = { ...after(GOOD), 'my-world/region/r.0.0.mca': 'played on' };
const stepsOf = ({ steps }: { steps: { id: string; status: string }[] }) =>
	steps.map(({ id, status }) => `${id} ${status}`);

test('game, mods, their configuration, settings and world come back, and what they replace can come back in turn', async () => {
	const at = await setup();
	expect(await at.upgrades.kept()).toMatchObject([
		{ operationId: at.id, title: 'Minecraft 1.0', instead: 'Minecraft 2.0', refusal: null }
	]);
	const ended = await at.goBack();
	expect(ended).toMatchObject({ kind: 'go-back', state: 'succeeded', subject: 'Minecraft 1.0' });
	expect(stepsOf(ended)).toEqual([
		...['lookup done', 'snapshot done', 'swap done', 'restart done', 'verify done', 'modpack done']
	]);
	expect([at.runs(), await at.tree()]).toEqual([true, { ...BEFORE, ...STAYS }]);
	const aside = await treeOf(path.join(at.root, 'new'));
	expect(aside).toMatchObject({
		'my-world/region/r.0.0.mca': 'played on',
		'my-world_nether/level.dat': 'saved by the new one'
	});
	expect((await readdir(at.root)).sort()).toEqual(['kept.json', 'new']);

	expect(await at.upgrades.kept()).toMatchObject([
		{ title: 'Minecraft 2.0', instead: 'Minecraft 1.0', refusal: null }
	]);
	await at.put('my-world/playerdata/ben.dat', 'came later');
	expect(await at.goBack()).toMatchObject({ state: 'succeeded' });
	expect(await at.tree()).toEqual(PLAYED);
	expect(await at.goBack()).toMatchObject({ state: 'succeeded' });
	expect(await at.tree()).toEqual({
		...{ ...BEFORE, ...STAYS },
		'my-world/playerdata/ben.dat': 'came later'
	});
});

test('one that does not come up gives the newer one back, byte for byte, and stays kept', async () => {
	const at = await setup({
		launched(game) {
			if (game !== OLD || !existsSync(refusedIn(at.dir))) return;
			// The game of before makes what the newer one has put aside.
			mkdirSync(path.join(at.serverDir, 'my-world_nether'));
			writeFileSync(path.join(at.serverDir, 'my-world_nether/level.dat'), 'of the old one');
			writeFileSync(path.join(at.serverDir, 'made.txt'), 'of the old one');
		}
	});
	await writeFile(refusedIn(at.dir), OLD);
	const kept = await at.upgrades.kept();
	const ended = await at.goBack();
	expect(ended).toMatchObject({ state: 'rolled-back', cause: { message: 'It does not start.' } });
	expect(ended.steps.at(-1)?.detail).toBe(
		'Rolled back: game, mods, settings and world are as they were before. The server runs as before.'
	);
	expect([at.runs(), await at.tree()]).toEqual([true, PLAYED]);
	expect(await at.upgrades.kept()).toEqual(kept);
	await rm(refusedIn(at.dir));
	expect(await at.goBack()).toMatchObject({ state: 'succeeded' });
	expect(await at.tree()).toEqual({ ...BEFORE, ...STAYS });
});

test('players are told before, and that it is called off when it cannot be done any more', async () => {
	const trouble: DeskTrouble = {};
	const at = await setup(trouble);
	const countdown = { delaySeconds: 60, message: '' };
	const back = async (backupFirst: boolean) =>
		at.ended(await at.upgrades.goBack(at.id, { backupFirst, ...countdown }, ANN));
	const calledOff = () => existsSync(`${at.flag}-called-off`);
	const jar = (version: string) => path.join(at.serverDir, `fabric-${version}.jar`);
	trouble.backup = async () => rename(jar('2.0'), jar('3.0'));
	expect(await back(true)).toMatchObject({ state: 'failed' });
	await rename(jar('3.0'), jar('2.0'));
	expect([calledOff(), at.runs(), await at.tree()]).toEqual([true, true, PLAYED]);

	const good = await setup();
	const ended = await good.ended(
		await good.upgrades.goBack(good.id, { backupFirst: true, ...countdown }, ANN)
	);
	expect(ended).toMatchObject({ state: 'succeeded' });
	expect(stepsOf(ended).slice(2, 5)).toEqual(['backup done', 'countdown done', 'swap done']);
	expect(existsSync(`${good.flag}-called-off`)).toBe(false);
});

test('a server that is off stays off', async () => {
	const at = await setup();
	await rm(at.flag);
	const settle = vi.spyOn(at.deps.server, 'settle');
	const ended = await at.goBack();
	expect(ended).toMatchObject({ state: 'succeeded' });
	expect(stepsOf(ended)).toContain('restart skipped');
	expect(ended.steps.find(({ id }) => id === 'swap')?.label).toBe(
		'Exchange game, mods and world; the server was off'
	);
	// Why the game of before does not run is no reason of this one.
	expect(settle.mock.calls).toEqual([
		[{ reason: 'It was off when it went back to Minecraft 1.0.', own: true }]
	]);
	expect([at.runs(), await at.tree()]).toEqual([false, { ...BEFORE, ...STAYS }]);
});

test('mods that were changed since the upgrade go with it, and come back with it', async () => {
	const at = await setup();
	const mods = (name: string) => path.join(at.serverDir, 'mods', name);
	await rename(mods('late.jar.disabled'), mods('late.jar'));
	await rm(mods('a-2.jar'));
	await at.put('mods/a-3.jar', 'a 3');
	await at.put('mods/other.jar', 'other');
	await at.put('config/a.toml', 'version = 3');
	const since = await at.tree();
	expect(await at.goBack()).toMatchObject({ state: 'succeeded' });
	expect(await at.tree()).toEqual({ ...BEFORE, ...STAYS });
	expect(await at.goBack()).toMatchObject({ state: 'succeeded' });
	expect(await at.tree()).toEqual(since);
});

test('the plan says what comes back and what is lost, and who has played since', async () => {
	const player = (name: string, lastSeenAt: string, online = false) => ({
		...{ uuid: name, name, lastSeenAt, online }
	});
	const later = new Date(Date.now() + 60_000).toISOString();
	const at = await setup(
		{},
		{
			players: async () => [
				...[player('before', '2026-01-02T03:04:05.000Z'), player('after', later)],
				player('here', '2026-01-02T03:04:05.000Z', true)
			]
		}
	);
	const plan = await at.upgrades.planGoBack(at.id);
	expect(plan.players.map(({ name }) => name)).toEqual(['here', 'after']);
	expect(plan.parts.flatMap(({ files }) => files)).toEqual([
		...['my-world', 'mods', 'server.properties', 'eula.txt']
	]);
	expect(plan.server.bytes).toBeGreaterThan(0);
	expect(plan.steps[1]).toMatch(/^Stop the server/);
	await expect(at.upgrades.planGoBack('20260102T030405678Z-0000')).rejects.toMatchObject({
		kind: 'not-found'
	});
});

test('the backup comes before anything is touched; without it nothing is', async () => {
	let backups = 0;
	const at = await setup({
		async backup() {
			if (++backups > 1) throw new AppError('conflict', 'There is no room.');
		}
	});
	const ended = await at.goBack(true);
	expect(ended).toMatchObject({ state: 'failed', cause: { message: 'There is no room.' } });
	expect([at.runs(), await at.tree()]).toEqual([true, PLAYED]);
	expect(await at.upgrades.kept()).toMatchObject([{ refusal: null }]);
});

test('what is needed for it is not deleted before its time, nor while an operation waits for it', async () => {
	let during: string[] = [];
	let look = async () => {};
	const clock = createManualClock();
	const log = { info: () => {} };
	const at = await setup({
		backup: () => look()
	});
	look = async () => {
		await tidyOriginals(at.serverDir, clock, log);
		during = await readdir(at.root);
	};
	await clock.advance(Date.now() - clock.now().getTime() + 8 * 24 * 3_600_000);
	expect(await keptSnapshots(at.serverDir)).toHaveLength(1);
	expect(await at.goBack(true)).toMatchObject({ state: 'succeeded' });
	expect(during).toEqual(['old']);
	expect(await at.tree()).toEqual({ ...BEFORE, ...STAYS });
});

test('it is refused once the software has changed, and when its snapshot is lost', async () => {
	const at = await setup();
	const [snapshot = ''] = await keptSnapshots(at.serverDir);
	await rename(
		path.join(at.serverDir, 'fabric-2.0.jar'),
		path.join(at.serverDir, 'fabric-3.0.jar')
	);
	expect((await at.upgrades.kept())[0]?.refusal).toBe(
		'Fabric 0.1 for Minecraft 2.0 took its place, and Fabric 0.1 for Minecraft 3.0 is installed now. Go back to the former first.'
	);
	await expect(at.goBack()).rejects.toMatchObject({ kind: 'conflict' });
	await rename(
		path.join(at.serverDir, 'fabric-3.0.jar'),
		path.join(at.serverDir, 'fabric-2.0.jar')
	);
	await at.snapshots.remove([snapshot]);
	await expect(at.goBack()).rejects.toMatchObject({
		kind: expect.stringMatching(/not-found|conflict/)
	});
	expect(await at.tree()).toEqual(PLAYED);
});

test('what is kept can be removed earlier, but not while an operation holds the server', async () => {
	let free = false;
	const lock = { tryAcquire: () => free, release: () => {} };
	const at = await setup({}, { lock });
	await expect(at.upgrades.removeKept(at.id, ANN)).rejects.toMatchObject({ kind: 'conflict' });
	expect(existsSync(at.root)).toBe(true);
	free = true;
	await at.upgrades.removeKept(at.id, ANN);
	expect([existsSync(at.root), await at.upgrades.kept()]).toEqual([false, []]);
	expect(await at.tree()).toEqual(PLAYED);
	await expect(at.upgrades.removeKept(at.id, ANN)).rejects.toMatchObject({ kind: 'not-found' });
});
