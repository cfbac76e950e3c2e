import type { ServerState } from '#schemas/status';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Diagnosis, LastWords, LogMark, ServerRun } from '#minecraft/diagnosis';
import type { Installation } from '#minecraft/folder';
import type { ProcessControl, ServerProcess } from '#runtime/process';
import { NOTHING_KNOWN, type Facts, type FactStore, type Log } from './facts.ts';
import { createSilence } from './responsiveness.ts';
import { cannotLaunch, judge, type Diagnose } from './exit-classifier.ts';

export type Observation = {
	state: ServerState;
	process: ServerProcess | null;
	/** One sentence; null when there is nothing to explain. */
	reason: string | null;
	diagnosis: Diagnosis | null;
	readyAt: string | null;
	/** ISO 8601: when the process was seen to have ended. */
	endedAt: string | null;
};

/** What the server is, from its process, our own deeds and the answers to probes. */
export interface States {
	observe(): Promise<Observation>;
	/** The result of a probe that was made just now. */
	probed(ok: boolean): void;
	/** A new run: what was known of the one before is forgotten, then the process is started. */
	launch(start: () => Promise<ServerProcess>): Promise<void>;
	/** On disk before it resolves, so that the end is never taken for a crash. */
	stopRequested(how: 'stop' | 'kill', by: string): Promise<void>;
	/** The request could not be delivered. */
	stopFailed(): Promise<void>;
	/** It printed its ready line, or answered. */
	ready(process: ServerProcess): Promise<void>;
	/** Which lines and reports belong to this process, or to the last one that was seen. */
	runOf(process: ServerProcess | null): Promise<ServerRun | null>;
	/** The crash that is known was part of something that is over: it counts as stopped from now on. */
	settle(reason: string): Promise<void>;
	/** It is ready and the last probe was lost: the sooner it is asked again, the sooner that means something. */
	readonly silent: boolean;
	/** The process of the last observation, without looking again. */
	readonly last: Observation | null;
}

type Deps = {
	process: ProcessControl;
	facts: FactStore;
	words: LastWords;
	installation: () => Promise<Installation>;
	isReady: (line: string) => boolean;
	diagnose: Diagnose;
	clock: Clock;
	/** The state, or what explains it, is another than before. */
	changed: () => void;
	log: Log;
};

/** Of every ready line. */
const READY_PART = 'Done (';
/** A probe that was under way when the process before ended may answer for it this late. */
const LATE_ANSWER_MS = 5000;

