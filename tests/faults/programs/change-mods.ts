// Changes the mods in a folder and says how that went: `change-mods.ts <folder> <change> <snapshot to restore>`, or takes up what another left: `change-mods.ts <folder> recover`. Goes when it takes too long.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createOperations } from '#operations';
import { createJournal } from '#storage/journal';
import { ANN, changeOf, deskAt, type Change } from './mods-desk.ts';
import { createSteadyClock } from './steady-clock.ts';

/** A disk that keeps refusing is waited for without end. */
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);
const [, , dir, kind, snapshot] = process.argv as [
	string,
	string,
	string,
	Change | 'recover',
	string
];
const data = path.join(dir, 'data');
const clock = createSteadyClock();
const quiet = () => {};
const log = { info: quiet, warn: quiet, error: quiet };
const lock = createLock(path.join(data, 'operation.lock'), clock);
const journal = createJournal({ dir: path.join(data, 'operations'), warn: quiet });
const operations = createOperations({ journal, lock, clock, log, publish: quiet });
const { changes } = deskAt(dir, operations, clock);
try {
	const begun = async (): Promise<{ id: string } | null> => {
		if (kind === 'restore') return changes.restore(snapshot, '', ANN);
		if (kind !== 'recover') return changes.run(await changeOf(kind, dir), ANN);
		await operations.recover();
		return operations.running();
	};
	const id = (await begun())?.id ?? 'none';
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
