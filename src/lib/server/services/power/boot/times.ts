import { z } from 'zod';
import type { StateFile } from '#storage/state-file';
import type { Log } from '../facts.ts';

/** How long the last good boots took, from the process to its ready line. */
export const BootHistory = z.object({ readyMs: z.array(z.number().nonnegative()) });
export type BootHistory = z.infer<typeof BootHistory>;

export interface BootTimes {
	/** Null while there was none. */
	usualMs(): Promise<number | null>;
	/** Never rejects: one that cannot be written is only missing in the median. */
	note(ms: number): Promise<void>;
}

type Deps = {
	/** `DATA_DIR/start-times.json` */
	history: StateFile<BootHistory>;
	log: Log;
};

/** Mods come and go: older ones say little about the next. */
const KEPT = 9;

export function createBootTimes({ history, log }: Deps): BootTimes {
	return {
		usualMs: () =>
			history.read().then(
				({ readyMs }) => median(readyMs),
				() => null // unreadable, which the next write reports
			),
		async note(ms) {
			if (ms < 0) return; // the clock was set back meanwhile
			await history
				.update(({ readyMs }) => ({ readyMs: [...readyMs, ms].slice(-KEPT) }))
				.catch((cause) => log.error('The time of a boot could not be written', { cause }));
		}
	};
}

function median(times: number[]): number | null {
	const sorted = times.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? null;
}