export function createStates(deps: Deps): States {
	const { process: control, facts: store, words, clock } = deps;
	const silence = createSilence(clock);
	const serial = createQueue();
	let last: Observation | null = null;
	let launching = false;
	/** As far as the log was searched for the ready line. */
	let searched: LogMark | null = null;

	async function look(): Promise<Observation> {
		const facts = await store.read();
		const process = await control.find();
		const seen = process ? await living(facts, process) : await gone(facts);
		const before = last;
		last = seen;
		if (before && describe(before) !== describe(seen)) deps.changed();
		return seen;
	}

	async function living(facts: Facts, process: ServerProcess): Promise<Observation> {
		const now = isSame(facts.process, process) ? facts : await adopt(facts, process);
		const readyAt = now.readyAt ?? (await readyByLog(now, process));
		const state = now.stop ? stopping(now.stop) : readyAt ? await running() : STARTING;
		return { ...state, process, readyAt, diagnosis: null, endedAt: null };
	}

	async function running(): Promise<Explained> {
		const silentMs = silence.lastedMs();
		if (silentMs === null) return { state: 'running', reason: null };
		const { game, rcon } = await deps.installation();
		if (!game.statusEnabled && !rcon.enabled) return { state: 'running', reason: null };
		return { state: 'unknown', reason: `It runs, but has not answered for ${span(silentMs)}.` };
	}

	/** A process not seen before. One that was there when the stop was asked for (a start script's java) is stopping too. */
	async function adopt(facts: Facts, process: ServerProcess) {
		silence.reset();
		searched = null;
		const stop = !facts.end && facts.stop && process.startedAt <= facts.stop.at ? facts.stop : null;
		const mark = process.ours ? facts.mark : null;
		return store.note({ process, mark, stop, readyAt: null, end: null });
	}

	async function readyByLog(facts: Facts, process: ServerProcess): Promise<string | null> {
		const end = await words.mark();
		if (!end || (end.file === searched?.file && end.size === searched.size)) return null;
		const mark = searched ?? facts.mark;
		searched = end;
		const isThere = await words.has({ since: process.startedAt, mark }, READY_PART, deps.isReady);
		return isThere ? becomeReady() : null;
	}

	async function becomeReady() {
		silence.reset();
		const readyAt = clock.now().toISOString();
		await store.note({ readyAt });
		return readyAt;
	}

	async function gone(facts: Facts): Promise<Observation> {
		const nothing = { process: null, diagnosis: null, readyAt: null, endedAt: null };
		if (launching) return { ...nothing, ...STARTING };
		const { end } = facts.process && !facts.end ? await settle(facts, facts.process) : facts;
		if (!end) return { ...nothing, state: 'stopped', reason: null };
		const { state, reason, diagnosis, at } = end;
		return { ...nothing, state, reason, diagnosis, endedAt: at };
	}

	async function settle(facts: Facts, process: ServerProcess) {
		// It lives, but in another folder than the one that is configured now: no longer our business.
		if (control.alive(process)) return store.note(NOTHING_KNOWN);
		const exit = await control.ended(process);
		const { bootId } = control;
		const end = await judge(facts, exit, {
			words,
			diagnose: deps.diagnose,
			bootId,
			now: clock.now()
		});
		return store.note({ end });
	}

	const observe = () => serial(look);

	const ready = (process: ServerProcess) =>
		serial(async () => {
			let facts = await store.read();
			if (!isSame(facts.process, process)) facts = await adopt(facts, process);
			if (!facts.readyAt) await becomeReady();
			await look();
		});

	return {
		observe,
		ready,
		probed(ok) {
			silence.probed(ok);
			const process = last?.process;
			if (!ok || !process || (last?.state !== 'starting' && last?.state !== 'unknown')) return;
			const ageMs = clock.now().getTime() - Date.parse(process.startedAt);
			if (last.state === 'starting' && ageMs < LATE_ANSWER_MS) return;
			ready(process).catch((cause) => deps.log.error('The state could not be updated', { cause }));
		},
		async launch(start) {
			launching = true;
			try {
				await serial(async () => store.change({ ...NOTHING_KNOWN, mark: await words.mark() }));
				await observe();
				const process = await start();
				// It may end before anybody looks, and is to be mourned all the same.
				await serial(() => store.change({ process }));
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
				await store.change({ stop: { how, by, at: clock.now().toISOString() } });
				await look();
			}),
		stopFailed: () =>
			serial(async () => {
				await store.change({ stop: null });
				await look();
			}),
		runOf: (process) =>
			serial(async () => {
				const facts = await store.read();
				const of = process ?? facts.process;
				if (!of) return null;
				return { since: of.startedAt, mark: isSame(facts.process, of) ? facts.mark : null };
			}),
		settle: (reason) =>
			serial(async () => {
				const { process } = await look();
				const { end } = await store.read();
				if (process || end?.state !== 'crashed') return;
				await store.change({ end: { at: end.at, state: 'stopped', reason, diagnosis: null } });
				await look();
			}),
		get silent() {
			return silence.begun && (last?.state === 'running' || last?.state === 'unknown');
		},
		get last() {
			return last;
		}
	};
}

type Explained = Pick<Observation, 'state' | 'reason'>;

const STARTING: Explained = { state: 'starting', reason: 'It is loading.' };

const stopping = ({ how, by }: NonNullable<Facts['stop']>): Explained => ({
	state: 'stopping',
	reason: how === 'kill' ? `${by} kills it.` : `${by} stops it; it saves its worlds first.`
});

/** One deed after another: each reads what the one before has written. */
function createQueue() {
	let queue: Promise<unknown> = Promise.resolve();
	return <T>(deed: () => Promise<T>): Promise<T> => {
		const next = queue.then(deed);
		queue = next.catch(() => {}); // whoever asked gets the error; the next deed runs all the same
		return next;
	};
}

const isSame = (a: ServerProcess | null, b: ServerProcess) =>
	a?.pid === b.pid && a.startTicks === b.startTicks && a.bootId === b.bootId;

/** `45 s`, `7 min`. */
const span = (ms: number) =>
	ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.floor(ms / 60_000)} min`;

/** What people see of it, without the time that passes. */
const describe = ({ state, process, reason, readyAt }: Observation) =>
	JSON.stringify([state, process?.pid, reason?.replace(/\d+ (s|min)\.$/, ''), readyAt]);
