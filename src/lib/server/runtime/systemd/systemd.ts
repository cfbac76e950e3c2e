import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { AppError } from '#core/errors';
import { run as execute } from '#core/exec';
import { createTtlCache } from '#core/ttl-cache';
import type { Exit, Run, Runtime, RuntimeState } from '../runtime.ts';
import { watchByAsking } from '../watch.ts';
import { exitFromJournal, printedSince } from './journal.ts';
import {
	countOf,
	exitOf,
	parseUnit,
	phaseOf,
	PROPERTIES,
	spanOf,
	timeOf,
	type Unit
} from './unit.ts';

export type SystemdScope = 'system' | 'user';

/** Each probe costs a process. */
const RECENT_MS = 500;
const ASK_EVERY_MS = 500;
const HEED_EVERY_MS = 50;
const CALL_LIMIT_MS = 10_000;
const START_LIMIT_MS = 60_000;

/**
 * The game is an existing unit of systemd: it is started and stopped by systemd, so that systemd's own restarts never
 * work against ours. The unit's name is configuration and never changes.
 */
export function createSystemdRuntime(deps: {
	unit: string;
	scope: SystemdScope;
	clock: Clock;
	environment: NodeJS.ProcessEnv;
}): Runtime {
	const { unit: name, scope, clock } = deps;
	const env = { ...deps.environment, LC_ALL: 'C', SYSTEMD_PAGER: '', SYSTEMD_COLORS: '0' };
	const place = scope === 'user' ? ['--user'] : ['--system'];
	const call = (program: string, args: string[]) =>
		execute(program, [...place, ...args], { env, timeoutMs: CALL_LIMIT_MS });
	const show = async (): Promise<Unit> => {
		const asked = PROPERTIES.flatMap((property) => ['-p', property]);
		const { stdout } = await call('systemctl', ['show', name, '--timestamp=us+utc', ...asked]);
		return parseUnit(stdout);
	};
	const recent = createTtlCache(show, RECENT_MS, clock);
	let lastExit: Exit | null = null;
	let sample: (Sample & { unit: Unit; run: string; cpu: number | null }) | null = null;

	const now = () => clock.now().toISOString();
	/** `AppError('conflict')`, in words, when systemd refuses. */
	async function manage(...args: string[]) {
		try {
			await call('systemctl', ['--no-ask-password', ...args, name]);
		} catch (error) {
			throw refusal(error, name);
		} finally {
			recent.forget();
		}
	}

	async function state(): Promise<RuntimeState> {
		const observedAt = now();
		let unit: Unit;
		try {
			unit = await recent();
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const detail = `systemd cannot be asked: ${wordsOf(error).replace(/\.?$/, '.')}`;
			return { ...NOTHING, phase: 'unknown', detail, observedAt };
		}
		const { phase, detail } = phaseOf(unit, name);
		const runs = phase === 'running' || phase === 'stopping' || phase === 'paused';
		const graceMs = spanOf(unit.TimeoutStopUSec);
		return {
			phase,
			wanted: phase === 'stopped' ? 'down' : phase === 'unknown' ? 'unknown' : 'up',
			run: runs ? runOf(unit) : null,
			lastExit,
			restarts: countOf(unit.NRestarts),
			restartsItself: unit.Restart !== 'no' && unit.Restart !== '',
			...(graceMs === null ? {} : { graceMs }),
			...(detail ? { detail } : {}),
			observedAt
		};
	}

	const isCurrent = async (run: Run) => {
		const current = (await state()).run;
		return current?.id === run.id;
	};

	const kill = (run: Run) =>
		manage('kill', '-s', 'SIGKILL').catch(async (error) => {
			if (await isCurrent(run)) throw error; // else it has just ended
		});

	async function ended(run: Run, signal?: AbortSignal): Promise<Exit> {
		for (;;) {
			const exit = await exitNow(run);
			if (exit) return (lastExit = exit);
			await clock.sleep(ASK_EVERY_MS, signal);
		}
	}

	/** Null while it runs, or while that cannot be determined. */
	async function exitNow(run: Run): Promise<Exit | null> {
		const unit = await recent().catch(() => null);
		if (!unit || unit.LoadState !== 'loaded') return null;
		const { phase } = phaseOf(unit, name);
		if (idOf(unit) === run.id) {
			return phase === 'stopped' || phase === 'restarting' ? exitOf(unit, clock.now()) : null;
		}
		// What the unit itself says is reset at a restart; the journal remembers.
		const told = await exitFromJournal(call, run.id.slice(PREFIX.length)).catch(() => null);
		if (told) return told;
		// systemd forgets a unit that ended well, and keeps one that failed.
		const clean = phase === 'stopped' && unit.Result === 'success';
		return { code: null, signal: null, at: now(), cause: clean ? 'clean' : 'unknown' };
	}

	/** systemd has accepted the stop: from then on it starts nothing by itself. */
	const heeded = () =>
		deadline(
			{ ms: CALL_LIMIT_MS, clock },
			async (signal) => {
				for (;;) {
					recent.forget();
					const { phase } = await state();
					if (phase !== 'restarting' && phase !== 'starting' && phase !== 'running') return;
					await clock.sleep(HEED_EVERY_MS, signal);
				}
			},
			() => {} // it is busy; the caller waits for the end anyway
		);

	async function started(before: string, signal: AbortSignal): Promise<Run> {
		for (;;) {
			recent.forget();
			const { run } = await state();
			if (run && run.id !== before) return run;
			const unit = await recent();
			if (unit.ActiveState === 'failed' && idOf(unit) !== before)
				throw new AppError('upstream', exitOf(unit, clock.now()).words ?? NOT_STARTED(name));
			await clock.sleep(ASK_EVERY_MS, signal);
		}
	}

	return {
		kind: 'systemd',
		can: { kill: true },
		state,
		watch: (onChange) => watchByAsking(state, onChange, clock),
		async startable() {
			const { phase, detail } = await state();
			if (phase === 'unknown') return { why: detail ?? NOT_STARTED(name) };
			return { how: `systemd starts ${name}.` };
		},
		async start() {
			const before = await state();
			if (before.phase === 'unknown')
				throw new AppError('conflict', before.detail ?? NOT_STARTED(name));
			if (before.phase !== 'stopped')
				throw new AppError('conflict', `${name} is ${before.phase} already.`);
			const last = idOf(await recent());
			await manage('reset-failed').catch(() => {}); // only a unit that failed has something to reset
			await manage('start', '--no-block');
			return deadline(
				{ ms: START_LIMIT_MS, clock },
				(signal) => started(last, signal),
				() => {
					throw new AppError('upstream', NOT_STARTED(name));
				}
			);
		},
		async stop() {
			recent.forget();
			// Even when systemd has replaced the run in the meantime: that one is not wanted either.
			if ((await state()).wanted !== 'up') return;
			await manage('stop', '--no-block');
			await heeded();
		},
		async terminate(run) {
			// A signal alone would be followed by systemd's own restart.
			if (await isCurrent(run)) await manage('stop', '--no-block');
		},
		async kill(run) {
			if (!(await isCurrent(run))) return;
			await manage('stop', '--no-block');
			await kill(run);
		},
		async alive(run) {
			const { phase, run: current } = await state();
			return phase === 'unknown' || current?.id === run.id; // unknown: it does not count as ended
		},
		ended,
		output: (since) => printedSince(call, name, since).catch(() => []),
		async usage() {
			const { run } = await state();
			if (!run) return null;
			const unit = await recent();
			const nanoseconds = countOf(unit.CPUUsageNSec);
			const atMs = clock.monotonicMs();
			const before = sample?.run === run.id ? sample : null;
			if (before?.unit !== unit)
				sample = {
					unit,
					run: run.id,
					nanoseconds,
					atMs,
					cpu: share(before, { nanoseconds, atMs })
				};
			const memory = countOf(unit.MemoryCurrent);
			const cpuSeconds = nanoseconds === null ? null : nanoseconds / 1e9;
			const cpu = sample?.cpu ?? null;
			return { cpu, cpuSeconds, memory, limit: countOf(unit.MemoryMax), at: now() };
		},
		close() {}
	};
}

