// Searches for the culprit in a folder and says how that went: `search-culprit.ts <folder>`. Exits when it takes too long.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createOperations } from '#operations';
import { createJournal } from '#storage/journal';
import { culpritsAt } from './culprit-desk.ts';
import { createSteadyClock } from './steady-clock.ts';

const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);
const dir = process.argv[2]!;
const data = path.join(dir, 'data');
const clock = createSteadyClock();
const quiet = () => {};
const log = { info: quiet, warn: quiet, error: quiet };
const lock = createLock(path.join(data, 'operation.lock'), clock);
const journal = createJournal({ dir: path.join(data, 'operations'), warn: quiet });
const operations = createOperations({ journal, lock, clock, log, publish: quiet });
try {
	const culprits = culpritsAt(dir, { operations, journal, clock });
	const by = { name: 'ann', role: 'admin', address: null } as const;
	const { id } = await culprits.start({ scope: 'all' }, by);
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
