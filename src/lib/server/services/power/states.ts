import { CAN_KILL } from '#schemas/plain/words/kill-words';
import { elapsed } from '#schemas/plain/words/duration';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createSerial } from '#core/serial';
import type { CrashEvidence, LogMark, ServerRun } from '#minecraft/diagnosis';
import type { Installation } from '#minecraft/folder';
import type { Run, Runtime, RuntimeState } from '#runtime';
import type { Crash, Observation, Settled } from '#operations';
import { NOTHING_KNOWN, type Facts, type FactStore, type Log } from './facts.ts';
import { createResponsiveness, SILENCE_MS } from './responsiveness.ts';
import { cannotLaunch, judge, type Diagnose, type End } from './exit-classifier.ts';

/** What the server is, from its run, our own actions and the answers to probes. */
export interface States {
	observe(): Promise<Observation>;
	/** The result of a probe that was made just now. */
	probed(ok: boolean): void;
	/** A new run: what was known of the previous one is forgotten, then the process is started. */
	launch(start: () => Promise<Run>): Promise<void>;
	/**
	 * A stop is on disk before it resolves, so that the end is never taken for a crash. A kill does not wait for a disk.
	 */
	stopRequested(how: 'stop' | 'restart' | 'kill', by: string): Promise<void>;
	/** The request could not be delivered. */
	stopFailed(): Promise<void>;
	/** It printed its ready line, or answered. */
	ready(run: Run): Promise<void>;
	/** Which lines and reports belong to this run, or to the last one that was seen. */
	traceOf(run: Run | null): Promise<ServerRun | null>;
	/** How long the run that crashed last, within a day, had been ready; null where one has outlived it since. */
	crashedLately(): Promise<number | null>;
	/** The end that is known was part of something that is over: it counts as what it is told to be from now on. */
	settle(end: Settled): Promise<void>;
	/** The last probe was lost, and not because it ends: the sooner it is asked again, the sooner that means something. */
	readonly silent: boolean;
	/** The last observation, without looking again. */
	readonly last: Observation | null;
}

type Deps = {
	runtime: Runtime;
	facts: FactStore;
	evidence: CrashEvidence;
	installation: () => Promise<Installation>;
	isReady: (line: string) => boolean;
	diagnose: Diagnose;
	/** How long a start usually takes; null while none is known. */
	usualStartMs: () => Promise<number | null>;
	clock: Clock;
	/** The state, or what explains it, has changed. */
	changed: () => void;
	log: Log;
};

/** Of every ready line. */
const READY_PART = 'Done (';
/** A server that was told to stop may save for so long before it counts as one that does not heed it. */
const STOP_PATIENCE_MS = 5 * 60_000;
/** What is started within this time after a stop was hardly started by a person who wanted something else. */
const AGAIN_MS = 60_000;
const TELL_AGAIN_MS = 5 * 60_000;
/** A probe that was under way when the process before ended may answer for it this late. */
const LATE_ANSWER_MS = 5000;
/** Not even a large save takes that long: from then on it hangs. */
const HANGING_MS = 2 * 60_000;
/** A start that takes so many times as long as usual is unusual; and so long, where nothing is known of earlier ones. */
const UNUSUAL = 3;
const UNUSUAL_MS = 10 * 60_000;
const LATELY_MS = 24 * 3_600_000;

