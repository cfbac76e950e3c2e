import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ADA, NOW } from '../../../../../tests/fakes/power-setup.ts';
import {
	world,
	open,
	started,
	byHand,
	steps,
	reaches,
	worldForEach
} from '../../../../../tests/fakes/power-kit.ts';
import { AppError, type Code } from '#core/errors';
import { systemClock, type Clock } from '#core/clock';
import type { Run } from '#runtime';
import { tellToStop } from './steps.ts';
import { soon } from '../../../../../tests/soon.ts';

worldForEach();

/** A server that answers nothing any more, as it has not for so long, and that no request ends. */
async function hanging(silentMs = 5000) {
	let skewMs = 0;
	const clock: Clock = {
		...systemClock,
		now: () => new Date(Date.now() + skewMs),
		monotonicMs: () => systemClock.monotonicMs() + skewMs
	};
	await world.game.script({ stopMs: null });
	const setup = await started(open({ clock }));
	setup.power.probed(true);
	for (; skewMs < silentMs; skewMs += 5000) setup.power.probed(false);
	setup.power.probed(false);
	return setup;
}
const KILL = { ...NOW, kill: true };

describe('a restart that may kill', () => {
	test('ends what hung and does not end, says so, and starts it again', async () => {
		const setup = await hanging();
		expect((await setup.power.observe()).silentSince).toBeDefined();
		const ended = await setup.finished(await setup.power.restart(KILL, ADA));
		expect(ended).toMatchObject({ state: 'succeeded', killedBy: 'ada' });
		expect(world.game.starts()).toBe(2);
		expect(await setup.state()).toBe('running');
		expect(world.audit).toMatchObject([
			{ action: 'server.start' },
			{ action: 'server.restart', detail: 'Killed if it hung and does not end.' },
			{
				action: 'server.kill',
				by: 'ada',
				detail: expect.stringMatching(/^Process \d+, as requested/)
			}
		]);
	});

	test('kills nothing that ends by itself, and nothing that answered until it was told', async () => {
		const setup = await started();
		await world.game.script({ stopMs: 20 });
		const first = await setup.finished(await setup.power.restart(KILL, ADA));
		expect(first.killedBy).toBeUndefined();

		await world.game.script({ stopMs: null });
		await setup.finished(await setup.power.restart(NOW, ADA));
		const { run } = await setup.power.observe();
		const second = await setup.power.restart(KILL, ADA);
		await delay(2 * world.patience.killAfterMs);
		expect(await setup.runtime.alive(run!)).toBe(true);
		expect(setup.operations.running()?.id).toBe(second.id);
		await setup.power.kill(ADA);
		await setup.finished(second);
		expect(world.audit.filter(({ action }) => action === 'server.kill')).toHaveLength(1);
	});

	test('is refused before anything is told, where the server cannot be killed from here', async () => {
		world.engine.can = { ...(await started()).runtime.can, kill: false };
		const setup = open();
		await expect(setup.power.restart(KILL, ADA)).rejects.toMatchObject({ kind: 'conflict' });
		expect(world.sent).toEqual([]);
		expect(await setup.state()).toBe('running');
	});
});

