import { createBus } from '#core/bus';
import type { Clock } from '#core/clock';
import { createTail } from './tail.ts';
import { watchFile, type Watch } from './watch.ts';

/**
 * Follows a growing text file by the events of its folder, and by polling size and time in case these miss something:
 * through renaming and recreation, truncation, deletion. A line is delivered once, when its newline has arrived; a
 * missing file is waited for; a FIFO, symlink or device is never opened.
 */
export interface Follower {
	/** Starts with the first subscriber and stops with the last; returns the function that unsubscribes. */
	subscribe(listener: (lines: string[]) => void): () => void;
	close(): void;
}

type Deps = {
	file: string;
	pollMs: number;
	clock: Clock;
	/** Where to begin in a file that exists at the first subscription; a later one is read from its start. */
	from?: 'end' | 'start';
	watch?: Watch;
};

export const POLL_MS = 1500;
/** The least time between two reads; doubled after each one while the file is being written to all the time. */
const REST_MS = 20;
const REST_MAX_MS = 320;

export function createFollower({ file, pollMs, clock, from = 'end', watch }: Deps): Follower {
	const bus = createBus<string[]>();
	let subscribers = 0;
	let stopReading: (() => void) | null = null;

	function start() {
		const stopped = new AbortController();
		/** Aborted by whatever makes it worth looking again. */
		let nap = new AbortController();
		const watching = watchFile(file, () => nap.abort(), watch);
		const tail = createTail(file, from, (lines) => {
			if (lines.length && !stopped.signal.aborted) bus.publish(lines);
		});

		const run = async () => {
			for (let restMs = REST_MS; !stopped.signal.aborted;) {
				nap = new AbortController();
				await watching.renew();
				// Unreadable right now (permissions, file handles, a failing disk): the next round tries again.
				await tail.read().catch(() => {});
				await clock.sleep(Math.min(restMs, pollMs), stopped.signal).catch(() => {});
				restMs = nap.signal.aborted ? Math.min(restMs * 2, REST_MAX_MS) : REST_MS;
				await clock.sleep(pollMs, nap.signal).catch(() => {});
			}
			await tail.close();
		};
		void run();
		return () => {
			stopped.abort();
			nap.abort();
			watching.close();
		};
	}

	const stop = () => {
		stopReading?.();
		stopReading = null;
	};

	return {
		subscribe(listener) {
			const unsubscribe = bus.subscribe((lines) => listener(lines));
			if (subscribers++ === 0) stopReading = start();
			let gone = false;
			return () => {
				if (gone) return;
				gone = true;
				unsubscribe();
				if (--subscribers === 0) stop();
			};
		},
		close: stop
	};
}