export function createStates(deps: Deps): States {
	const { runtime, facts: store, evidence, clock } = deps;
	const responsiveness = createResponsiveness(clock);
	/** Each change reads what the one before has written. */
	const { run: serial } = createSerial();
	let last: Observation | null = null;
	let launching = false;
	/** As far as the log was searched for the ready line. */
	let searched: LogMark | null = null;
	/** When it was last seen to have grown. */
	let grewMs = clock.monotonicMs();

	async function look(): Promise<Observation> {
		const facts = await store.read();
		const now = await runtime.state();
		const seen =
			unclear(facts, now) ?? (now.run ? await living(facts, now.run, now) : await gone(facts, now));
		const before = last;
		last = seen;
		if (before && describe(before) !== describe(seen)) deps.changed();
		return seen;
	}

	async function living(facts: Facts, run: Run, engine: RuntimeState): Promise<Observation> {
		const now = facts.run?.id === run.id ? facts : await adopt(facts, run, engine);
		const readyAt = now.readyAt ?? (await readyByLog(now, run));
		const silentMs = readyAt ? await silence() : null;
		const ending = stopping(now, engine, silentMs, clock.now());
		const state = ending ?? up(now, run, readyAt, silentMs);
		const nothing = { diagnosis: null, endedAt: null };
		const told = now.stop ? { told: true as const, toldAt: now.stop.at } : null;
		const isSilent = silentMs !== null && (!ending || wasSilent(now.stop, silentMs, clock.now()));
		const since = isSilent && {
			silentSince: silentSince(silentMs),
			...((silentMs >= HANGING_MS || (ending && now.stop)) && { hanging: true as const })
		};
		const late = state.state === 'starting' && (await lateStart(run));
		const known = { ...nothing, ...told, ...since, run, readyAt, crashedBefore: now.before };
		return { ...state, ...known, ...late };
	}

	/**
	 * Its log stands still: that is said at once, and counts as hanging when it has loaded for far longer than usual. While
	 * the log grows, a large modpack only takes its time.
	 */
	async function lateStart({ startedAt }: Run) {
		const ageMs = clock.now().getTime() - Date.parse(startedAt);
		const quietMs = Math.min(ageMs, clock.monotonicMs() - grewMs);
		if (quietMs < HANGING_MS) return null;
		const usualMs = await deps.usualStartMs();
		const isLate = ageMs >= (usualMs === null ? UNUSUAL_MS : usualMs * UNUSUAL);
		const long = usualMs === null ? '' : ` A start usually takes ${elapsed(usualMs)}.`;
		const reason = `It is loading, but has written nothing to its log for ${span(quietMs)}.${long}`;
		return { reason, stalled: true as const, ...(isLate && { hanging: true as const }) };
	}

	/** The same at each look, however long ago the last probe was. */
	function silentSince(silentMs: number): string {
		const { sinceMs } = responsiveness;
		const agoMs = sinceMs === null ? silentMs : clock.monotonicMs() - sinceMs;
		return new Date(clock.now().getTime() - agoMs).toISOString();
	}

	/** For how long it has answered nothing; null while it answers, and where it is never asked. */
	async function silence(): Promise<number | null> {
		const silentMs = responsiveness.lastedMs();
		if (silentMs === null) return null;
		const { game, rcon } = await deps.installation();
		return game.statusEnabled || rcon.enabled ? silentMs : null;
	}

	/** What it is without a word of ours, or in spite of one. */
	function up(
		{ stop, again }: Facts,
		run: Run,
		readyAt: string | null,
		silentMs: number | null
	): Explained {
		const now = clock.now();
		const { state, reason } = readyAt ? running(silentMs) : STARTING;
		const isNew = now.getTime() - Date.parse(run.startedAt) < TELL_AGAIN_MS;
		const outside = again && isNew ? startedAgain(again) : null;
		return { state, reason: words(reason, outside, stop && unheeded(stop, now, state)) };
	}

	/** A run not seen before. One that was there when the stop was asked for (a start script's java) is stopping too. */
	async function adopt(facts: Facts, run: Run, { restarts }: RuntimeState) {
		responsiveness.reset();
		searched = null;
		grewMs = clock.monotonicMs();
		const replaced = facts.run !== null && restarts !== null;
		const end = replaced ? (facts.end ?? (await endOf(facts, facts.run!))) : null;
		const before = end?.state === 'crashed' ? end : null;
		const crashed = end ? crashedLast(facts, end) : facts.crashed;
		const stop = !facts.end && facts.stop && run.startedAt <= facts.stop.at ? facts.stop : null;
		const mark = run.ours ? facts.mark : null;
		const again = !run.ours && facts.stop && facts.end && isSoonAfter(facts.end, run);
		const by = again ? facts.stop!.by : null;
		return store.note({ run, mark, stop, readyAt: null, end: null, before, again: by, crashed });
	}

	async function readyByLog(facts: Facts, run: Run): Promise<string | null> {
		const end = await evidence.mark();
		if (!end || (end.file === searched?.file && end.size === searched.size)) return null;
		const mark = searched ?? facts.mark;
		searched = end;
		grewMs = clock.monotonicMs();
		const isThere = await evidence.has({ since: run.startedAt, mark }, READY_PART, deps.isReady);
		return isThere ? becomeReady() : null;
	}

	async function becomeReady() {
		responsiveness.reset();
		const readyAt = clock.now().toISOString();
		await store.note({ readyAt });
		return readyAt;
	}

	async function gone(facts: Facts, engine: RuntimeState): Promise<Observation> {
		const nothing = { run: null, diagnosis: null, readyAt: null, endedAt: null };
		if (launching) return { ...nothing, ...STARTING };
		const { end } = facts.run && !facts.end ? await settle(facts, facts.run) : facts;
		if (engine.phase === 'starting' || engine.phase === 'restarting') {
			const crashedBefore = end?.state === 'crashed' ? end : null;
			const reason = crashedBefore && words(crashedBefore.reason, COMES_AGAIN);
			return { ...nothing, ...STARTING, ...(reason && { reason }), crashedBefore };
		}
		if (!end) return { ...nothing, state: 'stopped', reason: null };
		const { state, diagnosis, at, failed } = end;
		const detail = engine.detail && end.reason?.endsWith(engine.detail) ? null : engine.detail;
		const reason = state === 'crashed' ? words(end.reason, detail) : end.reason;
		const killed = facts.stop?.how === 'kill' && { killedBy: facts.stop.by };
		return {
			...nothing,
			state,
			reason,
			diagnosis,
			endedAt: at,
			...lastRun(facts.run, end),
			...(end.endedRun && { endedRun: end.endedRun }),
			...(failed && { failed }),
			...killed
		};
	}

	async function settle(facts: Facts, run: Run) {
		// It is alive, but in a folder other than the one configured now: it is no longer ours.
		if (await runtime.alive(run)) return store.note(NOTHING_KNOWN);
		const end = await endOf(facts, run);
		return store.note({ end, crashed: crashedLast(facts, end) });
	}

	async function endOf(facts: Facts, run: Run) {
		const exit = await runtime.ended(run);
		const end = await judge(facts, exit, { evidence, diagnose: deps.diagnose, now: clock.now() });
		return { ...end, endedRun: run.id };
	}

	const observe = () => serial(look);

	const ready = (run: Run) =>
		serial(async () => {
			let facts = await store.read();
			if (facts.run?.id !== run.id) facts = await adopt(facts, run, await runtime.state());
			if (!facts.readyAt) await becomeReady();
			await look();
		});

	return {
		observe,
		ready,
		probed(ok) {
			responsiveness.probed(ok);
			const run = last?.run;
			if (!ok || !run || (last?.state !== 'starting' && last?.state !== 'unknown')) return;
			const ageMs = clock.now().getTime() - Date.parse(run.startedAt);
			if (last.state === 'starting' && ageMs < LATE_ANSWER_MS) return;
			ready(run).catch((cause) => deps.log.error('The state could not be updated', { cause }));
		},
		async launch(start) {
			launching = true;
			try {
				await serial(async () => {
					const { crashed } = await store.read();
					await store.change({ ...NOTHING_KNOWN, crashed, mark: await evidence.mark() });
				});
				await observe();
				const run = await start();
				// It may end before it is next observed, and its end must be explained all the same.
				await serial(() => store.change({ run }));
			} catch (error) {
				if (error instanceof AppError && error.kind === 'upstream')
					await serial(() => store.note({ end: cannotLaunch(error, clock.now()) }));
				throw error;
			} finally {
				launching = false;
				await observe();
			}
		},
		stopRequested: (how, by) =>
			serial(async () => {
				await look();
				const stop = { how, by, at: clock.now().toISOString() };
				await (how === 'kill' ? store.note({ stop }) : store.change({ stop }));
				await look();
			}),
		stopFailed: () =>
			serial(async () => {
				await store.note({ stop: null });
				await look();
			}),
		traceOf: (run) =>
			serial(async () => {
				const facts = await store.read();
				const of = run ?? facts.run;
				if (!of) return null;
				return { since: of.startedAt, mark: facts.run?.id === of.id ? facts.mark : null };
			}),
		async crashedLately() {
			const { crashed } = await store.read();
			if (!crashed || clock.now().getTime() - Date.parse(crashed.at) > LATELY_MS) return null;
			return crashed.livedMs;
		},
		settle: ({ reason, failed, crash, own }) =>
			serial(async () => {
				const { run } = await look();
				const facts = await store.read();
				const { end } = facts;
				if (run || !end) return;
				if (crash) await store.change({ end: downFor(crash, end, facts.run), stop: null });
				else if (end.state === 'crashed' || failed || own) {
					const settled = { at: end.at, state: 'stopped' as const, reason, diagnosis: null };
					await store.change({ end: { ...settled, ...(failed && { failed }) } });
				} else return;
				await look();
			}),
		get silent() {
			const isUp = last?.state === 'running' || last?.state === 'unknown';
			return responsiveness.begun && (isUp || last?.silentSince !== undefined);
		},
		get last() {
			return last;
		}
	};
}

