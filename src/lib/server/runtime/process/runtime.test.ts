import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGameFolder } from '../../../../../tests/fakes/game/game-process.ts';
import { soon } from '../../../../../tests/soon.ts';
import { systemClock } from '#core/clock';
import { markOf } from '#core/process';
import { createProcessRuntime, type RuntimeState } from '#runtime';

async function setup() {
	const dataDir = await mkdtemp(path.join(tmpdir(), 'craftwarden-runtime-'));
	onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
	const game = await createGameFolder();
	onTestFinished(game.dispose);
	/** A second one on the same folders is what a restart of the dashboard makes. */
	const open = () => {
		const runtime = createProcessRuntime({
			...{ serverDir: game.dir, dataDir, clock: systemClock, environment: process.env },
			log: { warn: () => {} },
			command: async () => game.argv,
			startable: async () => ({ how: 'the jar' })
		});
		onTestFinished(runtime.close);
		return runtime;
	};
	return { game, runtime: open(), open };
}

test('a run is identified by its process, and is the same after a restart of the dashboard', async () => {
	const { runtime, open } = await setup();
	expect(await runtime.state()).toMatchObject({ phase: 'stopped', run: null, lastExit: null });
	const run = await runtime.start('first');
	expect(markOf(run.id)?.pid).toBe(run.pid);
	for (const one of [runtime, open()])
		expect(await one.state()).toMatchObject({ phase: 'running', run });
	expect(await runtime.alive(run)).toBe(true);
	await expect(runtime.start('second')).rejects.toMatchObject({ kind: 'conflict' });
});

test('its end has a cause, which is known as long as we keep running', async () => {
	const { runtime, open } = await setup();
	const run = await runtime.start('first');
	await runtime.kill(run);
	expect(await runtime.ended(run)).toMatchObject({
		signal: 'SIGKILL',
		code: null,
		cause: 'killed'
	});
	expect((await runtime.state()).lastExit).toMatchObject({ cause: 'killed' });
	expect(await open().ended(run)).toMatchObject({ signal: null, code: null, cause: 'unknown' });
	expect(await runtime.alive(run)).toBe(false);
});

test('a run from before a reboot of the machine ended with that reboot', async () => {
	const { runtime } = await setup();
	const run = { id: 'another-boot 1 1', startedAt: '', pid: 1, ours: true };
	expect(await runtime.ended(run)).toMatchObject({ code: null, cause: 'host-restart' });
});

test('a run of another kind of runtime matches nothing: nothing is signalled', async () => {
	const { runtime } = await setup();
	const run = { id: 'f3a9c0', startedAt: '', pid: process.pid, ours: true };
	await runtime.terminate(run);
	await runtime.kill(run);
	expect(await runtime.alive(run)).toBe(false);
	expect(await runtime.ended(run)).toMatchObject({ cause: 'unknown' });
});

test('terminate and stop let it save however long it takes; only kill ends it', async () => {
	const { game, runtime } = await setup();
	await game.script({ stopMs: null });
	const run = await runtime.start('first');
	await soon(() => expect(game.log()).toContain('Done ('));
	await runtime.terminate(run);
	expect(await runtime.alive(run)).toBe(true);
	await runtime.stop(run);
	expect(await runtime.alive(run)).toBe(true);
	await runtime.kill(run);
	expect(await runtime.ended(run)).toMatchObject({ cause: 'killed' });
});

test('its output is returned, unless it is from an earlier run', async () => {
	const { game, runtime } = await setup();
	const run = await runtime.start('first');
	await soon(() => expect(game.log()).toContain('Done ('));
	expect(await runtime.output(run.startedAt)).toContain('The game prints to its console.');
	expect(await runtime.output(new Date(Date.now() + 60_000).toISOString())).toEqual([]);
});

test('its usage is reported while it runs', async () => {
	const { runtime } = await setup();
	expect(await runtime.usage()).toBeNull();
	await runtime.start('first');
	expect(await runtime.usage()).toMatchObject({
		cpu: null,
		memory: expect.any(Number),
		limit: null
	});
});

test('a watcher is told what is there, and about each change', async () => {
	const { runtime } = await setup();
	const told: RuntimeState[] = [];
	const watching = runtime.watch((state) => told.push(state));
	await soon(() => expect(told.map(({ phase }) => phase)).toEqual(['stopped']));
	const run = await runtime.start('first');
	await soon(() => expect(told.at(-1)?.run).toEqual(run));
	watching[Symbol.dispose]();
	expect(told).toHaveLength(2);
});
