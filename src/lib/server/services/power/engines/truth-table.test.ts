import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '../../../../../../tests/fakes/manual-clock.ts';
import { printed, RECORDED } from '../../../../../../tests/fakes/systemd-recorded.ts';
import { createRuntime, type Runtime } from '#runtime';
import type { Installation } from '#minecraft/folder';
import { createFactStore } from '../facts.ts';
import { createStates } from '../states.ts';

/** What the dashboard shows of what an engine says; each look is a second after the one before. */
async function world(kind: 'keeper' | 'systemd') {
	const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-truth-'));
	onTestFinished(() => rm(dir, { recursive: true }));
	const manual = createManualClock();
	const wall = { movedMs: 0 };
	const clock = { ...manual, now: () => new Date(manual.now().getTime() + wall.movedMs) };
	const choice =
		kind === 'keeper' ? { kind, dir } : { kind, unit: 'mc.service', scope: 'user' as const };
	const runtime: Runtime = createRuntime(choice, {
		...{ clock, serverDir: dir, dataDir: dir, log: { warn: () => {} } },
		...{ command: async () => null, startable: async () => ({ why: 'not asked' }) },
		environment: { PATH: `${dir}:/usr/bin:/bin` }
	});
	const log = { error: (...words: unknown[]) => expect(words).toEqual([]) };
	const left = { log: [] as string[], ready: true, crashReport: null as string | null };
	const open = () =>
		createStates({
			usualStartMs: async () => null,
			...{ runtime, clock, log, changed: () => {} },
			facts: createFactStore({ dataDir: dir, log }),
			evidence: {
				mark: async () => ({ file: 'latest.log', size: clock.monotonicMs() }),
				has: async () => left.ready,
				log: async () => left.log,
				output: async () => [],
				crashReport: async () => left.crashReport
			},
			isReady: () => true,
			installation: async () =>
				({ game: { statusEnabled: true }, rcon: { enabled: true } }) as Installation,
			diagnose: () => ({
				...{ code: 'unknown', message: 'It ended without saying why.', log: [], mods: [] },
				...{ advice: '', restartable: true }
			})
		});
	const unix = () => Math.floor(clock.now().getTime() / 1000);
	const put = (name: string, text: string) => writeFile(path.join(dir, name), text);
	async function systemctl(script: string) {
		await put('systemctl', `#!/bin/sh\n${script}\n`);
		await chmod(path.join(dir, 'systemctl'), 0o755);
	}
	const own = open();
	return {
		...{ dir, clock, wall, runtime, left, open, states: own, put, unix },
		keeper: (facts: Record<string, unknown>) =>
			put(
				'state.json',
				JSON.stringify({
					...{ phase: 'running', pid: 7, run: 1, startedAt: unix(), at: unix(), code: null },
					...{ rssBytes: 1, cpuTicks: 1, warnings: [] },
					...facts
				})
			),
		systemctl,
		async unit(facts: Record<string, string>) {
			await put('show', printed(facts));
			await systemctl(`cat '${dir}/show'`);
		},
		async look(states = own) {
			await clock.advance(1000);
			return states.observe();
		}
	};
}
type World = Awaited<ReturnType<typeof world>>;

const RUNNING = RECORDED.running;
const of = ({ InvocationID }: { InvocationID: string }) => ({ InvocationID });
/** A unit that was seen running, and then this. */
const after = (facts: Record<string, string>) => ({ ...facts, ...of(RUNNING) });

