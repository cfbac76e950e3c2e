import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDemoFolder } from '../../scripts/demo-server/testing/spawn-demo.ts';
import type { ModFault } from '../../scripts/demo-server/seed/seed-mods.ts';
import type { Operation } from '#schemas/operation';
import {
	DEMO_NEW,
	DEMO_OLD,
	demoUpdate,
	openDemoDesk,
	type DemoDesk,
	type DemoPlaces
} from '../fakes/mods/change-demo.ts';
import { modSet, updateOf } from '../fakes/mods/change-setup.ts';
import { ADA, NOW } from '../fakes/power-setup.ts';
import { processesIn } from '../harness.ts';

const LIMIT_MS = 60_000;
const soon = <T>(check: () => T | Promise<T>) =>
	vi.waitFor(check, { timeout: 30_000, interval: 10 });

let places: DemoPlaces;
let desk: DemoDesk;
let old: Record<string, string>;
beforeEach(async () => {
	const { dir } = await makeDemoFolder();
	places = { serverDir: dir, dataDir: await mkdtemp(path.join(tmpdir(), 'craftwarden-mods-')) };
	desk = openDemoDesk(places);
	old = await modSet(desk.modsDir);
});
afterEach(async () => {
	await desk.close();
	for (const pid of await processesIn(places.serverDir)) process.kill(pid, 'SIGKILL');
	const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 };
	for (const dir of Object.values(places)) await rm(dir, options);
});

const update = (fault?: ModFault) =>
	updateOf(desk.modsDir, {
		from: { fileName: DEMO_OLD, title: 'Lithium 0.13.0' },
		to: { fileName: DEMO_NEW, title: 'Lithium 0.13.1', content: demoUpdate(fault) }
	});
const ended = async ({ id }: Operation) => {
	const { promise, resolve } = Promise.withResolvers<Operation>();
	desk.operations.watch(id, (event) => event.type === 'end' && resolve(event.operation));
	return promise;
};
const started = async () =>
	expect(await ended(await desk.power.start(NOW, ADA))).toMatchObject({ state: 'succeeded' });
const games = async () => (await processesIn(places.serverDir)).length;
const state = async () => (await desk.power.observe()).state;

describe('the demo server', { timeout: LIMIT_MS }, () => {
	test('runs on the new version after an update that is good', async () => {
		await started();
		expect(await ended(await desk.changes.run(await update(), ADA))).toMatchObject({
			state: 'succeeded'
		});
		expect(Object.keys(await modSet(desk.modsDir))).toContain(DEMO_NEW);
		expect([await state(), await games()]).toEqual(['running', 1]);
	});

	test.each<[ModFault, RegExp, RegExp]>([
		['refuse', /lithium/i, /Lithium 0\.13\.1 did not start.*never opened/],
		['die', /did not stay up/, /Lithium 0\.13\.1 did not stay up.*had opened/],
		['hang', /ready/, /Lithium 0\.13\.1 did not start.*had opened/]
	])('runs on the old version again after an update that will %s', async (fault, why, words) => {
		if (fault === 'hang') {
			await desk.close();
			desk = openDemoDesk(places, undefined, 4000);
		}
		await started();
		const operation = await ended(await desk.changes.run(await update(fault), ADA));
		expect(operation).toMatchObject({ state: 'rolled-back' });
		expect(operation.cause?.message).toMatch(why);
		if (fault !== 'hang') expect(operation.cause?.mods.join()).toMatch(/lithium/i);
		expect(operation.steps.at(-1)?.detail).toMatch(words);
		expect(operation.steps.at(-1)?.detail).toContain('The server runs on 0.13.0 again.');
		expect(await modSet(desk.modsDir)).toEqual(old);
		expect([await state(), await games()]).toEqual(['running', 1]);
	});
});

const ALL = process.env['FAULTS'] === 'all';
const MOMENTS = ALL
	? [0, 30, 60, 100, 150, 200, 300, 400, 500, 700, 900, 1200, 1600, 2000, 2500, 3000, 3600, 4400]
	: [150, 1200];

describe('kill -9 of the dashboard while it changes mods', { timeout: LIMIT_MS }, () => {
	/** Another process does it and is killed so many milliseconds after it began. */
	async function killedDuring(fault: ModFault | undefined, afterMs: number) {
		const change = await update(fault);
		const script = `
			const { openDemoDesk } = await import(${JSON.stringify(path.resolve('tests/fakes/mods/change-demo.ts'))});
			const desk = openDemoDesk(${JSON.stringify(places)});
			await desk.changes.run(${JSON.stringify(change)}, ${JSON.stringify(ADA)});
			process.stdout.write('begun');
			setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${afterMs});
		`;
		const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
			stdio: ['ignore', 'pipe', 'inherit']
		});
		const gone = once(child, 'exit');
		await once(child.stdout, 'data');
		expect(await gone).toEqual([null, 'SIGKILL']);
	}

	describe.each<[string, ModFault | undefined]>([
		['that is good', undefined],
		['that dies when it is ready', 'die']
	])('to a version %s', (_, fault) => {
		test.each(MOMENTS)(
			'%i ms in: exactly the old or the new set, and it says which',
			async (afterMs) => {
				await started();
				await desk.close();
				await killedDuring(fault, afterMs);
				desk = openDemoDesk(places);
				await desk.operations.recover();
				await soon(() => expect(desk.operations.running()).toBeNull());
				const [operation] = await desk.operations.list(1);
				const set = await modSet(desk.modsDir);
				expect(operation).toMatchObject({ kind: 'update' });
				if (fault) {
					expect(operation).toMatchObject({ state: 'rolled-back' });
					expect(set).toEqual(old);
				} else {
					expect(operation).toMatchObject({ state: 'succeeded' });
					expect(Object.keys(set)).toContain(DEMO_NEW);
					expect(Object.keys(set)).not.toContain(DEMO_OLD);
				}
				expect([await state(), await games()]).toEqual(['running', 1]);
			}
		);
	});
});
