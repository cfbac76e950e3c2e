import type { Operation, OperationKind, OperationLog } from '#schemas/operation';
import type { Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Lock } from '#core/lock';
import type { Journal } from '#storage/journal';
import type { Definition } from './definition.ts';
import { newEntry, type Wish } from './entry.ts';
import { createFeed, type FeedDeps, type Listener } from './feed.ts';
import type { TitlesOf } from './execute.ts';
import { createRunNotes, type RunNotes } from './server/run-notes.ts';
import { createGate } from './gate.ts';
import { createSlot, isRunning, type Running } from './slot.ts';
import { atMost } from './time.ts';
import { createUnsaved } from './unsaved.ts';
import { createUpkeep } from './upkeep.ts';
import { inTheWay, notCancellable } from './labels.ts';

export type { RunNotes, RunTrouble } from './server/run-notes.ts';
export { beginAudited, resultOf } from './begin.ts';
export { announcing, countdownOf, countdownStep } from './server/countdown-step.ts';
export { OperationFailure } from './definition.ts';
export type { Definition, FailureCause, StepContext, StepPlan } from './definition.ts';
export type { OperationEvent } from './feed.ts';
export {
	crashSeen,
	LAUNCHED,
	UNSEEN,
	type Countdown,
	type Crash,
	type Failing,
	type Observation,
	type ServerControl,
	type Settled,
	type Sign
} from './server/control.ts';
export {
	asItWas,
	downAsBefore,
	isToRunAgain,
	mayBeEnded,
	offAgain,
	runAgain,
	sayIfDown,
	wasStopped,
	type ServerNotes
} from './server/rollback.ts';
export { inTheWay, toSummary } from './labels.ts';

/** All that runs, whatever it holds: what goes on beside the others comes first. */
export const underWay = ({ beside, busy }: Pick<Operations, 'beside' | 'busy'>): Operation[] =>
	[beside(), busy()].flatMap((one) => one ?? []);

/**
 * Long work in journalled steps, at most one at a time across all processes that share the data directory, and one more
 * `beside` it, which takes the operation lock only for its `exclusive` steps. It continues
 * without the browser that asked for it; what a killed process leaves is resumed, rolled back or ended.
 */
export interface Operations extends RunNotes {
	/** To be called before `run` and `recover`; unknown kinds are left to a process that knows them. */
	define<I>(definition: Definition<I>): void;
	/** `prepare` defines the kinds that are not defined yet; called when one of them is needed. */
	prepareWith(prepare: () => Promise<unknown>): void;
	/**
	 * Takes the lock, journals and answers while the first step begins. `input` is JSON. `AppError('conflict')` within
	 * a second names what is running (`operation`); `AppError('internal')` when it cannot be journalled: nothing began.
	 */
	run(kind: OperationKind, input: unknown, by: Actor, subject?: string | null): Promise<Operation>;
	/** `AppError('not-found')`. */
	get(id: string): Promise<Operation>;
	/** What was asked for, as it was journalled; null when that cannot be read any more. */
	input(id: string): Promise<unknown>;
	/** What the server writes while an operation of this process boots it; null when none does. */
	log(id: string): OperationLog | null;
	/** Newest first; 50 by default. */
	list(limit?: number): Promise<Operation[]>;
	/** Includes one run by another process, and one that waits to be recovered after a crash. */
	running(): Operation | null;
	/** Like `running`, but only operations that hold the operation lock: nothing else stops or changes the server. */
	busy(): Operation | null;
	/** Like `running`, but only the one beside the others: what changes the mods, whatever it does at the moment. */
	beside(): Operation | null;
	/** Resolves when it has ended, or after a second. `AppError('conflict')` when the step cannot be cancelled. */
	cancel(id: string, by: Actor): Promise<Operation>;
	/** From now on; for an operation that is already over, its `end`. Returns the function that unsubscribes. */
	watch(id: string, listener: Listener): () => void;
	/** Resumes what dead processes left; resolves when that is under way. `AppError` when a newer Craftwarden left it. */
	recover(): Promise<void>;
	/** Recovers, and announces other processes' operations, every 2 s. */
	startWatching(): void;
	/** Aborts the running step, which the next start resumes, and waits briefly for it to stop. */
	close(): Promise<void>;
}

type Deps = FeedDeps & {
	journal: Journal;
	/** Not shared: others within the process have their own (`share`). */
	lock: Lock;
	/** Kinds that run beside the others, with a lock of their own; `server` is another handle of the operation lock. */
	beside?: { kinds: readonly OperationKind[]; lock: Lock; server: Lock };
	/** What people call the mods that a failure names, as far as they are installed. */
	titlesOf?: TitlesOf | undefined;
	clock: Clock;
	/** How long a step may take to stop when the program ends. */
	closeWithinMs?: number;
};

const CANCEL_WAIT_MS = 1000;
const CLOSE_WITHIN_MS = 3000;
const LISTED = 50;

