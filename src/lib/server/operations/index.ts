import type { Operation, OperationKind, OperationLog } from '#schemas/operation';
import type { Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Lock } from '#core/lock';
import type { Journal } from '#storage/journal';
import type { Definition } from './definition.ts';
import { newEntry, type Wish } from './entry.ts';
import { createFeed, type FeedDeps, type Listener } from './feed.ts';
import { createGate } from './gate.ts';
import { createSlot, type Running } from './slot.ts';
import { atMost } from './time.ts';
import { createUnsaved } from './unsaved.ts';
import { createUpkeep } from './upkeep.ts';
import { notCancellable } from './words.ts';

export { OperationFailure } from './definition.ts';
export type { Definition, StepContext, StepPlan } from './definition.ts';
export type { OperationEvent } from './feed.ts';
export { UNSEEN, type Observation, type ServerControl, type Sign } from './server-control.ts';
export { toSummary } from './words.ts';

/**
 * Long work in journalled steps, at most one at a time in all processes that share the data directory. It continues
 * without the browser that asked for it; what a killed process leaves is resumed, rolled back or ended.
 */
export interface Operations {
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
	/** What the server writes while an operation of this process boots it; null when none does. */
	log(id: string): OperationLog | null;
	/** Newest first; 50 by default. */
	list(limit?: number): Promise<Operation[]>;
	/** Includes one run by another process, and one that waits to be recovered after a crash. */
	running(): Operation | null;
	/** Resolves when it has ended, or after a second. `AppError('conflict')` when the step cannot be cancelled. */
	cancel(id: string, by: Actor): Promise<Operation>;
	/** From now on; of an operation that is over already, its `end`. Returns the function that stops it. */
	watch(id: string, listener: Listener): () => void;
	/** Takes up what dead processes left; resolves when that is under way. `AppError` when a newer Craftwarden left it. */
	recover(): Promise<void>;
	/** Recovers, and tells of other processes' operations, every 2 s. */
	startWatching(): void;
	/** Aborts the running step, which the next start takes up, and waits briefly for it to stop. */
	close(): Promise<void>;
}

type Deps = FeedDeps & {
	journal: Journal;
	/** Not shared: others within the process have their own (`share`). */
	lock: Lock;
	clock: Clock;
	/** How long a step may take to stop when the program ends. */
	closeWithinMs?: number;
};

const CANCEL_WAIT_MS = 1000;
const CLOSE_WITHIN_MS = 3000;
const LISTED = 50;

export function createOperations(deps: Deps): Operations {
	const { journal, lock, clock, log, publish, closeWithinMs = CLOSE_WITHIN_MS } = deps;
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
	const slot = createSlot({ ...both, lock, onFree: () => upkeep.afterEnd() });
	const gate = createGate({ journal, lock, clock, slot, definition, isOver: unsaved.has });
	const upkeep = createUpkeep({ ...both, slot, gate, closing: closing.signal });

	const ours = (id: string) =>
		slot.current?.record.entry.operation.id === id ? slot.current : null;
	const mine = (id: string) => ours(id)?.record.snapshot() ?? unsaved.get(id);
	const get = async (id: string) => {
		const operation = mine(id) ?? (await journal.read(id))?.operation;
		if (!operation) throw new AppError('not-found', 'There is no such operation.');
		return operation;
	};

	return {
		define: (definition) => void kinds.set(definition.kind, definition as Definition<unknown>),
		prepareWith: (define) => void (prepare = define),
		run: (kind, input, by, subject = null) =>
			upkeep.inTurn(() => begin({ kind, input, by, subject })),
		get,
		log: (id) => ours(id)?.record.log ?? null,
		list: async (limit = LISTED) =>
			(await journal.newest(limit)).map((operation) => mine(operation.id) ?? operation),
		running: () => slot.current?.record.snapshot() ?? gate.elsewhere()[0]?.operation ?? null,
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
		async recover() {
			journal.refuseNewer();
			await upkeep.recover();
		},
		startWatching: upkeep.start,
		async close() {
			closing.abort();
			slot.current?.stop.halt();
			// Whatever waits for the lock is refused; what has just begun is halted too.
			await upkeep.inTurn(async () => {});
			slot.current?.stop.halt();
			let over = false;
			const ended = (slot.current?.ended ?? Promise.resolve()).then(() => void (over = true));
			await atMost(closeWithinMs, clock, ended);
			slot.current?.record.freeze();
			await upkeep.saveUnsaved();
			if (over) lock.release();
			// A step that ignores the signal still uses the files: nothing else may until it is done, or this process has ended.
			else void ended.then(() => lock.release());
		}
	};

	function refuseWhenClosing() {
		if (closing.signal.aborted) throw new AppError('busy', 'Craftwarden is shutting down.');
	}

	async function begin({ kind, input, by, subject }: Wish): Promise<Operation> {
		const known = await definition(kind);
		if (!known) throw new Error(`No operations are defined of kind ${kind}`);
		refuseWhenClosing();
		await gate.enter();
		try {
			refuseWhenClosing();
			const plans = known.steps(input);
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
	// On disk first: after a crash it must not continue as if it had never been cancelled.
	await record.saveOrWarn();
	abort();
}
