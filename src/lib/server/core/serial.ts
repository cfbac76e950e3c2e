/** Runs tasks one after the other, first come, first served. */
export interface Serial {
	/**
	 * Settles as the task does, and never starts it synchronously. A task that fails holds up nobody; one whose
	 * `signal` is aborted before its turn leaves the queue and never runs. A task must not wait for another one of
	 * its own queue.
	 */
	run<T>(task: () => T | Promise<T>, signal?: AbortSignal): Promise<T>;
	/** How many are running or waiting. */
	readonly size: number;
}

type Options = {
	/** How many run side by side. */
	atOnce?: number;
	/** How many may wait; further ones are refused with the error of `full`. */
	waitingMax?: number;
	full?: () => Error;
};

export function createSerial({ atOnce = 1, waitingMax = Infinity, full }: Options = {}): Serial {
	const waiting: (() => void)[] = [];
	let running = 0;

	/** A finished task hands its slot over, so that nobody overtakes. */
	const leave = () => {
		const next = waiting.shift();
		if (next) next();
		else running--;
	};
	const enter = async (signal?: AbortSignal) => {
		if (running < atOnce) return void running++;
		if (waiting.length >= waitingMax) throw full?.() ?? new Error('The queue is full');
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const giveUp = () => {
			const index = waiting.indexOf(resolve);
			if (index < 0) return; // its turn has come already
			waiting.splice(index, 1);
			reject(signal?.reason);
		};
		signal?.addEventListener('abort', giveUp, { once: true });
		waiting.push(resolve);
		await promise.finally(() => signal?.removeEventListener('abort', giveUp));
	};

	return {
		async run(task, signal) {
			signal?.throwIfAborted();
			await enter(signal);
			try {
				signal?.throwIfAborted();
				return await task();
			} finally {
				leave();
			}
		},
		get size() {
			return running + waiting.length;
		}
	};
}
