/**
 * How the game's server is started, watched and stopped, whatever does that: a process of ours, a keeper beside us, a
 * unit, a container. Whether it is ready for players is not known here: its log, its ping and its console tell.
 */
export interface Runtime {
	readonly kind: 'process' | 'keeper' | 'systemd' | 'docker' | 'kubernetes';
	/** What is there now. Never throws because something could not be asked: then the phase is `unknown`. */
	state(): Promise<RuntimeState>;
	/** Tells each time that phase, run or restarts are other than before. */
	watch(onChange: (state: RuntimeState) => void): Disposable;
	/**
	 * Starts the server in its folder. `mark` names this start, so that the run is found again whatever becomes of us.
	 * `AppError('upstream')` when it cannot be started, `AppError('conflict')` when one runs already.
	 */
	start(mark: string): Promise<Run>;
	/** Takes back that it should run; what is left after `graceMs` is killed. Resolves when asked, not when ended. */
	stop(run: Run, graceMs: number): Promise<void>;
	/** Asks this very run to save and end (SIGTERM), and never more. `AppError('conflict')` when that is not ours to do. */
	terminate(run: Run): Promise<void>;
	/** Ends this very run at once, saving nothing. `AppError('conflict')` when that is not ours to do. */
	kill(run: Run): Promise<void>;
	/** Whether this very run lives, wherever; cheaper than `state`. */
	alive(run: Run): Promise<boolean>;
	/** Resolves when the run has ended (not its port). Rejects with the signal's reason. */
	ended(run: Run, signal?: AbortSignal): Promise<Exit>;
	/** The newest lines that were printed since then (ISO 8601), as far as they are kept. */
	output(since: string): Promise<string[]>;
	/** What the current run uses; null when there is none or nobody can tell. */
	usage(): Promise<Usage | null>;
	close(): void;
}

/** One run of the server, from its start to its end. */
export type Run = {
	/** Never given twice. Its form is the runtime's own business. */
	id: string;
	/** ISO 8601. */
	startedAt: string;
	/** For people to read; null where its process is not ours to see. */
	pid: number | null;
	/** Started by this installation. */
	ours: boolean;
};

export type Phase =
	'stopped' | 'starting' | 'running' | 'stopping' | 'restarting' | 'paused' | 'unknown';

export type RuntimeState = {
	phase: Phase;
	/** What the engine itself wants; `unknown` where it wants nothing by itself. */
	wanted: 'up' | 'down' | 'unknown';
	run: Run | null;
	lastExit: Exit | null;
	/** How often the engine has restarted it by itself; null when it does not count. */
	restarts: number | null;
	restartsItself: boolean;
	/** Why, in a sentence. */
	detail?: string;
	/** ISO 8601. */
	observedAt: string;
};

/** Both null when nobody can tell. */
export type ExitStatus = { code: number | null; signal: string | null };

export type Exit = ExitStatus & {
	/** ISO 8601: when it was seen. */
	at: string;
	cause: 'clean' | 'crash' | 'oom' | 'killed' | 'evicted' | 'host-restart' | 'unknown';
	/** The engine's own words. */
	words?: string;
};

export type Usage = {
	/** 100 is one core; null at the first reading of a run. */
	cpu: number | null;
	/** Bytes; null when it cannot be told. */
	memory: number | null;
	/** Bytes it may use; null when that is not limited. */
	limit: number | null;
	/** ISO 8601. */
	at: string;
};
