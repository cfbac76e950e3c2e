import type { Clock } from '#core/clock';

/**
 * Runs `work` each `periodMs` until the signal is aborted: never twice at once, in a fixed rhythm (a round that takes
 * long does not delay the next), and a round that fails is reported and followed by the next.
 */
export async function every(
	periodMs: number,
	clock: Clock,
	signal: AbortSignal,
	work: () => unknown,
	onError: (error: unknown) => void
) {
	let nextMs = clock.monotonicMs();
	for (;;) {
		nextMs = Math.max(nextMs + periodMs, clock.monotonicMs());
		try {
			await clock.sleep(nextMs - clock.monotonicMs(), signal);
		} catch (error) {
			if (signal.aborted) return;
			throw error;
		}
		if (signal.aborted) return;
		try {
			await work();
		} catch (error) {
			onError(error);
		}
	}
}
