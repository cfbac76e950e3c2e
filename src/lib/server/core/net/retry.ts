import type { Clock } from '../clock.ts';
import { isPassing } from './failures.ts';

const BACK_OFF_MS = 500;

/** Retries after a passing failure, waiting twice as long each time. */
export async function retried<T>(
	attempt: () => Promise<T>,
	{ clock, attempts, signal }: { clock: Clock; attempts: number; signal: AbortSignal }
): Promise<T> {
	for (let tried = 1; ; tried++) {
		try {
			return await attempt();
		} catch (error) {
			if (signal.aborted || tried >= attempts || !isPassing(error)) throw error;
		}
		await clock.sleep(BACK_OFF_MS * 2 ** (tried - 1) * (1 + Math.random() / 4), signal);
	}
}
