import { systemClock, type Clock } from './clock.ts';

type Limit = {
	ms: number;
	clock?: Clock;
	/** The caller's signal: when it is aborted, so is the work, and its reason is thrown. */
	signal?: AbortSignal | undefined;
};

/**
 * Settles as `work` does, or as `late` does once the time is over, even when the work ignores its signal. The signal is
 * aborted as soon as nobody waits for the work any more. No timer is left behind.
 */
export async function deadline<T, L>(
	{ ms, clock = systemClock, signal: outer }: Limit,
	work: (signal: AbortSignal) => Promise<T>,
	late: () => L | Promise<L>
): Promise<T | L> {
	outer?.throwIfAborted();
	const over = new AbortController();
	const signal = outer ? AbortSignal.any([outer, over.signal]) : over.signal;
	try {
		const first = await Promise.race([
			work(signal).then((value) => ({ value })),
			clock.sleep(ms, signal).then(() => null)
		]);
		return first ? first.value : await late();
	} catch (error) {
		over.abort(error);
		throw error;
	} finally {
		over.abort();
	}
}
