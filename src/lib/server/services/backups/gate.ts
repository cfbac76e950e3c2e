import { AppError } from '#core/errors';
import type { Clock } from '#core/clock';
import { createTtlCache } from '#core/ttl-cache';

/** Lets only a few downloads through at a time, and no faster than the players' connections can bear. */
export interface Gate {
	/** `AppError('throttled')` when too many are in progress. */
	check(): void;
	/** Takes effect with the first byte; a client that reads nothing for two minutes loses its place. */
	enter(): Turn;
}
export type Turn = {
	/** Resolves when that many bytes may be sent; rejects when the place has been lost. */
	take(bytes: number): Promise<void>;
	leave(): void;
};

export const DOWNLOADS_MAX = 4;
const IDLE_MS = 2 * 60_000;
/** For all downloads together while somebody is playing, because the game shares the connection with them. */
export const SHARED_BYTES_PER_S = 4 << 20;
const ASK_EVERY_MS = 5_000;

type Deps = {
	/** Null when unknown. */
	playersOnline: () => Promise<number | null>;
	clock: Clock;
};

export function createGate({ playersOnline, clock }: Deps): Gate {
	/** When each download in progress last took something. */
	const turns = new Map<object, number>();
	let freeAtMs = 0;
	const shared = createTtlCache(
		async () => ((await playersOnline()) ?? 0) > 0,
		ASK_EVERY_MS,
		clock
	);

	function sweep() {
		for (const [turn, lastMs] of turns)
			if (clock.monotonicMs() - lastMs > IDLE_MS) turns.delete(turn);
	}

	return {
		check() {
			sweep();
			if (turns.size < DOWNLOADS_MAX) return;
			throw new AppError(
				'throttled',
				`${DOWNLOADS_MAX} backups are being downloaded already. Wait until one has finished.`,
				{ retryAfterS: 30 }
			);
		},
		enter() {
			const turn = {};
			turns.set(turn, clock.monotonicMs());
			return {
				async take(bytes) {
					if (await shared()) {
						const nowMs = clock.monotonicMs();
						freeAtMs = Math.max(freeAtMs, nowMs) + (bytes / SHARED_BYTES_PER_S) * 1000;
						await clock.sleep(freeAtMs - nowMs);
					}
					if (!turns.has(turn)) throw new Error('The download stood still for too long');
					turns.set(turn, clock.monotonicMs());
				},
				leave: () => void turns.delete(turn)
			};
		}
	};
}
