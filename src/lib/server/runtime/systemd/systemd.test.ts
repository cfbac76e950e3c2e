import { access, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#core/clock';
import {
	startUserSystemd,
	systemdMissing
} from '../../../../../tests/integration/kit/user-systemd.ts';
import { soon } from '../../../../../tests/soon.ts';
import type { RuntimeState } from '../runtime.ts';
import { createSystemdRuntime } from './systemd.ts';

const missing = systemdMissing();

describe.skipIf(missing)(`a unit of a real systemd${missing ? ` (${missing})` : ''}`, () => {
	let systemd: Awaited<ReturnType<typeof startUserSystemd>>;
	beforeAll(async () => {
		systemd = await startUserSystemd();
	});
	afterAll(() => systemd?.close());

	const runtimeOf = (unit: string, environment: NodeJS.ProcessEnv = systemd.environment) =>
		createSystemdRuntime({ unit, scope: 'user', clock: systemClock, environment });
	const until = (runtime: ReturnType<typeof runtimeOf>, phase: RuntimeState['phase']) =>
		soon(async () => {
			const state = await runtime.state();
			expect(state.phase).toBe(phase);
			return state;
		});
	const soonState = (
		runtime: ReturnType<typeof runtimeOf>,
		good: (state: RuntimeState) => boolean
	) =>
		soon(async () => {
			const state = await runtime.state();
			expect(good(state)).toBe(true);
			return state;
		});
	/** Ignores SIGTERM from then on, and says so: the unit runs before its script does. */
	const DEAF = 'trap "" TERM; touch $XDG_RUNTIME_DIR/deaf';
	const deaf = () => path.join(systemd.environment.XDG_RUNTIME_DIR, 'deaf');
	const isDeaf = async () => {
		await soon(() => access(deaf()));
		await rm(deaf());
	};
	async function game(unit: string, script: string, more: Record<string, string> = {}) {
		await systemd.unit(unit, { ExecStart: `/bin/sh -c '${script}'`, ...more });
		return runtimeOf(unit);
	}

	test('start, terminate and the end in its own words', async () => {
		const runtime = await game('mc.service', 'trap "exit 0" TERM; while :; do sleep 0.1; done');
		expect(await runtime.state()).toMatchObject({
			phase: 'stopped',
			run: null,
			restartsItself: false
		});
		const run = await runtime.start('mark');
		expect(await runtime.state()).toMatchObject({ phase: 'running', run, wanted: 'up' });
		await expect(runtime.start('again')).rejects.toMatchObject({ kind: 'conflict' });
		expect(await runtime.alive(run)).toBe(true);
		const ended = runtime.ended(run);
		await runtime.terminate(run);
		expect(await ended).toMatchObject({ cause: 'clean' });
		expect(await runtime.alive(run)).toBe(false);
		const next = await runtime.start('mark');
		expect(next.id).not.toBe(run.id);
		await runtime.kill(run); // an earlier run: nothing happens
		expect(await runtime.alive(next)).toBe(true);
		await runtime.kill(next);
		const end = await runtime.ended(next); // it may have heeded the stop before
		expect(['killed', 'clean']).toContain(end.cause);
		expect((await until(runtime, 'stopped')).lastExit).toEqual(end);
	});

	test.each([
		['exit 0', { cause: 'clean' }],
		['exit 3', { code: 3, cause: 'crash' }],
		['kill -9 $$$$', { signal: 'SIGKILL', cause: 'killed' }],
		['kill -11 $$$$', { signal: 'SIGSEGV', cause: 'crash' }]
	])('`%s` is reported as it is', async (script, exit) => {
		const runtime = await game('ends.service', `sleep 0.3; ${script}`);
		const run = await runtime.start('mark');
		expect(await runtime.ended(run)).toMatchObject(exit);
		expect((await until(runtime, 'stopped')).run).toBe(null);
	});

	test('a restart by systemd itself is another run, and is not started a second time', async () => {
		const runtime = await game('again.service', 'sleep 0.3; exit 7', {
			Restart: 'always',
			RestartSec: '300ms',
			StartLimitBurst: '50'
		});
		const run = await runtime.start('mark');
		expect((await runtime.state()).restartsItself).toBe(true);
		await runtime.ended(run);
		const next = await soon(async () => {
			const state = await runtime.state();
			expect(state.run?.id).not.toBe(run.id);
			expect(state.restarts).toBeGreaterThan(0);
			return state;
		});
		expect(next.wanted).toBe('up');
		await expect(runtime.start('mark')).rejects.toMatchObject({ kind: 'conflict' });
		const last = await soon(async () => {
			const current = (await runtime.state()).run;
			expect(current).not.toBe(null);
			return current!;
		});
		await runtime.stop(last);
		const end = await until(runtime, 'stopped');
		expect(end.wanted).toBe('down');
		await new Promise((resolve) => setTimeout(resolve, 700)); // longer than its own pause
		expect((await runtime.state()).phase).toBe('stopped');
	});

	test('a stop between two of its restarts takes effect when it returns, whichever run it is meant for', async () => {
		const runtime = await game('between.service', 'sleep 0.3; exit 7', {
			Restart: 'always',
			RestartSec: '400ms',
			StartLimitBurst: '50'
		});
		for (const meantForIt of [false, true]) {
			const run = await runtime.start('mark');
			await runtime.ended(run);
			await runtime.stop(meantForIt ? run : null);
			expect(await runtime.state()).toMatchObject({ wanted: 'down', run: null });
			await until(runtime, 'stopped');
		}
	});

	test('after systemd has given up, a start resets that and tries again', async () => {
		const runtime = await game('limit.service', 'exit 1', {
			Restart: 'always',
			RestartSec: '10ms',
			StartLimitBurst: '2'
		});
		await runtime.start('mark').catch(() => {});
		await soon(() =>
			expect(systemd.systemctl('is-failed', 'limit.service').stdout).toBe('failed\n')
		);
		await until(runtime, 'stopped');
		await game('limit.service', 'sleep 60');
		const run = await runtime.start('mark');
		expect(await runtime.alive(run)).toBe(true);
		await runtime.kill(run);
	});

	test('a game that ignores SIGTERM is stopping until somebody kills it, and its grace period is reported', async () => {
		const runtime = await game('deaf.service', `${DEAF}; while :; do sleep 0.1; done`);
		const run = await runtime.start('mark');
		await isDeaf();
		await runtime.stop(run);
		expect((await until(runtime, 'stopping')).graceMs).toBeGreaterThan(10_000);
		await runtime.kill(run);
		expect(await runtime.ended(run)).toMatchObject({ cause: 'killed' });
	});

	test('a run lasts until the last of its processes has saved', async () => {
		const child = `(${DEAF}; while [ ! -e $XDG_RUNTIME_DIR/saved ]; do sleep 0.1; done) & `;
		const runtime = await game('parent.service', `${child} exec sleep 60`);
		const run = await runtime.start('mark');
		await isDeaf();
		await runtime.terminate(run);
		const stopping = await soon(async () => {
			const state = await runtime.state();
			expect(state).toMatchObject({ phase: 'stopping', run: { id: run.id, pid: null } });
			return state;
		});
		expect(stopping.wanted).toBe('up');
		expect(await runtime.alive(run)).toBe(true);
		await writeFile(path.join(systemd.environment.XDG_RUNTIME_DIR, 'saved'), '');
		expect((await runtime.ended(run)).cause).toBe('clean');
		expect(await runtime.alive(run)).toBe(false);
	});

	test('a reload of the unit, and a restart of systemd, keep the same run', async () => {
		const runtime = await game('kept.service', 'sleep 60', { MemoryAccounting: 'yes' });
		const run = await runtime.start('mark');
		await soon(async () => expect((await runtime.usage())?.memory).toBeGreaterThan(0));
		await game('kept.service', 'sleep 61', { Restart: 'always', TimeoutStopSec: '20s' });
		expect(await soonState(runtime, ({ restartsItself }) => restartsItself)).toMatchObject({
			...{ phase: 'running', run, graceMs: 20_000 }
		});
		systemd.systemctl('daemon-reexec');
		expect(await until(runtime, 'running')).toMatchObject({ run, restarts: 0 });
		await runtime.kill(run);
	});

	test('a unit that is missing, masked, or cannot be queried is unknown with the reason, and is not started', async () => {
		const nowhere = runtimeOf('nowhere.service');
		expect(await nowhere.state()).toMatchObject({
			phase: 'unknown',
			detail: expect.stringContaining('nowhere.service')
		});
		await expect(nowhere.start('mark')).rejects.toMatchObject({ kind: 'conflict' });
		const deaf = runtimeOf('mc.service', {
			PATH: process.env['PATH'],
			XDG_RUNTIME_DIR: '/nowhere'
		});
		const state = await deaf.state();
		expect(state.phase).toBe('unknown');
		expect(state.detail).toMatch(/^systemd cannot be asked: /);
		await expect(deaf.start('mark')).rejects.toMatchObject({ kind: 'conflict' });
		expect(await deaf.alive({ id: 'systemd x', startedAt: '', pid: null, ours: true })).toBe(true);
		expect(await deaf.usage()).toBe(null);
	});
});

test('without systemctl nothing is known, and nothing is claimed', async () => {
	const runtime = createSystemdRuntime({
		...{ unit: 'mc.service', scope: 'user', clock: systemClock },
		environment: { PATH: '/nowhere' }
	});
	expect(await runtime.state()).toMatchObject({ phase: 'unknown', run: null });
	await expect(runtime.start('mark')).rejects.toMatchObject({ kind: 'conflict' });
	expect(await runtime.output('2026-01-01T00:00:00.000Z')).toEqual([]);
});
