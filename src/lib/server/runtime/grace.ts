import type { Clock } from '#core/clock';
import type { Exit } from './runtime.ts';

type Ending = {
	/** Resolves when the run has ended. */
	ended: (signal: AbortSignal) => Promise<Exit>;
	kill: () => unknown;
};

/** Kills what has not ended by itself within `graceMs`; null: never. Nobody waits for it, so a failure is left to the next probe. */
export function killAfter(graceMs: number | null, { ended, kill }: Ending, clock: Clock): void {
	if (graceMs === null) return;
	const over = new AbortController();
	ended(over.signal).then(
		() => over.abort(),
		() => {} // the time was over first
	);
	clock
		.sleep(graceMs, over.signal)
		.then(kill)
		.catch(() => {}) // it has ended, or could not be killed
		.finally(() => over.abort());
}
