import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADA, NOW, type Setup } from '../../../../../tests/fakes/power-setup.ts';
import {
	world,
	setups,
	open,
	started,
	byHand,
	reaches,
	worldForEach
} from '../../../../../tests/fakes/power-kit.ts';
import { soon } from '../../../../../tests/soon.ts';

worldForEach();

describe('the end of a process', () => {
	const end = async (setup: Setup) => {
		await setup.power.observe();
		await soon(async () => expect(await setup.run()).toBeNull());
		return setup.power.observe();
	};

	test('/stop typed in the game is not a crash', async () => {
		const setup = await started();
		await world.game.command('stop');
		expect(await end(setup)).toMatchObject({
			state: 'stopped',
			reason: 'Stopped from inside the game.'
		});
	});

	test('stop sent in the console is theirs, who sent it', async () => {
		const setup = await started();
		await setup.power.stoppedBy(ADA, () => world.game.command('stop'));
		expect(await end(setup)).toMatchObject({ state: 'stopped', reason: 'Stopped by ada.' });
	});

	test('a stop that could not be sent leaves it running, and a later end is not theirs', async () => {
		const setup = await started();
		const sent = setup.power.stoppedBy(ADA, () => Promise.reject(new Error('refused')));
		await expect(sent).rejects.toThrow('refused');
		expect(await setup.power.observe()).toMatchObject({ state: 'running' });
		await world.game.command('stop');
		expect(await end(setup)).toMatchObject({ reason: 'Stopped from inside the game.' });
	});

	test('players cannot make an orderly end look like a crash', async () => {
		const setup = await started();
		await world.game.command('log <Bob> Encountered an unexpected exception');
		await soon(() => expect(world.game.log()).toContain('<Bob>'));
		await world.game.command('stop');
		expect(await end(setup)).toMatchObject({ state: 'stopped' });
	});

	test('an orderly end by a signal from outside is not a crash', async () => {
		const setup = await started();
		process.kill((await setup.run())!.pid!, 'SIGTERM');
		expect(await end(setup)).toMatchObject({
			state: 'stopped',
			reason: expect.stringContaining('signal')
		});
	});

	test.each([
		['kill -9 from outside', (pid: number) => void process.kill(pid, 'SIGKILL')],
		['an exit without a word', () => world.game.command('exit 0')],
		['an exit with a code', () => world.game.command('exit 1')],
		[
			'a player who only says that it stops',
			async () => {
				await world.game.command('log <Bob> Stopping server');
				await soon(() => expect(world.game.log()).toContain('<Bob>'));
				await world.game.command('exit 0');
			}
		],
		[
			'a crash after which the game still stops in order',
			async () => {
				await world.game.command('log Encountered an unexpected exception');
				await soon(() => expect(world.game.log()).toContain('unexpected'));
				await world.game.command('stop');
			}
		]
	])('%s is a crash', async (_, action) => {
		const setup = await started();
		await action((await setup.run())!.pid!);
		const seen = await end(setup);
		expect(seen).toMatchObject({
			state: 'crashed',
			diagnosis: expect.anything(),
			endedAt: expect.any(String),
			lastRun: { startedAt: expect.any(String), endedAt: expect.any(String) }
		});
		expect(await setup.power.observe()).toEqual(seen);
	});

	test('a crash report of this run is evidence, one of an earlier run is not', async () => {
		await world.game.script({
			exit: { code: 0, log: ['Stopping server'], crashReport: '---- Report ----' }
		});
		const setup = open();
		const first = await setup.finished(await setup.power.start(NOW, ADA));
		void first;
		await reaches(setup, 'crashed');
		await world.game.script({});
		await started(setup);
		await world.game.command('stop');
		expect(await end(setup)).toMatchObject({ state: 'stopped' });
	});

	test('a crash while no dashboard was running is noticed by the next one', async () => {
		const first = await started();
		const { pid } = (await first.run())!;
		await first.close();
		setups.splice(0);
		process.kill(pid!, 'SIGKILL');
		await reaches(open(), 'crashed');
	});
});

describe('watching', () => {
	test('a crash is reported without anybody asking, and restarted when the settings say so', async () => {
		world.settings.autoRestart = true;
		const setup = await started();
		setup.power.startWatching();
		const before = setup.changes();
		process.kill((await setup.run())!.pid!, 'SIGKILL');
		await soon(() => expect(setup.changes()).toBeGreaterThan(before));
		await soon(async () =>
			expect(await setup.power.observe()).toMatchObject({
				state: 'crashed',
				reason: expect.stringContaining('It is started again after 10 s.')
			})
		);
	});

	test('a server that would fail in the same way again is left alone', async () => {
		let decisions = 0;
		Object.defineProperty(world.settings, 'autoRestart', { get: () => ++decisions > 0 });
		await world.game.script({ exit: { code: 0, log: ['You need to agree to the EULA'] } });
		const setup = open();
		setup.power.startWatching();
		await setup.finished(await setup.power.start(NOW, ADA));
		await soon(() => expect(decisions).toBe(1));
		expect(await setup.power.observe()).toMatchObject({
			state: 'crashed',
			reason: 'The EULA is not accepted.'
		});
		expect(world.game.starts()).toBe(1);
	});

	test('a server that somebody starts by hand becomes running without anybody asking', async () => {
		const setup = open();
		await setup.power.observe();
		const before = setup.changes();
		const child = await byHand();
		setup.power.startWatching();
		await soon(() => expect(setup.changes()).toBeGreaterThan(before));
		expect((await setup.power.observe()).run?.pid).toBe(child.pid);
	});
});

test('the facts on disk are private', async () => {
	await started();
	const { stat } = await import('node:fs/promises');
	for (const name of ['server-state.json', 'process.json'])
		expect((await stat(path.join(world.dataDir, name))).mode & 0o777).toBe(0o600);
	expect(
		JSON.parse(await readFile(path.join(world.dataDir, 'server-state.json'), 'utf8'))
	).toMatchObject({
		stop: null,
		end: null
	});
});