describe('systemd says', () => {
	const rows: [string, Record<string, string>, object][] = [
		['never started', RECORDED['never started'], { state: 'stopped', run: null }],
		['active', RUNNING, { state: 'running' }],
		['activating', RECORDED.activating, { state: 'starting', run: null }],
		[
			'reloading',
			{ ...RUNNING, ActiveState: 'reloading', SubState: 'reload' },
			{ state: 'running' }
		],
		[
			'deactivating',
			{ ...RUNNING, ActiveState: 'deactivating', SubState: 'stop-sigterm' },
			{ state: 'stopping' }
		],
		[
			'frozen',
			{ ...RUNNING, FreezerState: 'frozen' },
			{ state: 'unknown', reason: 'systemd has frozen mc.service.' }
		],
		[
			'active without a process',
			{ ...RUNNING, MainPID: '0', SubState: 'exited' },
			{ state: 'unknown', run: null }
		],
		[
			'a state of tomorrow’s systemd',
			{ ...RUNNING, ActiveState: 'dreaming' },
			{ state: 'unknown', run: null }
		],
		['not found', RECORDED['not found'], { state: 'unknown', run: null }],
		['masked', RECORDED.masked, { state: 'unknown', run: null }]
	];
	test.each(rows)('%s', async (_, unit, shown) => {
		const one = await world('systemd');
		await one.unit(unit);
		expect(await one.look()).toMatchObject(shown);
	});

	test('active is starting until it is ready', async () => {
		const one = await world('systemd');
		one.left.ready = false;
		await one.unit(RUNNING);
		expect(await one.look()).toMatchObject({ state: 'starting' });
	});

	test('deactivating after its main process: the run lasts until its last child has saved', async () => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		const { run } = await one.look();
		await one.unit({
			...RUNNING,
			ActiveState: 'deactivating',
			SubState: 'stop-sigterm',
			MainPID: '0'
		});
		const ending = await one.look();
		expect(ending).toMatchObject({ state: 'stopping', run: { ...run, pid: null } });
		expect(await one.runtime.alive(run!)).toBe(true);
	});

	const ends: [string, Record<string, string>, object][] = [
		['exit-code', after(RECORDED['exit 3']), { state: 'crashed' }],
		['signal', after(RECORDED.killed), { state: 'crashed' }],
		['core-dump', { ...after(RECORDED.core), Result: 'core-dump' }, { state: 'crashed' }],
		['oom-kill', { ...after(RECORDED.killed), Result: 'oom-kill' }, { state: 'crashed' }],
		['timeout', after(RECORDED.timeout), { state: 'crashed' }],
		[
			'start limit',
			after(RECORDED['start limit']),
			{ state: 'crashed', reason: expect.stringContaining('systemd has given up') }
		]
	];
	test.each(ends)('%s, after it ran', async (_, unit, shown) => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		await one.look();
		await one.unit(unit);
		expect(await one.look()).toMatchObject({ ...shown, run: null });
	});

	test('inactive with success after an orderly stop', async () => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		await one.look();
		one.left.log = ['[12:00:00] [Server thread/INFO]: Stopping server'];
		await one.unit(RECORDED.stopped);
		expect(await one.look()).toMatchObject({ state: 'stopped', diagnosis: null });
	});

	test('auto-restart is starting, and the crash before it is recorded once, whoever looks', async () => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		await one.look();
		await one.unit(after(RECORDED['auto-restart']));
		const waiting = await one.look();
		expect(waiting).toMatchObject({ state: 'starting', run: null });
		expect(waiting.reason).toContain('Whatever runs the server starts it again by itself.');
		const crash = waiting.crashedBefore!;
		expect(crash).toMatchObject({ state: 'crashed' });
		await one.unit(RECORDED.restarted);
		const again = await one.look();
		expect(again).toMatchObject({ state: 'running', crashedBefore: crash });
		const other = one.open();
		expect((await one.look(other)).crashedBefore).toEqual(crash);
	});

	test('another invocation between two probes: the unseen crash is recorded', async () => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		await one.look();
		await one.unit(RECORDED.restarted);
		expect(await one.look()).toMatchObject({
			state: 'running',
			crashedBefore: { state: 'crashed' }
		});
	});

	test('an orderly restart by somebody is not a crash', async () => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		await one.look();
		one.left.log = ['[12:00:00] [Server thread/INFO]: Stopping server'];
		await one.unit({ ...RECORDED.restarted, NRestarts: '0' });
		expect(await one.look()).toMatchObject({ state: 'running', crashedBefore: null });
	});

	test('a manual restart that left no time to save is a crash', async () => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		await one.look();
		one.left.crashReport = 'Description: Exception in server tick loop';
		await one.unit({ ...RECORDED.restarted, NRestarts: '0' });
		expect(await one.look()).toMatchObject({ crashedBefore: { state: 'crashed' } });
	});

	test('a removed unit is unknown while it runs, and the same run when it is back', async () => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		const { run } = await one.look();
		await one.unit({ ...RUNNING, LoadState: 'not-found' });
		expect(await one.look()).toMatchObject({ state: 'unknown', run: null });
		expect(await one.runtime.alive(run!)).toBe(true);
		await one.unit(RUNNING);
		expect(await one.look()).toMatchObject({ state: 'running', run, crashedBefore: null });
	});

	test.each([-3_600_000, 3_600_000])('a clock moved by %i ms changes nothing', async (movedMs) => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		const before = await one.look();
		one.wall.movedMs = movedMs;
		expect(await one.look()).toEqual(before);
	});

	test('stopped by a signal, it has not answered for a while: unknown, and the run is kept', async () => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		const { run } = await one.look();
		one.states.probed(false);
		for (let looks = 0; looks < 5; looks++) {
			await one.look();
			one.states.probed(false);
		}
		expect(await one.look()).toMatchObject({
			...{ state: 'unknown', run },
			reason: expect.stringMatching(/^It runs, but has not answered for /)
		});
	});

	test.each([
		['permission lost', 'echo "Failed to get properties: Access denied" >&2; exit 1'],
		[
			'no polkit',
			'echo "Failed to get properties: Interactive authentication required." >&2; exit 1'
		],
		['bus gone', 'echo "Failed to connect to bus: No medium found" >&2; exit 1'],
		['garbage', 'head -c 100000 /dev/zero'],
		['nothing', 'exit 0']
	])('%s is unknown with a reason, and nothing is started', async (_, script) => {
		const one = await world('systemd');
		await one.unit(RUNNING);
		const before = await one.look();
		await one.systemctl(script);
		const seen = await one.look();
		expect(seen).toMatchObject({ state: 'unknown', run: null, endedAt: null });
		expect(seen.reason).toMatch(/\.$/);
		expect(await one.runtime.startable()).toEqual({ why: seen.reason });
		await expect(one.runtime.start('mark')).rejects.toMatchObject({ kind: 'conflict' });
		await one.unit(RUNNING);
		expect(await one.look()).toMatchObject({ state: 'running', run: before.run });
	});
});

