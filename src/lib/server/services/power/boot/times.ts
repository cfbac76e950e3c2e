import path from 'node:path';
import { z } from 'zod';
import { readTextIfExists, writeAtomic } from '#core/files';
import type { Log } from '../facts.ts';

/** How long the last good boots took, from the process to its ready line: `DATA_DIR/boot-times.json`. */
export interface BootTimes {
	/** Null while there was none. */
	usualMs(): Promise<number | null>;
	/** Never rejects: one that cannot be written is only missing in the median. */
	note(ms: number): Promise<void>;
}

/** Mods come and go: older ones say little about the next. */
const KEPT = 9;
const Times = z.array(z.number().nonnegative());

export function createBootTimes({ dataDir, log }: { dataDir: string; log: Log }): BootTimes {
	const file = path.join(dataDir, 'boot-times.json');
	const read = async () => {
		try {
			return Times.parse(JSON.parse((await readTextIfExists(file)) ?? '[]'));
		} catch {
			return []; // damaged or unreadable: it fills again
		}
	};
	return {
		usualMs: async () => median((await read()).slice(-KEPT)),
		async note(ms) {
			if (ms < 0) return; // the clock was set back meanwhile
			const times = [...(await read()), ms].slice(-KEPT);
			await writeAtomic(file, JSON.stringify(times)).catch((cause) =>
				log.error('The time of a boot could not be written', { cause })
			);
		}
	};
}

function median(times: number[]): number | null {
	const sorted = times.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? null;
}