/** What is remembered of crashes once this run has ended so. */
function crashedLast({ readyAt, crashed }: Facts, { at, state, diagnosis }: End): Facts['crashed'] {
	// What ended it from outside says nothing about when it would crash.
	if (!readyAt || diagnosis?.remedy === 'start') return crashed;
	const livedMs = Date.parse(at) - Date.parse(readyAt);
	if (state === 'crashed' && livedMs >= 0) return { at, livedMs };
	return crashed && livedMs > crashed.livedMs ? null : crashed;
}

/** The same crash as before. A person has tried something since: it is not started again by itself any more. */
const downFor = ({ at, reason, diagnosis, endedRun }: Crash, last: End, run: Run | null) => {
	const tried = last.at === at ? last.tried : run && { startedAt: run.startedAt, endedAt: last.at };
	return {
		...{ at, state: 'crashed' as const, reason, endedRun },
		diagnosis: diagnosis && { ...diagnosis, restartable: false },
		...(tried && { tried })
	};
};

function lastRun(run: Run | null, { at, tried }: End): Pick<Observation, 'lastRun'> {
	const last = tried ?? (run && { startedAt: run.startedAt, endedAt: at });
	return last ? { lastRun: last } : {};
}

type Explained = Pick<Observation, 'state' | 'reason'>;