describe('the keeper says', () => {
	const seen = async (one: World, facts: Record<string, unknown>) => {
		await one.keeper({ ...facts, at: one.unix() + 1 });
		return one.look();
	};

	test.each([
		[{}, { state: 'running' }],
		[{ phase: 'stopping' }, { state: 'stopping' }],
		[{ phase: 'exited', code: 0 }, { state: 'stopped' }],
		[
			{ phase: 'exited', run: 0, startedAt: null, pid: null },
			{ state: 'stopped', run: null }
		]
	])('%j at first sight', async (facts, shown) => {
		expect(await seen(await world('keeper'), facts)).toMatchObject(shown);
	});

	test('running is starting until it is ready', async () => {
		const one = await world('keeper');
		one.left.ready = false;
		expect(await seen(one, {})).toMatchObject({ state: 'starting' });
		one.left.ready = true;
		expect(await seen(one, { startedAt: one.unix() - 1 })).toMatchObject({ state: 'running' });
	});

	test.each([1, 137, 139])('exited with %i after it ran: crashed', async (code) => {
		const one = await world('keeper');
		const startedAt = one.unix();
		await seen(one, { startedAt });
		expect(await seen(one, { startedAt, phase: 'exited', code })).toMatchObject({
			state: 'crashed',
			run: null
		});
	});

	test('exited after our own stop: stopped, whatever the code', async () => {
		const one = await world('keeper');
		const startedAt = one.unix();
		await seen(one, { startedAt });
		await one.states.stopRequested('stop', 'ada');
		expect(await seen(one, { startedAt, phase: 'exited', code: 1 })).toMatchObject({
			state: 'stopped',
			reason: 'Stopped by ada.'
		});
	});

	test('a higher run than seen: the crash before it is recorded once', async () => {
		const one = await world('keeper');
		await seen(one, {});
		const again = await seen(one, { run: 2 });
		expect(again).toMatchObject({ state: 'running', crashedBefore: { state: 'crashed' } });
		const { startedAt } = again.run!;
		const later = await seen(one, { run: 2, startedAt: Date.parse(startedAt) / 1000 });
		expect(later.crashedBefore).toEqual(again.crashedBefore);
	});

	test.each([-3_600_000, 3_600_000])(
		'a clock moved by %i ms: unknown until the keeper reports again, and then the same run',
		async (movedMs) => {
			const one = await world('keeper');
			const startedAt = one.unix();
			const { run } = await seen(one, { startedAt });
			one.wall.movedMs = movedMs;
			expect(await one.look()).toMatchObject({ state: 'unknown', run: null });
			expect(await seen(one, { startedAt })).toMatchObject({
				...{ state: 'running', run },
				crashedBefore: null
			});
		}
	);

	test('stopped by a signal, it has not answered for a while: unknown, and the run is kept', async () => {
		const one = await world('keeper');
		const startedAt = one.unix();
		const { run } = await seen(one, { startedAt });
		for (let looks = 0; looks < 5; looks++) {
			one.states.probed(false);
			await seen(one, { startedAt });
		}
		expect(await one.look()).toMatchObject({
			...{ state: 'unknown', run },
			reason: expect.stringMatching(/^It runs, but has not answered for /)
		});
	});

	test.each<[string, (one: World) => Promise<unknown>]>([
		['torn', (one) => one.put('state.json', '{"phase":"runn')],
		['gone', (one) => rm(path.join(one.dir, 'state.json'))],
		[
			'a link',
			async (one) => {
				await rm(path.join(one.dir, 'state.json'));
				await symlink('/etc/passwd', path.join(one.dir, 'state.json'));
			}
		],
		['huge', (one) => one.put('state.json', 'x'.repeat(1 << 22))],
		['older than 15 s', (one) => one.keeper({ at: one.unix() - 20 })],
		[
			'gone with its folder, which is not mounted any more',
			async (one) => {
				await rm(one.dir, { recursive: true });
				await mkdir(one.dir);
			}
		],
		['running without a run', (one) => one.keeper({ run: 0, at: one.unix() })],
		['running since nobody knows when', (one) => one.keeper({ startedAt: null, at: one.unix() })],
		['from the future', (one) => one.keeper({ at: one.unix() + 60 })],
		['of a foreign form', (one) => one.keeper({ pid: -1 })]
	])('a state that is %s is unknown with a reason, and nothing is started', async (_, spoil) => {
		const one = await world('keeper');
		const startedAt = one.unix();
		const before = await seen(one, { startedAt });
		await spoil(one);
		const now = await one.look();
		expect(now).toMatchObject({ state: 'unknown', run: null, endedAt: null });
		expect(now.reason).toBeTruthy();
		expect(await one.runtime.startable()).toEqual({ why: now.reason });
		await expect(one.runtime.start('mark')).rejects.toMatchObject({ kind: 'conflict' });
		await rm(path.join(one.dir, 'state.json'), { force: true });
		expect(await seen(one, { startedAt })).toMatchObject({ state: 'running', run: before.run });
	});
});
