import { createBus } from '#core/bus';
import type { Clock } from '#core/clock';
import { createTail } from './tail.ts';

/**
 * Follows a growing text file by polling size and time: through rename and create, truncation, deletion. A line is
 * given once, when its newline came; a file that is missing is waited for; a FIFO, symlink or device is never opened.
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
	/** Where a file begins that is there at the first subscription; one that comes later is read from its start. */
	from?: 'end' | 'start';
};

export const POLL_MS = 1500;

export function createFollower({ file, pollMs, clock, from = 'end' }: Deps): Follower {
	const bus = createBus<string[]>();
	let subscribers = 0;
	let polling: AbortController | null = null;

	async function poll(signal: AbortSignal) {
		const tail = createTail(file, from, (lines) => {
			if (lines.length && !signal.aborted) bus.publish(lines);
		});
		try {
			while (!signal.aborted) {
				// Unreadable just now (rights, file handles, a failing disk): the next round tries again.
				await tail.read().catch(() => {});
				await clock.sleep(pollMs, signal).catch(() => {});
			}
		} finally {
			await tail.close();
		}
	}

	const stop = () => {
		polling?.abort();
		polling = null;
	};

	return {
		subscribe(listener) {
			const unsubscribe = bus.subscribe((lines) => listener(lines));
			if (subscribers++ === 0) {
				polling = new AbortController();
				void poll(polling.signal);
			}
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
