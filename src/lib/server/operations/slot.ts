import type { Clock } from '#core/clock';
import type { Lock } from '#core/lock';
import type { Logger } from '#core/log';
import type { Entry, Journal } from '#storage/journal';
import { createStop, type Stop } from './context.ts';
import type { Definition, StepPlan } from './definition.ts';
import { execute, type TitlesOf } from './execute.ts';
import type { Feed } from './feed.ts';
import { createRecord, type LiveRecord } from './record.ts';
import { decide, gaveUp, prepare, restMs } from './recovery.ts';
import type { Unsaved } from './unsaved.ts';

/** A long step without news still shows that its process is alive, so that the journal's age tells when it died. */
const BEAT_MS = 60_000;

/** The operation that this process executes. The holder of the slot also holds the lock. */
export type Running = { record: LiveRecord; stop: Stop; ended: Promise<void> };
/** One of which only the end is still being written is waited for. */
export const isRunning = ({ record }: Running) =>
	record.entry.operation.state === 'running' && !record.ending;
export type Slot = {
	readonly current: Running | null;
	/** Executes an operation that is already journalled. */
	fill(entry: Entry, definition: Definition<unknown>, plans: StepPlan[]): Running;
	/** Does the same with what a dead process left behind. Rejects when that cannot be journalled. */
	takeUp(entry: Entry, definition: Definition<unknown>): Promise<Running>;
};

type Deps = {
	journal: Journal;
	lock: Lock;
	/** See `Execution`. */
	server: Lock | null;
	clock: Clock;
	log: Logger;
	titlesOf: TitlesOf;
	feed: Feed;
	unsaved: Unsaved;
	/** The slot is free again and the lock released. */
	onFree: () => void;
};

export function createSlot(deps: Deps): Slot {
	const { journal, lock, server, clock, log, titlesOf, feed, unsaved } = deps;
	let current: Running | null = null;

	const open = (entry: Entry, plans: StepPlan[]) => {
		const which = (is: (plan: StepPlan) => boolean | undefined) =>
			new Set(plans.filter(is).map(({ id }) => id));
		const cancellable = which((one) => one.cancellable);
		const announcing = which((one) => one.announces);
		const facts = { entry, cancellable, announcing, beside: server !== null };
		return createRecord({ ...facts, journal, feed, clock, log });
	};
	const launch = (record: LiveRecord, stop: Stop, work: () => Promise<void>) => {
		const rest = new AbortController();
		void beat(record, clock, rest.signal);
		// Deferred, so that the first step finds the slot filled.
		const ended = Promise.resolve()
			.then(work)
			.finally(() => {
				rest.abort();
				if (stop.halted) return; // the lock is released when the program has waited for this
				current = null;
				server?.release();
				lock.release();
				// A listener that is told of the end may begin the next one at once.
				record.tellEnd();
				deps.onFree();
			});
		return (current = { record, stop, ended });
	};
	const begin = (
		record: LiveRecord,
		definition: Definition<unknown>,
		plans: StepPlan[],
		restMs = 0
	) => {
		const stop = createStop();
		const onUnsaved = () => unsaved.keep(record.entry);
		const tools = { server, clock, log, titlesOf };
		const all = { record, definition, plans, stop, ...tools, restMs, onUnsaved };
		return launch(record, stop, () => execute(all));
	};

	return {
		get current() {
			return current;
		},
		fill: (entry, definition, plans) => begin(open(entry, plans), definition, plans),
		async takeUp(entry, definition) {
			const plans = definition.steps(entry.input);
			const { operation } = entry;
			const course = decide(entry, definition, plans, clock.now());
			log.warn(`Taking up what a dead process left (${operation.kind}): ${course}`, {
				operation: operation.id
			});
			const known = plans.filter(({ id }) => operation.steps.some((step) => step.id === id));
			const record = open(entry, known);
			const rest = restMs(entry, course, clock.now());
			if (rest > 0) return begin(record, definition, known, rest);
			prepare(entry, course, clock.now());
			await record.save();
			if (course !== 'give-up') return begin(record, definition, known);
			return launch(record, createStop(), async () => {
				if (!(await record.end('failed', gaveUp(operation.cause)))) await unsaved.keep(entry);
			});
		}
	};
}

async function beat(record: LiveRecord, clock: Clock, signal: AbortSignal) {
	try {
		for (;;) {
			await clock.sleep(BEAT_MS, signal);
			record.beat();
		}
	} catch {
		// Aborted: it has ended.
	}
}
