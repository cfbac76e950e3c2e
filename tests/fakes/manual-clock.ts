import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '#core/clock';

type Sleeper = { atMs: number; wake: () => void };

/** Time that moves only when told to. */
export interface ManualClock extends Clock {
	/** Moves on, waking each sleeper at its moment, and lets everything settle in between. */
	advance(ms: number): Promise<void>;
	/** How many are sleeping now. */
	readonly sleeping: number;
}

export function createManualClock(start = '2026-01-02T03:04:05.000Z'): ManualClock {
	const startMs = Date.parse(start);
	const sleepers = new Set<Sleeper>();
	let nowMs = 0;

	return {
		now: () => new Date(startMs + nowMs),
		monotonicMs: () => nowMs,
		sleep(ms, signal) {
			if (signal?.aborted) return Promise.reject(signal.reason);
			return new Promise((resolve, reject) => {
				const onAbort = () => {
					sleepers.delete(sleeper);
					reject(signal?.reason);
				};
				const sleeper = {
					atMs: nowMs + ms,
					wake() {
						sleepers.delete(sleeper);
						signal?.removeEventListener('abort', onAbort);
						resolve();
					}
				};
				sleepers.add(sleeper);
				signal?.addEventListener('abort', onAbort, { once: true });
			});
		},
		async advance(ms) {
			const endMs = nowMs + ms;
			await settle();
			for (;;) {
				const next = [...sleepers].sort((a, b) => a.atMs - b.atMs)[0];
				if (!next || next.atMs > endMs) break;
				nowMs = Math.max(nowMs, next.atMs);
				next.wake();
				await settle();
			}
			nowMs = endMs;
			await settle();
		},
		get sleeping() {
			return sleepers.size;
		}
	};
}

/** Lets promises, and what they start, run to the end. */
export async function settle() {
	for (let i = 0; i < 3; i++) await turn();
}