describe('stop', () => {
	test('over RCON: waits for the process, and is stopped, not crashed', async () => {
		await world.game.script({ stopMs: 300 });
		const setup = await started();
		const { run } = await setup.power.observe();
		const operation = await setup.power.stop(NOW, ADA);
		await reaches(setup, 'stopping');
		expect(await setup.power.observe()).toMatchObject({ reason: expect.stringContaining('ada') });
		const ended = await setup.finished(operation);
		expect(steps(ended)).toEqual([
			['stop', 'done'],
			['exit', 'done']
		]);
		expect(await setup.runtime.alive(run!)).toBe(false);
		expect(await setup.power.observe()).toMatchObject({
			state: 'stopped',
			reason: 'Stopped by ada.',
			run: null
		});
		expect(world.sent).toEqual(['stop']);
		expect(world.game.log()).toContain('All dimensions are saved');
	});

	test.each([
		['off in server.properties', { rconEnabled: false }, 'The console (RCON) is off'],
		['not reachable', { rcon: 'off' as const }, 'RCON cannot be reached']
	])('with RCON %s a signal is sent, and the step says so', async (_, how, why) => {
		Object.assign(world, how);
		const setup = await started();
		const ended = await setup.finished(await setup.power.stop(NOW, ADA));
		expect(ended.state).toBe('succeeded');
		expect(ended.steps[0]?.detail).toBe(
			`${why}, so the process was asked to stop (SIGTERM), which saves too.`
		);
		expect(world.game.log()).toContain('All dimensions are saved');
		expect(world.sent).toEqual([]);
	});

	test.each([
		['rcon-silent', 'The console does not answer'],
		['rcon-auth', 'The console refused the password'],
		['other', 'The server console is busy with other commands']
	] as const)(
		'of %s the step says in plain words that a signal was sent instead',
		async (code, why) => {
			const message = 'The server console is busy with other commands. Nothing was sent.';
			const rcon = {
				command: () => Promise.reject(new AppError('offline', message, { code: code as Code }))
			};
			const runtime = { state: async () => ({}), terminate: async () => {} };
			const installation = async () => ({ rcon: { enabled: true } });
			const deps = { rcon, runtime, installation } as unknown as Parameters<typeof tellToStop>[0];
			expect(await tellToStop(deps, {} as Run)).toBe(
				`${why}, so the process was asked to stop (SIGTERM), which saves too.`
			);
		}
	);

	test('a server that ignores it is waited for and never killed; only an explicit kill ends it', async () => {
		await world.game.script({ stopMs: null });
		const setup = await started();
		const { run } = await setup.power.observe();
		const operation = await setup.power.stop(NOW, ADA);
		await reaches(setup, 'stopping');
		await expect(setup.power.stop(NOW, ADA)).rejects.toMatchObject({
			kind: 'conflict',
			operation: operation.id
		});
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(await setup.runtime.alive(run!)).toBe(true);
		expect(setup.operations.running()?.id).toBe(operation.id);

		expect(await setup.power.kill(ADA)).toMatchObject({
			message: expect.stringContaining('was killed')
		});
		// It has ended, but not as it was asked to: its worlds were not saved.
		expect(await setup.finished(operation)).toMatchObject({
			state: 'failed',
			killedBy: 'ada',
			cause: {
				message:
					'It was killed by ada before it had ended by itself. What it had not saved is lost.'
			}
		});
		expect(await setup.power.observe()).toMatchObject({
			state: 'stopped',
			reason: 'Killed by ada.'
		});
		expect(world.audit.at(-1)).toMatchObject({ action: 'server.kill', result: 'done' });
	});

	test('a command whose outcome is unknown is not followed by a signal', async () => {
		await world.game.script({ stopMs: 20 });
		world.rcon = 'silent';
		const setup = await started();
		const operation = await setup.power.stop(NOW, ADA);
		await soon(() => expect(world.sent).toEqual(['stop']));
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(await setup.state()).toBe('stopping');
		expect(world.game.log()).not.toContain('Stopping server');
		await world.game.command('stop');
		expect(await setup.finished(operation)).toMatchObject({ state: 'succeeded' });
	});

	test('of a server that was started by hand works, and it is recognised as running', async () => {
		const setup = open();
		const child = await byHand();
		await reaches(setup, 'running');
		expect((await setup.power.observe()).run).toMatchObject({ pid: child.pid, ours: false });
		const ended = await setup.finished(await setup.power.stop(NOW, ADA));
		expect(ended.state).toBe('succeeded');
		expect(await setup.state()).toBe('stopped');
	});

	test('of a server that does not run is refused, naming the state', async () => {
		const setup = open();
		await expect(setup.power.stop(NOW, ADA)).rejects.toThrow('The server is stopped already.');
		await expect(setup.power.restart(NOW, ADA)).rejects.toThrow('The server is stopped already.');
		await started(setup);
		await setup.runtime.kill((await setup.run())!);
		await reaches(setup, 'crashed');
		await expect(setup.power.stop(NOW, ADA)).rejects.toThrow(/not running: it crashed/);
		await expect(setup.power.kill(ADA)).rejects.toMatchObject({ kind: 'conflict' });
		expect(world.audit.at(-1)).toMatchObject({ action: 'server.kill', result: 'refused' });
	});

	test.each([
		['at once', ''],
		['a moment later', 'sleep 1;']
	])('names something outside that starts it again %s', async (_, wait) => {
		const loop = path.join(world.game.dir, 'loop.sh');
		const { java } = world.game;
		await writeFile(loop, `while true; do ${java} -jar server.jar; ${wait} done`);
		const shell = spawn('sh', [loop], { cwd: world.game.dir, stdio: 'ignore' });
		try {
			const setup = open();
			await reaches(setup, 'running');
			const { state, cause } = await setup.finished(await setup.power.stop(NOW, ADA));
			if (state === 'succeeded' && wait) expect(await setup.state()).toBe('stopped');
			// The operation says so when it is seen in time; the state does, whenever it comes.
			await soon(async () => {
				await reaches(setup, 'running');
				const said = [cause?.message, (await setup.power.observe()).reason].join(' ');
				expect(said).toMatch(/something outside the dashboard started it again/i);
			});
		} finally {
			shell.kill('SIGKILL');
		}
	});
});