const PREFIX = 'systemd ';
const NOTHING = {
	wanted: 'unknown',
	run: null,
	lastExit: null,
	restarts: null,
	restartsItself: true
} as const;

type Sample = { nanoseconds: number | null; atMs: number };
/** Percent of one core between the two; null when unknown. */
const share = (before: Sample | null, now: Sample) =>
	!before || before.nanoseconds === null || now.nanoseconds === null || now.atMs <= before.atMs
		? null
		: Math.max(0, (now.nanoseconds - before.nanoseconds) / 1e6 / (now.atMs - before.atMs)) * 100;

const idOf = ({ InvocationID }: Unit) => PREFIX + InvocationID;

/** A run lasts until its unit has ended: after its main process, children of that may still be saving. */
function runOf(unit: Unit): Run | null {
	const startedAt = timeOf(unit.ExecMainStartTimestamp);
	if (!unit.InvocationID || !startedAt) return null;
	return { id: idOf(unit), startedAt, pid: countOf(unit.MainPID) || null, ours: true };
}

const NOT_STARTED = (name: string) =>
	`systemd did not start ${name}. Look at: systemctl status ${name}`;

/** What systemd printed is the cause; these are the ones that people can do something about. */
function refusal(error: unknown, name: string): unknown {
	if (!(error instanceof AppError)) return error;
	const words = String(error.cause ?? '');
	if (/access denied|authentication|not permitted|permission/i.test(words))
		return new AppError(
			'conflict',
			`systemd does not let this user manage ${name}. Install the polkit rule of deploy/systemd, or use a user unit.`,
			{ cause: error }
		);
	return new AppError('upstream', `systemd refused: ${wordsOf(error)}`, { cause: error });
}

/** The last line that the program printed, or what became of it. */
const wordsOf = (error: AppError) =>
	(typeof error.cause === 'string' && error.cause.trim().split('\n').at(-1)) || error.message;
