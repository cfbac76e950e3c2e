import { elapsed } from '#schemas/plain/words/duration';
import { deadline } from '#core/deadline';
import type { Diagnosis, ServerRun } from '#minecraft/diagnosis';
import type { Run } from '#runtime';
import type { FailureCause, StepContext } from '#operations';
import type { Diagnose } from '../exit-classifier.ts';
import { LOG_SHOWN, preparedIn, type ReadyDeps } from '../ready.ts';

export type VerifyDeps = ReadyDeps & {
	diagnose: Diagnose;
	/** Asks ping and RCON now, each where enabled; what did not answer, and why. */
	unanswered: () => Promise<{ what: string; why: string }[]>;
	/** How long everything must hold after the ready line, at least. */
	holdMs: number;
	/** Between two looks. */
	beatMs: number;
};

/** What a server that is being verified writes down. */
export type Watch = {
	/** Reads what is new. To be called once more when the run has ended. */
	look(run: Run | null): Promise<void>;
	/** Resolves with the ready line. */
	readonly ready: Promise<void>;
	/** When that was seen, on the monotonic clock. */
	readonly readyMs: number | null;
	/** How long it took from its process to its ready line; null where that was not seen. */
	readonly tookMs: number | null;
	/** It was ready before this began, after a crash of the dashboard: its line may be in a log of yesterday by now. */
	wasReady(): void;
	/** The world was touched. */
	readonly opened: boolean;
	/** The newest lines. */
	readonly lines: string[];
	progress(ctx: StepContext): void;
	/** A crash report, or mods that cannot be loaded; with everything that the process still writes. */
	trouble(ctx: StepContext, run: Run): Promise<Trouble | null>;
	close(): void;
};
export type Trouble = { crashed: boolean; cause: FailureCause };
type Evidence = { log: string[]; output: string[]; crashReport: string | null };

/** A crash report is on disk before its process has ended and the log says the rest. */
const LAST_WORDS_MS = 3000;
const WORLD_OPENED = /: Preparing (?:level|start region|spawn area)/;
const NOTHING: Evidence = { log: [], output: [], crashReport: null };

export function createWatch(deps: VerifyDeps): Watch {
	const { evidence, clock } = deps;
	const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
	let readyMs: number | null = null;
	let tookMs: number | null = null;
	let opened = false;
	let percent: number | null = null;
	let trace: ServerRun | null = null;
	let seen = NOTHING;

	const noteReady = () => {
		readyMs ??= clock.monotonicMs();
		isReady();
	};
	const seeReady = () => {
		if (trace) tookMs = clock.now().getTime() - Date.parse(trace.since);
		noteReady();
	};
	const scan = (lines: string[]) => {
		for (const line of lines) {
			opened ||= WORLD_OPENED.test(line);
			percent = preparedIn(line) ?? percent;
			if (readyMs === null && deps.isReady(line)) seeReady();
		}
	};
	const read = async () => {
		if (!trace) return;
		const of = trace;
		const [log, output, crashReport] = await Promise.all([
			evidence.log(of),
			evidence.output(of),
			evidence.crashReport(of)
		]);
		seen = { log, output, crashReport };
		scan(log);
	};
	/** The first one to know: between two looks many lines can pass. */
	const unsubscribe = deps.logs.subscribe(scan);

	const diagnosis = (): Diagnosis | null => {
		const found = deps.diagnose({ ...seen, exit: null });
		const bad = seen.crashReport !== null || (readyMs === null && found.code === 'mods');
		return bad ? found : null;
	};

	return {
		ready,
		get tookMs() {
			return tookMs;
		},
		wasReady() {
			tookMs = null;
			noteReady();
		},
		get readyMs() {
			return readyMs;
		},
		get opened() {
			return opened;
		},
		get lines() {
			return deps.shown(seen.log.slice(-LOG_SHOWN));
		},
		close: unsubscribe,
		async look(run) {
			if (run || !trace) trace = await deps.states.traceOf(run);
			await read();
		},
		progress(ctx) {
			if (percent === null) return ctx.detail('Waiting for its ready line.');
			ctx.detail('It prepares the world.');
			ctx.progress(percent, 100, '%');
		},
		async trouble(ctx, run) {
			if (!diagnosis()) return null;
			await endsSoon(ctx, run, deps);
			await read();
			const found = diagnosis();
			const first = whenFailed(readyMs, deps);
			return found && { crashed: seen.crashReport !== null, cause: causeOf(found, first) };
		}
	};
}

const endsSoon = (ctx: StepContext, run: Run, deps: VerifyDeps) =>
	deadline(
		{ ms: LAST_WORDS_MS, clock: deps.clock, signal: ctx.signal },
		(signal) => deps.runtime.ended(run, signal),
		() => {}
	);

/** How far it got; null when it was never ready. */
export function whenFailed(readyMs: number | null, { clock }: VerifyDeps): string | null {
	if (readyMs === null) return null;
	const ms = clock.monotonicMs() - readyMs;
	return `It did not stay up: it ${ms < 500 ? 'crashed at once' : `was ready for ${elapsed(ms)}`}.`;
}

export function causeOf(found: Diagnosis, first: string | null): FailureCause {
	const { message, advice, log, mods } = found;
	const isOfSet = advice !== '' && isAboutSet(found);
	const sentences = [first, message, isOfSet ? null : advice].filter(
		(part) => part !== null && part !== ''
	);
	// Some end with the log's own words.
	const told = sentences.map((part) => (/[.!?]$/.test(part!) ? part : `${part}.`)).join(' ');
	return { message: told, log, mods, diagnosis: found, ...(isOfSet && { advice }) };
}

/** What to do is to change the mods, or to take back their last change; not something about the machine. */
const isAboutSet = ({ code, restartable }: Diagnosis) =>
	['mods', 'crash', 'watchdog'].includes(code) || (code === 'unknown' && restartable);
