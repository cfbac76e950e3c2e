import { isDeepStrictEqual } from 'node:util';
import type { Cause, Operation, OperationLog, OperationState, Step } from '#schemas/operation';
import { NOT_REACHED } from '#schemas/plain/limits';
import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import { createSerial } from '#core/serial';
import type { Entry, Journal } from '#storage/journal';
import type { Report } from './definition.ts';
import type { Feed } from './feed.ts';
import { createThrottle } from './time.ts';

const TELL_EVERY_MS = 250;
const WRITE_EVERY_MS = 1000;
const LOG_EVERY_MS = 500;
/** The server's log while it boots: enough to see what it does, and little enough to send twice a second. */
const LOG_LINES = 40;
const LOG_LINE_MAX = 300;

/** One operation running in this process: in memory, on disk and in the live stream. */
export type LiveRecord = {
	readonly entry: Entry;
	/** A copy of the operation as it is now. Only such a copy says that it can be cancelled, and leaves the server to others: a journal is also read where it does not run. */
	snapshot(): Operation;
	readonly cancellable: boolean;
	/** All is done, and its end is being written. */
	readonly ending: boolean;
	step(id: string): Step;
	/** In memory; published and written with the next `save`. */
	change(id: string, patch: Partial<Step>): void;
	/** Publishes what has changed without writing it. */
	tell(): void;
	/** Written, then published. */
	report(patch: Report): Promise<void>;
	/** For what changes often: published and written soon, unless nothing has changed. */
	updateThrottled(id: string, patch: Partial<Step>): void;
	/** The newest lines of the server's log: published soon, never written. */
	showLog(step: string, lines: string[]): void;
	/** What was published last. */
	readonly log: OperationLog | null;
	/** Shows in the journal that this process is alive. */
	beat(): void;
	/** Writes everything so far to disk, then publishes it. */
	save(): Promise<void>;
	/** The same where stopping is not an option: a failure is logged and the work continues. */
	saveOrWarn(): Promise<void>;
	/** Ends it. Rejects when the end cannot be written; nothing has changed then. */
	succeed(): Promise<void>;
	/** Ends it in any case. Returns false when the end could not be written. */
	end(state: OperationState, cause: Cause | null): Promise<boolean>;
	/** Called once it has ended and the next one may begin. */
	tellEnd(): void;
	/** From now on nothing reaches the disk or the listeners. */
	freeze(): void;
};

type Deps = {
	entry: Entry;
	/** Ids of the steps that a person may cancel. */
	cancellable: Set<string>;
	/** Ids of the steps during which players are told that the server will be restarted. */
	announcing: Set<string>;
	/** It begins beside the others, without the server. */
	beside: boolean;
	journal: Journal;
	feed: Feed;
	clock: Clock;
	log: Logger;
};

