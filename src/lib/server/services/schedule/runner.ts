import type { TaskAnswer, TaskResult, TaskRun, TaskType, TaskWaiting } from '#schemas/task';
import type { Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { errorId, type Logger } from '#core/log';
import type { TaskOrder } from './command.ts';
import type { Dispatch, Outcome, Wish } from './dispatch.ts';

/** Tasks that the running dashboard does itself. An operation that has begun outlives it: the next start continues it. */
export interface Runner {
	/** To its end; never rejects. */
	perform(order: TaskOrder, signal: AbortSignal, wish?: Wish): Promise<Outcome>;
	/** Like `run`, and listed among the recent runs; `id` is the task's or the trigger's. */
	run(id: string, order: TaskOrder, wish: Wish): Promise<Outcome>;
	/** Answers as soon as an operation has begun, or it has ended, or waits for something. */
	runHere(id: string, task: { type: TaskType }, by: Actor): Promise<TaskAnswer>;
	/** What waits now, the longest first. */
	waiting(): TaskWaiting[];
	/** Ends a wait: nothing is done this time. Null when it waits no more. */
	callOff(key: string, by: Actor): TaskWaiting | null;
	/** Stops waiting for anything. */
	close(): void;
}

type Deps = {
	dispatch: Dispatch;
	write: (run: TaskRun) => Promise<void>;
	clock: Clock;
	log: Pick<Logger, 'error'>;
};

const NEVER = new AbortController().signal;

export function createRunner({ dispatch, write, clock, log }: Deps): Runner {
	const leaving = new AbortController();
	/** By task: when Run now is pressed twice, a waiting task is not started twice. */
	const running = new Set<string>();

	const waiting = new Map<string, { told: TaskWaiting; callOff: (by: Actor) => void }>();
	let begun = 0;

	const perform: Runner['perform'] = async (order, signal, wish = {}) => {
		const key = String(++begun);
		const off = new AbortController();
		const callOff = (by: Actor) => off.abort(by.name);
		const waits = (why: string) => {
			const since = waiting.get(key)?.told.since ?? clock.now().toISOString();
			waiting.set(key, { told: { key, type: order.type, since, why }, callOff });
			wish.waits?.(why);
		};
		// From then on it is the operation that is cancelled.
		const began: Wish['began'] = (operation) => {
			waiting.delete(key);
			wish.began?.(operation);
		};
		try {
			const stop = AbortSignal.any([signal, off.signal]);
			const all = { ...wish, waits, began, leaving: leaving.signal };
			const outcome = await dispatch(order, stop, all);
			// Too late, it was done all the same.
			if (!off.signal.aborted || outcome.result === 'done') return outcome;
			return { result: 'skipped', exitCode: 0, detail: `Called off by ${off.signal.reason}.` };
		} catch (cause) {
			const id = errorId();
			log.error('A task failed unexpectedly', { id, type: order.type, cause });
			return { result: 'failed', exitCode: 1, detail: `Something went wrong (id ${id}).` };
		} finally {
			waiting.delete(key);
		}
	};

	async function run(id: string, order: TaskOrder, wish: Wish) {
		const at = clock.now().toISOString();
		const startedMs = clock.monotonicMs();
		const outcome = await perform(order, NEVER, wish);
		const durationMs = Math.round(clock.monotonicMs() - startedMs);
		await write({ at, id, type: order.type, durationMs, ...outcome });
		return outcome;
	}

	function runHere(id: string, { type, ...options }: { type: TaskType }, by: Actor) {
		if (running.has(id)) return Promise.resolve(answer(UNDER_WAY, { skipped: true }));
		running.add(id);
		const { promise, resolve } = Promise.withResolvers<TaskAnswer>();
		const began: Wish['began'] = ({ id: operationId }) => resolve({ operationId });
		const waits = (why: string) => resolve(answer(why, { waits: true }));
		const startedMs = clock.monotonicMs();
		void run(id, { type, options }, { by, impatient: true, began, waits })
			.then(({ exitCode, result, detail }) =>
				resolve({
					ok: result !== 'failed',
					exitCode,
					durationMs: Math.round(clock.monotonicMs() - startedMs),
					output: detail,
					...(result === 'skipped' && { skipped: true as const })
				})
			)
			.finally(() => running.delete(id));
		return promise;
	}

	return {
		...{ perform, run, runHere },
		waiting: () => [...waiting.values()].map(({ told }) => told),
		callOff(key, by) {
			const one = waiting.get(key);
			waiting.delete(key);
			one?.callOff(by);
			return one?.told ?? null;
		},
		close: () => leaving.abort()
	};
}

const UNDER_WAY = 'It was started before, and is not over yet.';
const answer = (output: string, facts: Pick<TaskResult, 'skipped' | 'waits'>): TaskAnswer => ({
	...{ ok: true, exitCode: 0, durationMs: 0 },
	output,
	...facts
});
