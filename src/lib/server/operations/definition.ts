import type { Cause, Operation, OperationKind, Step } from '#schemas/operation';
import type { Diagnosis } from '#minecraft/diagnosis';

/**
 * The boots on a copy and their results, what changes of the mods, what a rollback leaves in the world, how a restore is
 * undone, what it undoes, when a countdown ends, and who killed the server meanwhile or how else it ended badly.
 */
export type Report = Pick<
	Operation,
	| 'boots'
	| 'result'
	| 'changes'
	| 'worldOpened'
	| 'undo'
	| 'undoes'
	| 'countsDownTo'
	| 'killedBy'
	| 'unclean'
>;

/** What a step can read and report while it runs. */
export type StepContext = {
	/** The operation's id. */
	readonly id: string;
	/** Aborted by a cancel (in cancellable steps only) and when the program ends. */
	readonly signal: AbortSignal;
	/** What this operation has remembered so far; survives a crash. */
	readonly checkpoint: Record<string, unknown>;
	/** Adds JSON facts to `checkpoint`; on disk before it resolves. */
	remember(patch: Record<string, unknown>): Promise<void>;
	/** What people are told beside the steps; on disk before it resolves. */
	report(patch: Report): Promise<void>;
	/** One sentence beside the step. */
	detail(text: string): void;
	/** The same beside an earlier step, whose sentence is not true any more. */
	detailOf(step: string, text: string): void;
	/** What it does, where that turns out to be other than its plan says. */
	label(text: string): void;
	/** What the game has just accepted for its players. */
	announced(what: NonNullable<Step['announced']>): void;
	/** May be called as often as needed: what it reports is published and written at a limited rate. */
	progress(done: number, total: number, unit: string): void;
	/**
	 * What the server writes while this step boots it: its newest lines, masked, oldest first. They replace those shown
	 * before; only the last ones are kept, in memory. May be called as often as needed.
	 */
	log(lines: string[]): void;
	/** How long the step usually takes and when it times out; null where that is not known. */
	expect(expected: { usualMs: number | null; limitMs: number | null }): void;
	/** Ends the step because it turned out to be unnecessary. In `undo`, without a word: there was nothing to undo. */
	skip(detail?: string): never;
};

export type StepPlan = {
	id: string;
	label: string;
	/** Whether it may be cancelled while it runs; `run` must then heed `signal`. */
	cancellable?: boolean;
	/**
	 * It stops the server or changes its files: from here on the operation holds the operation lock. Only for kinds that
	 * run beside the others; all others hold it from their beginning.
	 */
	exclusive?: boolean;
	/** Players are told meanwhile that the server will be restarted: nobody should stop or start it until then. */
	announces?: boolean;
	/** The operation lock is given back before it, although a step before it has needed it. */
	releases?: boolean;
	/** Safe to run again unless `afterCrash` is `interrupt`. A failure here must clean up after itself. */
	run(ctx: StepContext): Promise<void>;
	/**
	 * Of a rollback that has failed: what it had put back by then, and what did not come of it, as a sentence without its
	 * end; null where nothing is back.
	 */
	reached?(checkpoint: Record<string, unknown>): string | null;
	/** Undoes a step that is done or cut off by a crash; must cope with half-done steps and with being repeated. */
	undo?(ctx: StepContext): Promise<void>;
	/**
	 * What recovery does when the process died in this step: run it again and go on, or not. Default `interrupt`.
	 * `resume` only while the journal is young; `always` where undoing would by then cost more than it gains.
	 */
	afterCrash?: 'resume' | 'always' | 'interrupt';
};

export type Definition<I> = {
	kind: OperationKind;
	/** The same steps for the same input, in every process; `input` is JSON. */
	steps(input: I): StepPlan[];
	/**
	 * Runs instead of the steps' undo when a step fails, and after a crash that cannot be resumed: the operation ends
	 * `rolled-back`, or `failed` when this throws or skips itself (there was nothing to roll back). It must be safe to
	 * repeat. A cancelled operation undoes its done steps one by one and does not come here.
	 */
	rollback?: StepPlan;
	/**
	 * Runs as a step of its own when the operation is cancelled and what was done is undone; never after a failure. Safe to
	 * repeat. Who has cancelled it is in `checkpoint.cancelledBy`.
	 */
	afterCancel?: StepPlan;
	/** How old the journal may be for a crashed operation to continue. Default 10 minutes. */
	resumeWithinMs?: number;
};

export type FailureCause = Cause & {
	/** What to do about what was put in place. It is said only when that is not taken back. */
	advice?: string;
	/** What the message comes from. */
	diagnosis?: Diagnosis;
	/**
	 * What was done stays: the other steps follow, and the operation ends `failed` without a rollback. In sentences, which
	 * the message goes on from.
	 */
	kept?: string;
};

/** A failed step may throw this to name the cause. */
export class OperationFailure extends Error {
	override readonly cause: FailureCause;
	constructor(cause: FailureCause) {
		super(cause.message);
		this.name = 'OperationFailure';
		this.cause = cause;
	}
}

/** What `ctx.skip` throws to leave a step. */
export class Skipped extends Error {}