export function createRecord(deps: Deps): LiveRecord {
	const { entry, journal, feed, clock, log } = deps;
	const changed = new Set<string>();
	let shown: OperationLog | null = null;
	let frozen = false;
	/** The end is on its way to the disk: nothing older may overtake it. */
	let ending = false;
	const now = () => clock.now().toISOString();
	const step = (id: string) => {
		const found = entry.operation.steps.find((one) => one.id === id);
		if (!found) throw new Error(`Operation ${entry.operation.id} has no step ${id}`);
		return found;
	};
	const isIn = (steps: Set<string>) =>
		entry.phase === 'forward' &&
		entry.operation.steps.some(({ id, status }) => status === 'running' && steps.has(id));
	const isCancellable = () => isIn(deps.cancellable);
	const snapshot = (): Operation => ({
		...structuredClone(entry.operation),
		...(isCancellable() && { cancellable: true }),
		...(deps.beside && !entry.server && { leavesServer: true }),
		...(isIn(deps.announcing) && { countsDown: true })
	});
	const tell = () => {
		telling.done();
		const steps = entry.operation.steps.filter(({ id }) => changed.has(id));
		changed.clear();
		if (!frozen) feed.tell(snapshot(), steps);
	};
	const write = createWriter(async (ended?: Operation) => {
		writing.done();
		if (frozen || (ending && !ended)) return;
		entry.writtenAt = now();
		await journal.write(ended ? { ...entry, operation: ended } : entry);
	});
	const warn = (cause: unknown) =>
		log.error('An operation continues, but its journal could not be written', {
			operation: entry.operation.id,
			cause
		});
	const telling = createThrottle(TELL_EVERY_MS, clock, tell);
	const logging = createThrottle(LOG_EVERY_MS, clock, () => {
		if (shown) feed.log(entry.operation.id, shown);
	});
	const writing = createThrottle(WRITE_EVERY_MS, clock, () => void write().catch(warn));
	const change = (id: string, patch: Partial<Step>) => {
		const one = step(id);
		const at = now();
		const times = patch.status && patch.status !== one.status ? timesOf(one, patch.status, at) : {};
		Object.assign(one, patch, times, { at });
		changed.add(id);
	};
	const save = async () => {
		await write();
		tell();
	};
	const conclude = (ended: Operation) => {
		if (frozen) return;
		for (const one of ended.steps) if (one.at !== step(one.id).at) changed.add(one.id);
		entry.operation = ended;
		stopPaces();
	};
	/** Nothing is told any more before its end: a step that is over, and none after it, looks like one that cannot be cancelled. */
	const toEnd = () => {
		ending = true;
		telling.done();
	};
	const stopPaces = () => {
		telling.done();
		logging.done();
		writing.done();
	};
	return {
		entry,
		snapshot,
		get cancellable() {
			return isCancellable();
		},
		get ending() {
			return ending;
		},
		step,
		change,
		tell,
		updateThrottled(id, patch) {
			const one = step(id);
			if (frozen || ending || isDeepStrictEqual({ ...one, ...patch }, one)) return;
			change(id, patch);
			telling.soon();
			writing.soon();
		},
		showLog(step, lines) {
			const newest = lines.slice(-LOG_LINES).map((line) => line.slice(0, LOG_LINE_MAX));
			if (frozen || ending || isDeepStrictEqual(shown, { step, lines: newest })) return;
			shown = { step, lines: newest };
			logging.soon();
		},
		get log() {
			return shown;
		},
		async report(patch) {
			Object.assign(entry.operation, patch);
			await save();
			if (!frozen) feed.whole(snapshot());
		},
		beat: writing.soon,
		save,
		saveOrWarn: () => save().catch(warn),
		async succeed() {
			const ended = endOf(entry.operation, 'succeeded', null, now());
			toEnd();
			await write(ended).catch((error) => {
				ending = false;
				throw error;
			});
			conclude(ended);
		},
		async end(state, cause) {
			const ended = endOf(entry.operation, state, cause, now());
			toEnd();
			const written = await write(ended).then(
				() => true,
				(error) => (warn(error), false)
			);
			conclude(ended);
			return written;
		},
		tellEnd() {
			if (frozen) return;
			tell();
			feed.end(snapshot());
		},
		freeze() {
			frozen = true;
			stopPaces();
		}
	};
}

/** Steps that were never reached are over too: nothing in an ended operation is pending or running. */
function endOf(from: Operation, state: OperationState, cause: Cause | null, at: string): Operation {
	const steps = from.steps.map((step): Step => {
		if (step.status === 'pending') return { ...step, status: 'skipped', detail: NOT_REACHED, at };
		return step.status === 'running' ? { ...step, status: 'failed', endedAt: at, at } : step;
	});
	return { ...from, state, steps, cause, finishedAt: at };
}

/** Undoing a step changes nothing about how long it took. */
function timesOf(step: Step, next: Step['status'], at: string): Partial<Step> {
	if (next === 'running') return { startedAt: step.startedAt ?? at };
	return step.status === 'running' && next !== 'pending' ? { endedAt: at } : {};
}

/** One write at a time; requests that arrive meanwhile share the next one. */
function createWriter<A>(write: (arg?: A) => Promise<void>) {
	const queue = createSerial();
	let waiting: Promise<void> | null = null;
	return (arg?: A): Promise<void> => {
		if (waiting && arg === undefined) return waiting;
		const mine = queue.run(() => {
			if (waiting === mine) waiting = null;
			return write(arg);
		});
		if (arg === undefined) waiting = mine;
		return mine;
	};
}
