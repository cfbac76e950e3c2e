import path from 'node:path';
import { expect } from 'vitest';
import type { Clock } from '#core/clock';
import { createKit, type Kit } from './operations-kit.ts';
import { createSteadyClock } from './programs/steady-clock.ts';

/** A fresh start on the folder, which recovers what is left: the operation as it finally ended, if it ever began. */
export async function restarted<T>(dir: string, open: (kit: Kit & { clock: Clock }) => T) {
	const clock = createSteadyClock();
	const kit = await createKit({ dir: path.join(dir, 'data'), clock });
	const opened = open({ ...kit, clock });
	await kit.operations.recover();
	await expect.poll(() => kit.operations.running(), { interval: 2, timeout: 60_000 }).toBeNull();
	const [operation = null, ...others] = await kit.operations.list();
	await kit.operations.close();
	kit.lock.close();
	expect(others).toEqual([]);
	return { operation, opened };
}