const COMES_AGAIN = 'Whatever runs the server starts it again by itself.';
/** A sentence that another one follows ends with a full stop; alone it stays as it is. */
const words = (...sentences: (string | null | undefined)[]) => {
	const said = sentences.filter((one) => !!one);
	const isLast = (index: number) => index === said.length - 1;
	return (
		said.map((one, i) => (isLast(i) || /[.!?]$/.test(one!) ? one : `${one}.`)).join(' ') || null
	);
};

function running(silentMs: number | null): Explained {
	if (silentMs === null) return { state: 'running', reason: null };
	return { state: 'unknown', reason: `It runs, but has not answered for ${span(silentMs)}.` };
}

const STARTING: Explained = { state: 'starting', reason: 'It is loading.' };

/** States that no look at the log or the game could clarify. */
function unclear(facts: Facts, { phase, run, detail }: RuntimeState): Observation | null {
	if (phase !== 'unknown' && phase !== 'paused') return null;
	const paused = phase === 'paused';
	const why = detail ?? (paused ? 'It is paused.' : 'Whether it runs cannot be seen.');
	const isStopping = paused && facts.stop !== null && facts.run?.id === run?.id;
	const reason = isStopping ? `${why} It stops when it goes on.` : why;
	return {
		state: isStopping ? 'stopping' : 'unknown',
		run,
		reason,
		diagnosis: null,
		readyAt: null,
		endedAt: null
	};
}

type Stop = NonNullable<Facts['stop']>;
const sinceMs = ({ at }: Stop, now: Date) => now.getTime() - Date.parse(at);

/** Whether it had stopped answering before it was told to end: as it ends, any server does. */
const wasSilent = (stop: Facts['stop'], silentMs: number, now: Date) =>
	!stop || silentMs - sinceMs(stop, now) >= SILENCE_MS;

/** Someone has asked for it to end, here or in whatever runs it, and it may still be about to. */
function stopping(
	{ stop }: Facts,
	{ phase, detail }: RuntimeState,
	silentMs: number | null,
	now: Date
): Explained | null {
	if (!stop || (sinceMs(stop, now) >= STOP_PATIENCE_MS && phase !== 'stopping'))
		return phase === 'stopping' ? { state: 'stopping', reason: detail ?? 'It is ending.' } : null;
	const { how, by } = stop;
	if (how === 'kill') return { state: 'stopping', reason: `${by} is killing the server.` };
	const isRestart = how === 'restart';
	const reason =
		silentMs === null || !wasSilent(stop, silentMs, now)
			? `${by} is ${isRestart ? 'restarting' : 'stopping'} the server, which saves its worlds first.`
			: `${by} ${isRestart ? 'is restarting it' : 'told it to stop'}, but it has not answered for ${span(silentMs)} and may not end by itself.`;
	return { state: 'stopping', reason };
}

const isSoonAfter = (end: NonNullable<Facts['end']>, { startedAt }: Run) =>
	Date.parse(startedAt) - Date.parse(end.at) < AGAIN_MS;

const startedAgain = (by: string) =>
	`Something outside the dashboard started it again after ${by} had stopped it. End what starts it (a script in a loop, a service), then stop it here.`;

function unheeded(stop: Stop, now: Date, state: Explained['state']): string {
	const ago = `${span(sinceMs(stop, now))} ago`;
	if (stop.how === 'kill') return `${stop.by} killed it ${ago}, and it has not ended.`;
	const told =
		stop.how === 'restart'
			? `${stop.by} is restarting it: it was told to stop ${ago}, and has not ended.`
			: `${stop.by} told it to stop ${ago}, and it has not ended.`;
	// What helps one that does not answer depends on what is under way, and is said where that is known.
	return state === 'unknown' ? told : `${told} If stopping it again does not help, ${CAN_KILL}.`;
}

/** `45 s`, `7 min`: for long, its seconds would say nothing. */
const span = (ms: number) => elapsed(ms < 120_000 ? ms : Math.floor(ms / 60_000) * 60_000);

/** What people see of it, without the time that passes. */
const describe = ({ state, run, reason, readyAt, hanging }: Observation) =>
	JSON.stringify([
		state,
		run?.id,
		reason?.replaceAll(/(\d+ (d|h|min|s)\b ?)+/g, ''),
		readyAt,
		hanging
	]);
