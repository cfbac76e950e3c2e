/** Within a tick: what arrives meanwhile is done in the same go. */
const GATHER_MS = 5;

/**
 * The game's one main thread: commands and players' actions, one after the other. A long save holds up all others.
 * Answers are handed out when the whole batch is done, so two RCON connections interfere with each other, as in the game.
 */
export interface MainThread {
	/** Resolves when it was done; never, when the thread has ended or is frozen. */
	submit(task: () => void | Promise<void>): Promise<void>;
	/** Nothing more is run; what is running now finishes. */
	freeze(): void;
}

export function createMainThread(): MainThread {
	type Job = {
		task: () => void | Promise<void>;
		resolve: () => void;
		reject: (e: unknown) => void;
	};
	const queue: Job[] = [];
	let awake = false;
	let frozen = false;

	const drain = async () => {
		const finished: (() => void)[] = [];
		while (!frozen && queue.length > 0) {
			const job = queue.shift()!;
			try {
				await job.task();
				finished.push(job.resolve);
			} catch (error) {
				finished.push(() => job.reject(error));
			}
		}
		awake = false;
		for (const finish of finished) finish();
	};
	return {
		submit(task) {
			return new Promise((resolve, reject) => {
				queue.push({ task, resolve, reject });
				if (awake || frozen) return;
				awake = true;
				setTimeout(() => void drain(), GATHER_MS);
			});
		},
		freeze() {
			frozen = true;
		}
	};
}
