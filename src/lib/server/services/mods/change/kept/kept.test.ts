import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	modSet,
	openMods,
	sha512,
	updateOf,
	type Trouble
} from '../../../../../../../tests/fakes/mods/change-setup.ts';
import {
	ADA,
	createWorld,
	NOW,
	openSetup,
	type Setup,
	type World
} from '../../../../../../../tests/fakes/power-setup.ts';
import type { Operation } from '#schemas/operation';
import { folderId, processesIn } from '../../../../runtime/process/proc.ts';
import type { ModChange } from '../index.ts';

let world: World;
let setup: Setup;
let trouble: Trouble;
let mods: string;
let desk: ReturnType<typeof openMods>;

const FILES = ['a.jar', 'b.jar', 'c.jar'];
beforeEach(async () => {
	world = await createWorld();
	mods = path.join(world.game.dir, 'mods');
	await mkdir(mods);
	for (const name of FILES) await writeFile(path.join(mods, name), name);
	trouble = {};
	setup = openSetup(world);
	const { operations, power } = setup;
	const { dataDir } = world;
	desk = openMods({ operations, server: power.serverControl, modsDir: mods, dataDir, trouble });
});
afterEach(async () => {
	await setup.close();
	expect(world.errors).toEqual([]);
	await world.dispose();
});

const names = async () => Object.keys(await modSet(mods));
const run = async (change: ModChange) => setup.finished(await desk.changes.run(change, ADA));
const start = async () => setup.finished(await setup.power.start(NOW, ADA));
const games = () => processesIn(folderId(world.game.dir)!).length;
const refuses = (...log: string[]) => world.game.script({ bootMs: null, exit: { code: 1, log } });
const LAUNCHER = 'Error: Unable to access jarfile fabric-server.jar';

const old = (name: string) => ({
	...{
		fileName: name,
		sha512: sha512(name),
		title: name.replace('.jar', ''),
		side: 'both' as const
	},
	ids: [`mod-${name[0]}`]
});
const removal = async (name: string, facts: Partial<ModChange> = {}) =>
	updateOf(
		mods,
		{ from: { fileName: name, title: '' }, to: { fileName: name, title: '', content: '' } },
		{ kind: 'remove', titles: [name.replace('.jar', '')], put: [], take: [old(name)], ...facts }
	);
const update = async () =>
	updateOf(mods, {
		from: { fileName: 'a.jar', title: 'A 1' },
		to: { fileName: 'a-2.jar', title: 'A 2', content: 'a 2' }
	});
const steps = ({ steps }: Operation) => steps.map(({ id, status }) => `${id} ${status}`).slice(-4);

/** It stays, and nothing anywhere says that it was to blame. */
function isKept(operation: Operation, words: RegExp) {
	expect(operation).toMatchObject({ state: 'failed', kept: expect.any(String) });
	expect(operation.cause?.message).toMatch(words);
	expect(operation.cause?.message).not.toMatch(/last change|[Rr]olled back/);
	expect(operation.cause?.message.startsWith(operation.kept!.slice(0, -1))).toBe(true);
	expect(steps(operation)).toEqual(['swap done', 'restart done', 'verify failed', 'modpack done']);
	expect(desk.failed).toEqual([]);
}

describe('a server that does not start for another reason', () => {
	beforeEach(async () => {
		await refuses(LAUNCHER);
		expect(await start()).toMatchObject({ state: 'failed' });
	});

	test('two mods can be taken out one after the other, and the pack for players follows', async () => {
		isKept(
			await run(await removal('a.jar')),
			/^Removed a\. The server still does not start, for the same reason as before: The server ended/
		);
		expect(await names()).toEqual(['b.jar', 'c.jar']);
		expect(await setup.state()).toBe('crashed');
		isKept(await run(await removal('b.jar')), /^Removed b\. The server still does not start/);
		expect(await names()).toEqual(['c.jar']);
		expect(desk.packs).toEqual(['built', 'built']);
		expect(await desk.snapshots.count()).toBe(2);
		expect(desk.audit.map(({ result }) => result)).toEqual(['done', 'done']);
		expect(games()).toBe(0);
	});

	test('an update that changes nothing about it stays as well', async () => {
		isKept(await run(await update()), /^Updated A 2\. .* for the same reason as before: /);
		expect(await names()).toEqual(['a-2.jar', 'b.jar', 'c.jar']);
	});

	test('a snapshot can be put back all the same', async () => {
		await run(await removal('a.jar'));
		const back = await setup.finished(await desk.changes.restore('20260102T030405Z-0001', '', ADA));
		expect(back).toMatchObject({ state: 'failed' });
		expect(back.cause?.message).toMatch(/^The snapshot was restored\. The server still does not/);
		expect(await names()).toEqual(FILES);
	});

	test('an update with which it fails in a new way is taken back, and what is known stays known', async () => {
		trouble.take = () => refuses('NullPointerException: new');
		trouble.putBack = () => refuses(LAUNCHER);
		expect(await run(await update())).toMatchObject({ state: 'rolled-back' });
		expect(await names()).toEqual(FILES);
		expect(desk.failed).toHaveLength(1);
		expect(await setup.state()).toBe('crashed');
		desk.failed.splice(0);
		delete trouble.take;
		isKept(await run(await removal('a.jar')), /same reason as before/);
	});

	test('a removal that the new failure names is taken back', async () => {
		trouble.take = () => refuses("[main/ERROR]: Mod 'B' (mod-b) needs 'mod-a', which is missing");
		expect(await run(await removal('a.jar'))).toMatchObject({ state: 'rolled-back' });
		expect(await names()).toEqual(FILES);
	});

	test('a removal stays when it then hangs, which is left to go on', async () => {
		world.verifyTimeoutMs = 1500;
		await setup.close();
		setup = openSetup(world);
		const { operations, power } = setup;
		desk = openMods({
			...{ operations, server: power.serverControl, modsDir: mods, trouble },
			dataDir: world.dataDir
		});
		trouble.take = () => world.game.script({ bootMs: null });
		isKept(
			await run(await removal('a.jar')),
			/still does not start, for a different reason than before: The server was not ready within .* not stopped/
		);
		expect(games()).toBe(1);
		expect(await setup.state()).toBe('starting');
		delete trouble.take;
		isKept(await run(await removal('b.jar')), /for the same reason as before: The server was not/);
		await setup.power.kill(ADA);
	});

	test('a removal after which it comes up is a success like any other', async () => {
		trouble.take = () => world.game.script({});
		const operation = await run(await removal('a.jar'));
		expect(operation).toMatchObject({ state: 'succeeded', cause: null });
		expect(operation.kept).toBeUndefined();
		expect(await setup.state()).toBe('running');
	});

	test('one that somebody kills meanwhile is taken back', async () => {
		trouble.take = () => world.game.script({ bootMs: null });
		const { id } = await desk.changes.run(await removal('a.jar'), ADA);
		await expect.poll(() => games(), { timeout: 10_000 }).toBe(1);
		await setup.power.kill(ADA);
		expect(await setup.finished(await setup.operations.get(id))).toMatchObject({
			state: 'rolled-back'
		});
		expect(await names()).toEqual(FILES);
	});
});

