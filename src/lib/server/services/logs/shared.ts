import type { Clock } from '#core/clock';

/** One run for all equal requests, whose result is kept for a while; it is aborted when all callers have gone. */
export interface Shared<T> {
	get(key: string, run: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
	close(): void;
}

type Run<T> = { result: Promise<T>; abort: AbortController; waiting: number };

/** Answers kept at once, the oldest are dropped first: one may be several megabytes. */
const KEPT_MAX = 16;

export function createShared<T>(clock: Clock, keepMs: number): Shared<T> {
	const runs = new Map<string, Run<T>>();
	const closing = new AbortController();

	/** Compares the controller: a delayed call must not hold on to an answer that others pushed out long ago. */
	const forget = (key: string, abort: AbortController) => {
		if (runs.get(key)?.abort === abort) runs.delete(key);
	};

	function start(key: string, work: (signal: AbortSignal) => Promise<T>): Run<T> {
		const abort = new AbortController();
		const signal = AbortSignal.any([abort.signal, closing.signal]);
		const result = work(signal);
		result
			.then(() => clock.sleep(keepMs, closing.signal))
			.catch(() => {}) // the callers get the failure
			.finally(() => forget(key, abort));
		const run = { result, abort, waiting: 0 };
		runs.set(key, run);
		if (runs.size > KEPT_MAX) runs.delete(runs.keys().next().value!);
		return run;
	}

	return {
		async get(key, work, signal) {
			signal?.throwIfAborted();
			const run = runs.get(key) ?? start(key, work);
			run.waiting++;
			const leave = () => {
				if (--run.waiting > 0) return;
				forget(key, run.abort);
				run.abort.abort(signal?.reason);
			};
			return signal ? untilAborted(run.result, signal, leave) : run.result;
		},
		close: () => closing.abort(new DOMException('The dashboard is closing', 'AbortError'))
	};
}

/** The result, or the signal's reason as soon as it aborts. */
function untilAborted<T>(result: Promise<T>, signal: AbortSignal, leave: () => void): Promise<T> {
	return new Promise((resolve, reject) => {
		const onAbort = () => {
			leave();
			reject(signal.reason);
		};
		signal.addEventListener('abort', onAbort, { once: true });
		result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
	});
}
