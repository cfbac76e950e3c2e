import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { soon } from '../../../../../tests/soon.ts';
import type { Installation } from '#minecraft/folder';
import type { Exit, Run, Runtime, RuntimeState } from '#runtime';
import { createFactStore } from './facts.ts';
import { createStates } from './states.ts';

let dataDir: string;
beforeEach(async () => {
	dataDir = await mkdtemp(path.join(tmpdir(), 'craftwarden-states-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function setup() {
	const clock = createManualClock();
	const world = {
		run: {
			id: 'b 7 70',
			pid: 7,
			startedAt: clock.now().toISOString(),
			ours: true
		} as Run | null,
		cause: 'unknown' as Exit['cause'],
		engine: {} as Partial<RuntimeState>,
		log: [] as string[],
		usualStartMs: null as number | null,
		statusEnabled: true
	};
	const runtime: Partial<Runtime> = {
		state: async () => ({
			phase: world.run ? 'running' : 'stopped',
			wanted: 'unknown',
			run: world.run,
			lastExit: null,
			restarts: null,
			restartsItself: false,
			observedAt: clock.now().toISOString(),
			...world.engine
		}),
		alive: async (run) => run.id === world.run?.id,
		ended: async () => ({
			code: null,
			signal: null,
			cause: world.cause,
			at: clock.now().toISOString()
		})
	};
	const changed = vi.fn();
	const errors: string[] = [];
	const log = { error: (message: string) => void errors.push(message) };
	const states = createStates({
		runtime: runtime as Runtime,
		facts: createFactStore({ dataDir, log }),
		evidence: {
			mark: async () => ({ file: 'f', size: world.log.length }),
			log: async () => world.log,
			has: async ({ mark }, _, isIt) => world.log.slice(mark?.size).some(isIt),
			output: async () => [],
			crashReport: async () => null
		},
		installation: async () =>
			({ game: { statusEnabled: world.statusEnabled }, rcon: { enabled: false } }) as Installation,
		isReady: (line) => line === 'Done',
		diagnose: () => ({
			code: 'unknown',
			message: 'No reason.',
			log: [],
			mods: [],
			advice: '',
			restartable: true,
			...(world.cause === 'killed' && { remedy: 'start' as const })
		}),
		usualStartMs: async () => world.usualStartMs,
		clock,
		changed,
		log
	});
	/** A probe every five seconds, as while somebody watches. */
	const probes = async (ok: boolean, seconds: number) => {
		for (let s = 0; s < seconds; s += 5) {
			states.probed(ok);
			await clock.advance(5000);
		}
	};
	const running = async () => {
		world.log = ['Done'];
		expect((await states.observe()).state).toBe('running');
	};
	return { clock, world, states, changed, errors, probes, running };
}

test('a ready server that keeps answering nothing is unknown, with the time since its last answer', async () => {
	const { clock, states, probes, running, changed } = setup();
	await running();
	states.probed(true);
	await clock.advance(5000);
	await probes(false, 5);
	expect(states.silent).toBe(true);
	expect(await states.observe()).toMatchObject({ state: 'running', reason: null });
	await probes(false, 5);
	expect(await states.observe()).toMatchObject({
		state: 'unknown',
		reason: 'It runs, but has not answered for 10 s.'
	});
	const { silentSince } = await states.observe();
	// Between two probes, too.
	await clock.advance(3000);
	expect((await states.observe()).silentSince).toBe(silentSince);
	await clock.advance(2000);
	await probes(false, 295);
	expect((await states.observe()).reason).toBe('It runs, but has not answered for 5 min.');
	expect((await states.observe()).silentSince).toBe(silentSince);
	changed.mockClear();
	states.probed(true);
	await soon(() => expect(changed).toHaveBeenCalled());
	expect(states.silent).toBe(false);
	expect((await states.observe()).state).toBe('running');
});

test('one that has not answered for two minutes hangs, which is announced as it begins and as it ends', async () => {
	const { states, probes, running, changed } = setup();
	await running();
	states.probed(true);
	await probes(false, 110);
	expect(await states.observe()).not.toHaveProperty('hanging');
	changed.mockClear();
	await probes(false, 20);
	expect(await states.observe()).toMatchObject({ state: 'unknown', hanging: true });
	expect(changed).toHaveBeenCalledTimes(1);
	states.probed(true);
	await soon(() => expect(changed).toHaveBeenCalledTimes(2));
	expect(await states.observe()).not.toHaveProperty('hanging');
});

test('one that was silent before it was told to stop is known to be', async () => {
	const { clock, states, probes, running } = setup();
	await running();
	states.probed(true);
	await clock.advance(5000);
	await probes(false, 60);
	expect((await states.observe()).silentSince).toBeDefined();
	expect((await states.observe()).hanging).toBeUndefined();
	await states.stopRequested('stop', 'ada');
	expect((await states.observe()).hanging).toBe(true);
	await probes(false, 60);
	expect(states.silent).toBe(true);
	expect(await states.observe()).toMatchObject({
		state: 'stopping',
		reason: 'ada told it to stop, but it has not answered for 2 min and may not end by itself.'
	});
});

test('a restart is called one for as long as the old server has not ended', async () => {
	const { clock, states, probes, running } = setup();
	await running();
	await states.stopRequested('restart', 'ada');
	expect(await states.observe()).toMatchObject({
		...{ state: 'stopping', reason: 'ada is restarting the server, which saves its worlds first.' }
	});
	await clock.advance(299_000);
	await probes(true, 61);
	expect((await states.observe()).reason).toMatch(
		'ada is restarting it: it was told to stop 6 min ago, and has not ended.'
	);
	await probes(false, 121);
	await states.stopRequested('restart', 'ada');
	expect((await states.observe()).reason).toMatch(
		/^ada is restarting it, but it has not answered for .* and may not end by itself\.$/
	);
});

test('one that stops answering as it ends was not silent', async () => {
	const { states, probes, running } = setup();
	await running();
	states.probed(true);
	await states.stopRequested('stop', 'ada');
	await probes(false, 120);
	const ending = await states.observe();
	expect(ending).toMatchObject({
		state: 'stopping',
		reason: expect.stringContaining('saves its worlds first')
	});
	expect(ending.silentSince).toBeUndefined();
	expect(ending.hanging).toBeUndefined();
	expect(states.silent).toBe(false);
});

test('lost probes between answers, or all at once, do not count as silence', async () => {
	const { states, probes, running } = setup();
	await running();
	for (let i = 0; i < 10; i++) {
		for (let lost = 0; lost < 5; lost++) states.probed(false);
		expect((await states.observe()).state).toBe('running');
		await probes(true, 5);
	}
});

test('while nobody probes, a server is not silent', async () => {
	const { clock, states, probes, running } = setup();
	await running();
	await probes(false, 5);
	await clock.advance(3_600_000);
	expect((await states.observe()).state).toBe('running');
	await probes(false, 5);
	expect((await states.observe()).state).toBe('running');
	await probes(false, 5);
	expect(await states.observe()).toMatchObject({
		state: 'unknown',
		reason: 'It runs, but has not answered for 5 s.'
	});
});

test('failed probes during the boot do not make it unknown when it is ready', async () => {
	const { states, probes, running } = setup();
	await states.observe();
	await probes(false, 120);
	expect((await states.observe()).state).toBe('starting');
	await running();
});

test('a server without RCON and ping is not silent', async () => {
	const { world, states, probes, running } = setup();
	world.statusEnabled = false;
	await running();
	await probes(false, 60);
	expect((await states.observe()).state).toBe('running');
});

test('an answer makes a starting server ready, but not one that may come from the previous process', async () => {
	const { clock, states } = setup();
	await states.observe();
	states.probed(true);
	await settle();
	expect((await states.observe()).state).toBe('starting');
	await clock.advance(6000);
	states.probed(true);
	await soon(async () => expect((await states.observe()).state).toBe('running'));
});

test('a change is announced once, and the passing time of a silence is not a change', async () => {
	const { states, probes, running, changed } = setup();
	await running();
	await probes(false, 30);
	await states.observe();
	changed.mockClear();
	for (let i = 0; i < 6; i++) {
		await probes(false, 10);
		await states.observe();
	}
	expect(changed).not.toHaveBeenCalled();
});

test('another process is another run: what was known of the previous one is forgotten', async () => {
	const { world, clock, states, running, probes } = setup();
	await running();
	await states.stopRequested('stop', 'ada');
	expect((await states.observe()).state).toBe('stopping');
	await clock.advance(1000);
	world.log = [];
	world.run = { ...world.run!, id: 'b 8 90', startedAt: clock.now().toISOString() };
	expect(await states.observe()).toMatchObject({ state: 'starting', readyAt: null });
	await probes(false, 30);
	await running();
});

test('a process that was there when the stop was requested stays stopping: a start script has left its java', async () => {
	const { world, states, running } = setup();
	await running();
	await states.stopRequested('stop', 'ada');
	world.run = { ...world.run!, id: 'b 8 71' };
	expect((await states.observe()).state).toBe('stopping');
	world.run = null;
	expect(await states.observe()).toMatchObject({ state: 'stopped', reason: 'Stopped by ada.' });
});

test('a disk that refuses to store state does not prevent it from being seen', async () => {
	const { states, errors, running } = setup();
	await rm(dataDir, { recursive: true });
	const { writeFile } = await import('node:fs/promises');
	await writeFile(dataDir, ''); // no folder any more
	await running();
	expect(errors.length).toBeGreaterThan(0);
	await expect(states.stopRequested('stop', 'ada')).rejects.toThrow();
	expect((await states.observe()).state).toBe('running');
});

test('a kill on a full disk is remembered, and written as soon as there is space', async () => {
	const { world, states, running } = setup();
	await running();
	await rm(dataDir, { recursive: true });
	await writeFile(dataDir, '');
	await states.stopRequested('kill', 'ada');
	expect((await states.observe()).state).toBe('stopping');
	world.run = null;
	const killed = { state: 'stopped', reason: 'Killed by ada.' };
	expect(await states.observe()).toMatchObject(killed);
	await rm(dataDir);
	await states.stopFailed();
	const again = setup();
	again.world.run = null;
	expect(await again.states.observe()).toMatchObject(killed);
});

test('a stop that it does not heed is no stop any more after five minutes, and the state says who asked', async () => {
	const { clock, states, probes, running, changed } = setup();
	await running();
	await states.stopRequested('stop', 'ada');
	await clock.advance(299_000);
	expect(await states.observe()).toMatchObject({ state: 'stopping', told: true });
	await probes(true, 61);
	const unheeded = 'ada told it to stop 6 min ago, and it has not ended.';
	const seen = await states.observe();
	expect(seen).toMatchObject({ state: 'running', told: true });
	expect(seen.reason).toMatch(`${unheeded} If stopping it again does not help, `);
	changed.mockClear();
	await probes(false, 10);
	const { reason } = await states.observe();
	expect(reason).toMatch(/^It runs, but has not answered.* ada told it/);
	// A restart that waits for the end lets nobody stop it again.
	expect(reason).not.toMatch(/stopping it again|kill/);
	expect(changed).toHaveBeenCalledTimes(1);
	// The dashboard of later knows it too, and another word counts anew.
	const again = setup();
	await again.clock.advance(400_000);
	expect((await again.states.observe()).reason).toMatch('ada told it to stop 6 min ago');
	await again.states.stopRequested('stop', 'bob');
	expect(await again.states.observe()).toMatchObject({
		...{ state: 'stopping', reason: 'bob is stopping the server, which saves its worlds first.' }
	});
	await again.states.stopFailed();
	expect(await again.states.observe()).not.toHaveProperty('told');
});

test('a crash is reported with its diagnosis, again after a restart of the dashboard', async () => {
	const { world, states, running } = setup();
	await running();
	world.run = null;
	const seen = await states.observe();
	expect(seen).toMatchObject({
		state: 'crashed',
		reason: 'No reason.',
		diagnosis: { code: 'unknown' }
	});
	const again = setup();
	again.world.run = null;
	expect(await again.states.observe()).toEqual(seen);
});

test('after a reboot of the machine the reason says so', async () => {
	const { world, states } = setup();
	world.cause = 'host-restart';
	world.log = ['Done'];
	await states.observe();
	world.run = null;
	expect(await states.observe()).toMatchObject({
		state: 'crashed',
		reason: 'The machine was restarted while the server was running.'
	});
});

test('a state file with other content is reported once, in words', async () => {
	const told: unknown[] = [];
	const log = {
		error: (message: string, { cause }: { cause?: unknown } = {}) => told.push([message, cause])
	};
	const file = path.join(dataDir, 'server-state.json');
	await writeFile(file, '{"other":1}');
	const facts = createFactStore({ dataDir, log: log as never });
	expect((await facts.read()).run).toBeNull();
	await facts.read();
	expect(told).toEqual([
		[`${file} cannot be read: the state is worked out anew`, expect.any(Error)]
	]);
	expect((told[0] as [string, Error])[1].message).toBe('it is not one of ours');
});

test('state written by an earlier version is read', async () => {
	const process = {
		...{ pid: 7, startTicks: 70, bootId: 'b', ours: true },
		...{ startedAt: '2026-01-02T03:04:00.000Z', argv: ['java', '-jar', 'server.jar'] }
	};
	const facts = { mark: null, readyAt: '2026-01-02T03:04:05.000Z', stop: null, end: null };
	await writeFile(path.join(dataDir, 'server-state.json'), JSON.stringify({ process, ...facts }));
	const { states, errors } = setup();
	expect(await states.observe()).toMatchObject({ state: 'running', readyAt: facts.readyAt });
	expect(errors).toEqual([]);
	const store = createFactStore({ dataDir, log: { error: (message) => expect.fail(message) } });
	expect(await store.change({})).toEqual({
		...facts,
		crashed: null,
		before: null,
		again: null,
		run: { id: 'b 7 70', pid: 7, ours: true, startedAt: process.startedAt }
	});
	expect((await store.read()).run?.id).toBe('b 7 70');
});

test('a run that the runtime cannot see is unknown, and neither a stop nor a crash', async () => {
	const { world, states, running } = setup();
	await running();
	Object.assign(world, { run: null, engine: { phase: 'unknown', detail: 'The socket is gone.' } });
	expect(await states.observe()).toMatchObject({ state: 'unknown', reason: 'The socket is gone.' });
	world.engine = { phase: 'paused' };
	expect(await states.observe()).toMatchObject({ state: 'unknown', reason: 'It is paused.' });
});

test('a run that its engine is ending is stopping, though nobody asked here', async () => {
	const { world, states, running } = setup();
	await running();
	world.engine = { phase: 'stopping', detail: 'The pod is being deleted.' };
	expect(await states.observe()).toMatchObject({
		...{ state: 'stopping', reason: 'The pod is being deleted.' },
		run: { id: 'b 7 70' }
	});
});

test('how long a run had been ready when it crashed is remembered for a day, until another has outlived it', async () => {
	const { clock, states, world } = setup();
	const begin = async (id: string) => {
		await states.launch(async () => {
			world.log = [];
			world.run = { id, pid: 7, startedAt: clock.now().toISOString(), ours: true };
			return world.run;
		});
		world.log = ['Done'];
		expect(await states.observe()).toMatchObject({ state: 'running' });
	};
	const end = async (ms: number) => {
		await clock.advance(ms);
		world.run = null;
		return states.observe();
	};
	await begin('first');
	expect(await states.crashedLately()).toBeNull();
	expect(await end(90_000)).toMatchObject({ state: 'crashed' });
	expect(await states.crashedLately()).toBe(90_000);

	await begin('second');
	await states.stopRequested('stop', 'ada');
	await end(20_000);
	expect(await states.crashedLately()).toBe(90_000);

	await begin('third');
	await states.stopRequested('stop', 'ada');
	await end(100_000);
	expect(await states.crashedLately()).toBeNull();

	// What killed it from outside says nothing about the next crash.
	await begin('killed');
	world.cause = 'killed';
	expect(await end(30_000)).toMatchObject({ state: 'crashed' });
	expect(await states.crashedLately()).toBeNull();
	world.cause = 'unknown';

	await begin('fourth');
	await end(5000);
	expect(await states.crashedLately()).toBe(5000);
	await clock.advance(25 * 3_600_000);
	expect(await states.crashedLately()).toBeNull();
});

test.each([
	[null, 10 * 60_000, ''],
	[60_000, 3 * 60_000, ' A start usually takes 1 min.']
])(
	'a start that usually takes %s ms is unusual after %i ms, once its log stands still',
	async (usualStartMs, lateMs, usually) => {
		const { clock, states, world, changed } = setup();
		world.usualStartMs = usualStartMs;
		world.log = ['Loading'];
		expect(await states.observe()).toMatchObject({ state: 'starting' });
		await clock.advance(lateMs - 1000);
		// That its log stands still is said before that is unusual.
		const early = await states.observe();
		expect(early).toMatchObject({ state: 'starting', stalled: true });
		expect(early.reason).toMatch(/^It is loading, but has written nothing to its log for \d min\./);
		expect(early).not.toHaveProperty('hanging');
		world.log.push('Loading more');
		await states.observe();
		await clock.advance(100_000);
		expect(await states.observe()).toMatchObject({ state: 'starting', reason: 'It is loading.' });
		changed.mockClear();
		await clock.advance(50_000);
		expect(await states.observe()).toMatchObject({
			...{ state: 'starting', hanging: true },
			reason: `It is loading, but has written nothing to its log for 2 min.${usually}`
		});
		expect(changed).toHaveBeenCalledOnce();
		world.log.push('Done');
		expect(await states.observe()).not.toHaveProperty('hanging');
	}
);
