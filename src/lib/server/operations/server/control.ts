import type { ServerState } from '#schemas/status';
import type { Diagnosis } from '#minecraft/diagnosis';
import type { Run } from '#runtime';
import type { StepContext } from '../definition.ts';

/** The state of the server, as far as its run, our own actions and probes show it. */
export type Observation = {
	state: ServerState;
	/** The current run. */
	run: Run | null;
	/** One sentence; null when there is nothing to explain. */
	reason: string | null;
	diagnosis: Diagnosis | null;
	readyAt: string | null;
	/** ISO 8601: when the run was seen to have ended; of a crash that a change did not mend, that crash. */
	endedAt: string | null;
	/** ISO 8601: when the last run began and ended; absent while one lasts, and where that is not known. */
	lastRun?: { startedAt: string; endedAt: string };
	/** The id of the run that has ended; absent while one lasts, and where that is not known. */
	endedRun?: string | undefined;
	/** The crash before this run, or before the next one, where whatever runs the server restarts it by itself. */
	crashedBefore?: Crash | null;
	/** The run was told to end, however long ago; absent otherwise. */
	told?: true;
	/** ISO 8601: when it was told so last; absent otherwise. */
	toldAt?: string;
	/** Why it does not come up, although its last end counts as a stop by now; absent where nothing is known of that. */
	failed?: Failing;
	/** Who killed the run that has ended; absent otherwise. */
	killedBy?: string;
	/** ISO 8601: it has answered nothing since then, not even before it was told to end; absent otherwise. */
	silentSince?: string;
	/** It loads, and its log has stalled: the reason says for how long; absent otherwise. */
	stalled?: true;
	/** That is longer than any pause, or it is to end and may not do so by itself, or it loads for unusually long; absent otherwise. */
	hanging?: true;
};

/** Why a server did not come up, as far as two such failures can be compared. */
export type Failing = { code: string; message: string; log: string[]; mods: string[] };

/** An end that nobody asked for; `at` (ISO 8601) identifies it. `endedRun`: the id of what crashed, where that is known. */
export type Crash = {
	at: string;
	reason: string | null;
	diagnosis: Diagnosis | null;
	endedRun?: string | undefined;
};

/** The last crash that an observation knows of; the same one is seen many times. */
export function crashSeen(seen: Omit<Observation, 'run' | 'readyAt'>): Crash | null {
	const { state, endedAt, reason, diagnosis, endedRun } = seen;
	if (state === 'crashed' && endedAt) return { at: endedAt, reason, diagnosis, endedRun };
	return seen.crashedBefore ?? null;
}

/** In an operation's memory: the id of the run that it started. */
export const LAUNCHED = 'launched';

/** When the ping or RCON answers but there is no process: someone else's, a container's, or one we do not recognise. */
export const UNSEEN =
	'Something answers at the server’s address, but its process is not visible from here.';

/** What was seen of a server that is being verified; each is reported once. */
export type Sign = 'opened' | 'ready' | 'answered' | 'crashed';

/** How long players are warned before their server is stopped, and with which words. */
export type Countdown = { seconds: number; message: string };

/**
 * What an operation of another service does with the server, while it holds the lock. Each checks first what
 * is there, so that it can be repeated after a crash of the dashboard. Failures carry the cause.
 */
export interface ServerControl {
	/** The game's run; null when there is none. */
	run(): Promise<Run | null>;
	observe(): Promise<Observation>;
	/** `AppError('conflict')` when the game runs here, or something else answers at the server's address. */
	ensureStopped(): Promise<void>;
	/** `AppError('conflict')` when it could not be started again; checked before it is stopped. */
	ensureStartable(): Promise<void>;
	/**
	 * Tells the players how long is left, and waits; skips the step when the server ends meanwhile. Goes on where it was
	 * after a crash of the dashboard.
	 */
	countDown(ctx: StepContext, wish: Countdown): Promise<void>;
	/** Tells the players that it does not come to what they were told, if the server still runs for them; true when it did. */
	callOff(ctx: StepContext): Promise<boolean>;
	/** Tells the players (unless a countdown just has), then the server to stop, and waits for its run to end, however long it saves. */
	halt(ctx: StepContext, by: string, words: string): Promise<void>;
	/** Only for a run that this very operation started and that never answered: stop, SIGTERM, SIGKILL. */
	end(ctx: StepContext, by: string): Promise<void>;
	/** First waits for a run that is still ending. */
	launch(ctx: StepContext): Promise<void>;
	/** Waits until it is healthy and stays so; `tell` is called with what is seen meanwhile. */
	verify(ctx: StepContext, tell?: (sign: Sign) => Promise<void>): Promise<void>;
	/** A crash that belonged to the operation is over: nothing is restarted for it. */
	settle(end: Settled): Promise<void>;
}

/** What the end of a run counts as once an operation is through with it. */
export type Settled = {
	reason: string;
	/** Why it does not come up all the same. */
	failed?: Failing | null;
	/** What it was down for before: it still is, whatever was tried in between. */
	crash?: Crash | null;
	/** The operation had started that run itself, so that nobody else has stopped it. */
	own?: boolean;
};
