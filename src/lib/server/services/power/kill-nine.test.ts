import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	ADA,
	createWorld,
	NOW,
	openSetup,
	type Setup,
	type World
} from '../../../../../tests/fakes/power-setup.ts';
import { soon } from '../../../../../tests/soon.ts';
import { processesIn, folderId } from '../../runtime/process/proc.ts';

let world: World;
let setup: Setup | null;
beforeEach(async () => {
	world = await createWorld();
	setup = null;
});
afterEach(async () => {
	await setup?.close();
	await world.dispose();
});

/** Another process runs the action and is killed this many milliseconds after it was accepted. */
async function killedDuring(action: 'start' | 'stop' | 'restart', afterMs: number) {
	const fakes = path.resolve('tests/fakes/power-setup.ts');
	const script = `
		const { ADA, NOW, openSetup, worldAt } = await import(${JSON.stringify(fakes)});
		const setup = openSetup(worldAt(${JSON.stringify(world.game.dir)}, ${JSON.stringify(world.dataDir)}));
		await setup.power.${action}(NOW, ADA);
		process.stdout.write('accepted');
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${afterMs});
	`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
		stdio: ['ignore', 'pipe', 'inherit']
	});
	const ended = once(child, 'exit');
	await once(child.stdout, 'data');
	expect(await ended).toEqual([null, 'SIGKILL']);
}

const games = () => processesIn(folderId(world.game.dir)!).length;

async function recovered() {
	setup = openSetup(world);
	const { operations } = setup;
	await operations.recover();
	await soon(() => expect(operations.running()).toBeNull());
	const [operation] = await operations.list(1);
	return { operation, state: await setup.state() };
}

/** Milliseconds; booting and stopping take 20 each, starting Node some 60. */
const MOMENTS =
	process.env['FAULTS'] === 'all'
		? [0, 5, 10, 15, 20, 30, 40, 60, 80, 100, 130, 160, 200, 250, 300, 400]
		: [0, 25, 120];

describe('kill -9 of the dashboard', () => {
	test.each(MOMENTS)('%i ms into a start: it continues, and one game runs', async (afterMs) => {
		await killedDuring('start', afterMs);
		expect(await recovered()).toMatchObject({
			operation: { state: 'succeeded' },
			state: 'running'
		});
		expect(games()).toBe(1);
		expect(world.game.starts()).toBe(1);
	});

	test.each(MOMENTS)('%i ms into a stop: it continues, and none runs', async (afterMs) => {
		await running();
		await killedDuring('stop', afterMs);
		expect(await recovered()).toMatchObject({
			operation: { state: 'succeeded' },
			state: 'stopped'
		});
		expect(games()).toBe(0);
		expect(world.game.starts()).toBe(1);
	});

	test.each(MOMENTS)(
		'%i ms into a restart: it continues, and one new game runs',
		async (afterMs) => {
			const before = await running();
			await killedDuring('restart', afterMs);
			expect(await recovered()).toMatchObject({
				operation: { state: 'succeeded' },
				state: 'running'
			});
			expect(games()).toBe(1);
			expect(world.game.starts()).toBe(2);
			expect((await setup!.power.observe()).run?.pid).not.toBe(before);
		}
	);
});

async function running() {
	const first = openSetup(world);
	await first.finished(await first.power.start(NOW, ADA));
	const { run } = await first.power.observe();
	await first.close();
	return run?.pid;
}