describe('a server that is not known to fail', () => {
	test('gets a mod back without which it does not start', async () => {
		trouble.take = () => refuses(LAUNCHER);
		trouble.putBack = () => world.game.script({});
		expect(await run(await removal('a.jar'))).toMatchObject({ state: 'rolled-back' });
		expect(await names()).toEqual(FILES);
		expect(await start()).toMatchObject({ state: 'succeeded' });
		expect(await run(await removal('a.jar'))).toMatchObject({ state: 'rolled-back' });
		expect(await setup.state()).toBe('running');
	});

	test('does not get back a file that the game could not load', async () => {
		await refuses(LAUNCHER);
		const damaged = await removal('a.jar', { take: [{ ...old('a.jar'), damaged: true }] });
		isKept(await run(damaged), /^Removed a\. The server does not start: The server ended/);
		expect(await names()).toEqual(['b.jar', 'c.jar']);
	});
});

describe('only the files', () => {
	test.each(['stopped', 'crashed'])('are changed while the server is %s', async (state) => {
		if (state === 'crashed') {
			await refuses(LAUNCHER);
			await start();
		}
		const starts = world.game.starts();
		// It could not even be started.
		world.command = null;
		const operation = await run({ ...(await update()), filesOnly: true });
		expect(operation).toMatchObject({ state: 'succeeded', cause: null });
		expect(operation.steps.map(({ id, status, detail }) => [id, status, detail])).toEqual([
			['lookup', 'done', expect.any(String)],
			['snapshot', 'done', null],
			['download', 'done', expect.anything()],
			['trial', 'skipped', 'Only the files are changed, as requested: nothing is started.'],
			['swap', 'done', expect.any(String)],
			['restart', 'skipped', 'Only the files were changed, as requested.'],
			['verify', 'skipped', expect.stringMatching(/not been tried.*next start will show/)],
			['modpack', 'done', null]
		]);
		expect(await names()).toEqual(['a-2.jar', 'b.jar', 'c.jar']);
		expect([world.game.starts(), await setup.state()]).toEqual([starts, state]);
		expect(await desk.snapshots.count()).toBe(1);
	});

	test('are not changed under a server that runs, nor under one that was started meanwhile', async () => {
		const change = { ...(await update()), filesOnly: true as const };
		await start();
		await expect(desk.changes.run(change, ADA)).rejects.toMatchObject({
			kind: 'conflict',
			message: expect.stringMatching(/^The server runs/)
		});
		await setup.finished(await setup.power.stop(NOW, ADA));
		const { serverControl } = setup.power;
		const nothing = { detail: () => {}, progress: () => {}, remember: async () => {} };
		trouble.take = () => serverControl.launch({ ...nothing, checkpoint: {} } as never);
		const operation = await run(change);
		expect(operation).toMatchObject({ state: 'failed' });
		expect(operation.cause?.message).toMatch(/^The server runs/);
		expect(await names()).toEqual(FILES);
		expect(games()).toBe(1);
	});

	test('still have to fit', async () => {
		trouble.preflight = async () => ['A 2 needs B 2.'];
		const operation = await run({ ...(await update()), filesOnly: true });
		expect(operation).toMatchObject({ state: 'failed' });
		expect(await names()).toEqual(FILES);
	});
});
