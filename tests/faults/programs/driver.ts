import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createOperations } from '#operations';
import { createJournal } from '#storage/journal';
import { createSteadyClock } from './steady-clock.ts';

/** Waits indefinitely for a disk that keeps failing. */
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);

/** A runner of operations on `dir/data`. */
function openRunner(dir: string) {
	const data = path.join(dir, 'data');
	const clock = createSteadyClock();
	const quiet = () => {};
	const log = { info: quiet, warn: quiet, error: quiet };
	const lock = createLock(path.join(data, 'operation.lock'), clock);
	const journal = createJournal({ dir: path.join(data, 'operations'), warn: quiet });
	const operations = createOperations({ journal, lock, clock, log, publish: quiet });
	return { operations, journal, clock };
}
export type Runner = ReturnType<typeof openRunner>;

/**
 * Runs one operation and prints how it went: `running`, then `ended <state>`, or `ended not` when it takes too long; or
 * `refused <why>`.
 */
export async function drive(
	dir: string,
	begin: (runner: Runner) => Promise<{ id: string } | null>
): Promise<never> {
	const runner = openRunner(dir);
	const { operations } = runner;
	try {
		const id = (await begin(runner))?.id ?? 'none';
		console.log('running');
		const ended = new Promise<string>((resolve) => {
			operations.watch(id, (event) => event.type === 'end' && resolve(event.operation.state));
		});
		console.log('ended', await Promise.race([ended, delay(PATIENCE_MS, 'not')]));
	} catch (error) {
		console.log('refused', error instanceof AppError ? error.kind : String(error));
	}
	await operations.close();
	process.exit(0);
}

/** Recovers what another process left; null when there was nothing. */
export async function takeUp({ operations }: Runner) {
	await operations.recover();
	return operations.running();
}
