/**
 * How the game's server is started, watched and stopped, whatever does that: a process of ours, a keeper beside us, a
 * unit, a container. Whether players can join is not known here: its log, its ping and its console show that.
 */
export interface Runtime {
	readonly kind: 'process' | 'keeper' | 'systemd' | 'docker' | 'kubernetes';
	/** What is possible here at all. */
	readonly can: { kill: boolean };
	/** The current state. Never throws because something could not be queried: then the phase is `unknown`. */
	state(): Promise<RuntimeState>;
	/** Called each time the phase, the run or the number of restarts has changed. */
	watch(onChange: (state: RuntimeState) => void): Disposable;
	/** How a start would be made, in a sentence, or why none is possible at present. */
	startable(): Promise<Startable>;
	/**
	 * Starts the server in its folder. `mark` names this start, so that the run is found again whatever happens to
	 * us.
	 * `AppError('upstream')` when it cannot be started, `AppError('conflict')` when one runs already.
	 */
	start(mark: string): Promise<Run>;
	/**
	 * Withdraws the wish that it should run, and asks it to save and exit. Without a run: the one that the engine is
	 * about to start. Resolves when asked, not when ended, and never kills.
	 */
	stop(run: Run | null): Promise<void>;
	/**
	 * Asks exactly this run to save and exit (SIGTERM), nothing more. `AppError('conflict')` when we are not allowed
	 * to.
	 */
	terminate(run: Run): Promise<void>;
	/**
	 * Ends exactly this run at once, without saving, and for good: an engine that would restart it is told not to.
	 * `AppError('conflict')` when we are not allowed to.
	 */
	kill(run: Run): Promise<void>;
	/** Whether exactly this run is alive, wherever; cheaper than `state`. */
	alive(run: Run): Promise<boolean>;
	/** Resolves when the run has ended (not its port). Rejects with the signal's reason. */
	ended(run: Run, signal?: AbortSignal): Promise<Exit>;
	/** The newest lines printed since then (ISO 8601), as far as they are kept. */
	output(since: string): Promise<string[]>;
	/** What the current run uses; null when there is none or it cannot be determined. */
	usage(): Promise<Usage | null>;
	close(): void;
}

/** One run of the server, from its start to its end. */
export type Run = {
	/** Never reused. Only the runtime itself knows its form. */
	id: string;
	/** ISO 8601. */
	startedAt: string;
	/** For people to read; null when its process is not visible to us. */
	pid: number | null;
	/** Started by this installation. */
	ours: boolean;
};

export type Phase =
	'stopped' | 'starting' | 'running' | 'stopping' | 'restarting' | 'paused' | 'unknown';

export type RuntimeState = {
	phase: Phase;
	/** What the engine itself intends; `unknown` when it has no intent of its own. */
	wanted: 'up' | 'down' | 'unknown';
	run: Run | null;
	lastExit: Exit | null;
	/**
	 * A number that grows when the engine restarts the game by itself; null when it does not count. Where it counts,
	 * another run is always another start, never a start script's child.
	 */
	restarts: number | null;
	/** It restarts the game when that ends: then we do not, and a stop must go through it. */
	restartsItself: boolean;
	/** How long the engine waits for the world to be saved before it kills; absent when it never does. */
	graceMs?: number;
	/** As whom the game runs; absent when only the owner of its folder tells. */
	uid?: number;
	/** What in its configuration would undo a change of mods at the next start, by name. */
	undoneBy?: string[];
	/** Why, in a sentence. */
	detail?: string;
	/** ISO 8601. */
	observedAt: string;
};

export type Startable = { how: string } | { why: string };

/** Both null when they cannot be determined. */
export type ExitStatus = { code: number | null; signal: string | null };

export type Exit = ExitStatus & {
	/** ISO 8601: when it was seen. */
	at: string;
	cause: 'clean' | 'crash' | 'oom' | 'killed' | 'evicted' | 'host-restart' | 'unknown';
	/** In the engine's own words. */
	words?: string;
};

export type Usage = {
	/** 100 is one core; null at the first reading of a run. */
	cpu: number | null;
	/** CPU time of the run in seconds, which never goes back; null when unknown. */
	cpuSeconds: number | null;
	/** Bytes; null when unknown. */
	memory: number | null;
	/** Bytes it may use; null when there is no limit. */
	limit: number | null;
	/** ISO 8601. */
	at: string;
};