export function createOperations(deps: Deps): Operations {
	const { journal, lock, clock, log, publish, closeWithinMs = CLOSE_WITHIN_MS } = deps;
	const { titlesOf = async () => ({}) } = deps;
	const kinds = new Map<OperationKind, Definition<unknown>>();
	let prepare: () => Promise<unknown> = async () => {};
	const definition = async (kind: OperationKind) => {
		if (!kinds.has(kind)) await prepare();
		return kinds.get(kind);
	};
	const closing = new AbortController();
	const feed = createFeed({ publish, log });
	const unsaved = createUnsaved({ journal, log });
	const both = { journal, clock, log, feed, unsaved };
	const isBeside = (kind: OperationKind) => deps.beside?.kinds.includes(kind) ?? false;
	const lane = (lock: Lock, server: Lock | null) => {
		const slot = createSlot({ ...both, titlesOf, lock, server, onFree: () => upkeep.afterEnd() });
		const gate = createGate({
			...{ journal, lock, clock, slot, definition, isOver: unsaved.has },
			mine: ({ operation }) => isBeside(operation.kind) === (server !== null),
			blocks: (entry) => server === null && entry.server === true
		});
		return { lock, slot, gate };
	};
	const main = lane(lock, null);
	const beside = deps.beside ? lane(deps.beside.lock, deps.beside.server) : main;
	const lanes = [...new Set([main, beside])];
	const upkeep = createUpkeep({ ...both, lanes, closing: closing.signal });

	const current = () => lanes.flatMap(({ slot }) => slot.current ?? []);
	const ours = (id: string) =>
		current().find(({ record }) => record.entry.operation.id === id) ?? null;
	const mine = (id: string) => ours(id)?.record.snapshot() ?? unsaved.get(id);
	const get = async (id: string) => {
		const operation = mine(id) ?? (await journal.read(id))?.operation;
		if (!operation) throw new AppError('not-found', 'There is no such operation.');
		return operation;
	};

	const inLane = ({ slot, gate }: typeof main) => {
		const { current } = slot;
		if (current && isRunning(current)) return current.record.snapshot();
		return gate.elsewhere()[0]?.operation ?? null;
	};

	return {
		define: (definition) => void kinds.set(definition.kind, definition as Definition<unknown>),
		prepareWith: (define) => void (prepare = define),
		run: (kind, input, by, subject = null) =>
			upkeep.inTurn(() => begin({ kind, input, by, subject })),
		get,
		input: async (id) => (await journal.read(id))?.input ?? null,
		log: (id) => ours(id)?.record.log ?? null,
		list: async (limit = LISTED) =>
			(await journal.newest(limit)).map((operation) => mine(operation.id) ?? operation),
		running: () =>
			current()[0]?.record.snapshot() ??
			lanes.flatMap(({ gate }) => gate.elsewhere())[0]?.operation ??
			null,
		beside: () => inLane(beside),
		busy: () => inLane(main),
		async cancel(id, by) {
			const { state } = await get(id);
			const running = ours(id);
			if (!running) throw notCancellable(id, state === 'running' ? 'elsewhere' : 'ended');
			await cancelStep(running, by);
			await atMost(CANCEL_WAIT_MS, clock, running.ended);
			return get(id);
		},
		watch(id, listener) {
			const past = ours(id) ? null : get(id).then(ifEnded, () => null); // an unknown one has no end
			return feed.watch(id, listener, Promise.resolve(past));
		},
		...createRunNotes({ journal, feed, list: () => journal.newest(LISTED) }),
		async recover() {
			journal.refuseNewer();
			await upkeep.recover();
		},
		startWatching: upkeep.start,
		async close() {
			closing.abort();
			for (const { stop } of current()) stop.halt();
			// Whatever waits for the lock is refused; what has just begun is halted too.
			await upkeep.inTurn(async () => {});
			for (const { stop } of current()) stop.halt();
			let over = false;
			const ended = Promise.all(current().map((one) => one.ended)).then(() => void (over = true));
			await atMost(closeWithinMs, clock, ended);
			for (const { record } of current()) record.freeze();
			await upkeep.saveUnsaved();
			if (over) release();
			// A step that ignores the signal still uses the files: nothing else may until it is done, or this process has ended.
			else void ended.then(release);
		}
	};

	function release() {
		deps.beside?.server.release();
		for (const { lock } of lanes) lock.release();
	}

	/** One that will need the server does not begin while something else has it. */
	function refuseWhenBusy() {
		const other = main.slot.current?.record.snapshot() ?? main.gate.elsewhere()[0]?.operation;
		if (other?.state === 'running') throw inTheWay(other);
	}

	function refuseWhenClosing() {
		if (closing.signal.aborted) throw new AppError('busy', 'Craftwarden is shutting down.');
	}

	async function begin({ kind, input, by, subject }: Wish): Promise<Operation> {
		const known = await definition(kind);
		if (!known) throw new Error(`No operations are defined of kind ${kind}`);
		refuseWhenClosing();
		const plans = known.steps(input);
		const { slot, gate, lock } = isBeside(kind) ? beside : main;
		if (slot !== main.slot && plans.some(({ exclusive }) => exclusive)) refuseWhenBusy();
		await gate.enter();
		try {
			refuseWhenClosing();
			const entry = newEntry({ kind, input, by, subject }, plans, clock.now());
			await unsaved.writeFirst(entry);
			const operation = slot.fill(entry, known, plans).record.snapshot();
			feed.tell(operation, operation.steps.slice(0, 1));
			return operation;
		} catch (error) {
			if (!slot.current) lock.release();
			throw error;
		}
	}
}

const ifEnded = (operation: Operation) => (operation.state === 'running' ? null : operation);

async function cancelStep({ record, stop }: Running, by: Actor) {
	const { entry } = record;
	if (!record.cancellable) throw notCancellable(entry.operation.id, 'too-late');
	const abort = stop.cancel(by.name);
	entry.phase = 'undo';
	entry.ending = 'cancelled';
	entry.memo = { ...entry.memo, cancelledBy: by.name };
	// On disk first: after a crash it must not continue as if it had never been cancelled.
	await record.saveOrWarn();
	abort();
}