describe('restart', () => {
	test('stops and starts: another process, ready again', async () => {
		const setup = await started();
		const before = (await setup.power.observe()).run!;
		const ended = await setup.finished(await setup.power.restart(NOW, ADA));
		expect(steps(ended)).toEqual([
			['stop', 'done'],
			['exit', 'done'],
			['launch', 'done'],
			['ready', 'done']
		]);
		expect(ended.unclean).toBeUndefined();
		const after = await setup.power.observe();
		expect(after.state).toBe('running');
		expect(after.run?.pid).not.toBe(before.pid);
		expect(world.game.starts()).toBe(2);
	});

	test('does not begin when the server could not be started again', async () => {
		const setup = await started();
		world.command = null;
		await expect(setup.power.restart(NOW, ADA)).rejects.toThrow(
			'There is no server jar in the folder.'
		);
		expect(world.sent).toEqual([]);
		expect(await setup.state()).toBe('running');
	});

	test('is no plain success when something outside has killed it meanwhile', async () => {
		await world.game.script({ stopMs: null });
		const setup = await started();
		const { run } = await setup.power.observe();
		const operation = await setup.power.restart(NOW, ADA);
		await reaches(setup, 'stopping');
		process.kill(run!.pid!, 'SIGKILL');
		const ended = await setup.finished(operation);
		expect(ended).toMatchObject({
			state: 'succeeded',
			unclean: 'It was killed from outside while it was stopping. What it had not saved is lost.'
		});
		expect(ended.killedBy).toBeUndefined();
		expect(await setup.state()).toBe('running');
	});

	test('continues with the start after a kill while it waits for the end', async () => {
		await world.game.script({ stopMs: null });
		const setup = await started();
		const operation = await setup.power.restart(NOW, ADA);
		await reaches(setup, 'stopping');
		await setup.power.kill(ADA);
		const ended = await setup.finished(operation);
		expect(ended).toMatchObject({ state: 'succeeded', killedBy: 'ada' });
		// It did not do what it is called.
		expect(ended.steps.filter(({ killedBy }) => killedBy)).toMatchObject([
			{ id: 'exit', status: 'done', killedBy: 'ada' }
		]);
		expect(await setup.state()).toBe('running');
	});

	test('ends as failed after a kill while it loads', async () => {
		const setup = await started();
		await world.game.script({ bootMs: null });
		const operation = await setup.power.restart(NOW, ADA);
		await soon(async () => {
			expect(world.game.starts()).toBe(2);
			expect(await setup.power.observe()).toMatchObject({
				state: 'starting',
				run: { pid: expect.any(Number) }
			});
		});
		await setup.power.kill(ADA);
		expect(await setup.finished(operation)).toMatchObject({
			state: 'failed',
			cause: { message: 'The server ended before it was ready. Killed by ada.' }
		});
		expect(await setup.state()).toBe('stopped');
	});
});

describe('countdown', () => {
	test('is announced, can be cancelled, and then nothing has happened', async () => {
		const setup = await started();
		const operation = await setup.power.stop({ delaySeconds: 300, message: 'Back "soon" §c' }, ADA);
		expect(operation.steps.map(({ id }) => id)).toEqual(['countdown', 'stop', 'exit']);
		await soon(() => expect(world.sent).toHaveLength(1));
		expect(world.sent[0]).toBe(
			'tellraw @a {"text":"The server stops in 5 minutes. Back \\"soon\\" c","color":"yellow"}'
		);
		await setup.operations.cancel(operation.id, ADA);
		expect(await setup.finished(operation)).toMatchObject({ state: 'cancelled' });
		expect(world.sent[1]).toContain('The stop was called off.');
		expect(await setup.state()).toBe('running');
		expect(world.sent).not.toContain('stop');
		expect(world.announced).toEqual([
			'The server stops in 5 minutes. Back "soon" c',
			'The stop was called off.'
		]);
	});

	test('ends in the stop, even when nobody can be told', async () => {
		const setup = await started();
		world.rcon = 'off';
		const ended = await setup.finished(
			await setup.power.stop({ delaySeconds: 1, message: '' }, ADA)
		);
		expect(ended.state).toBe('succeeded');
		expect(ended.steps[0]).toMatchObject({
			id: 'countdown',
			status: 'done',
			detail: 'Not announced in game: RCON cannot be reached.'
		});
		expect(ended.steps[0]?.announced).toBeUndefined();
		expect(world.announced).toEqual([]);
	});

	test('of a restart ends at once when the server is killed meanwhile, and it is started', async () => {
		const setup = await started();
		const operation = await setup.power.restart({ delaySeconds: 300, message: '' }, ADA);
		await soon(() => expect(world.sent).toHaveLength(1));
		await setup.power.kill(ADA);
		const ended = await setup.finished(operation);
		expect(ended).toMatchObject({ state: 'succeeded', killedBy: 'ada' });
		expect(ended.steps[0]).toMatchObject({
			status: 'skipped',
			detail: 'The server has ended in the meantime, so there is no need to wait.'
		});
		expect(world.game.starts()).toBe(2);
		expect(await setup.state()).toBe('running');
	});

	test('ends at once when the last player has left, and only then', async () => {
		const setup = await started();
		world.players = 1;
		const operation = await setup.power.stop({ delaySeconds: 300, message: '' }, ADA);
		await soon(() => expect(world.sent).toHaveLength(1));
		world.players = null;
		await delay(1200);
		expect(setup.operations.running()?.id).toBe(operation.id);
		world.players = 0;
		const ended = await setup.finished(operation);
		expect(ended).toMatchObject({ state: 'succeeded' });
		expect(ended.steps[0]).toMatchObject({
			status: 'skipped',
			detail: 'Nobody is playing any more, so there is no need to wait.'
		});
	});
});
