// Runs one operation and says how that went: `run-operation.ts <folder> <kind>`. Actions are noted beside `data`.
import path from 'node:path';
import type { OperationKind } from '#schemas/operation';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createOperations } from '#operations';
import { createJournal } from '#storage/journal';
import { defineKinds } from './kinds.ts';
import { createSteadyClock } from './steady-clock.ts';

const [, , dir, kind] = process.argv as [string, string, string, OperationKind];
const data = path.join(dir, 'data');
const clock = createSteadyClock();
const quiet = () => {};
const log = { info: quiet, warn: quiet, error: quiet };
const lock = createLock(path.join(data, 'operation.lock'), clock);
const journal = createJournal({ dir: path.join(data, 'operations'), warn: quiet });
const operations = createOperations({ journal, lock, clock, log, publish: quiet });
defineKinds(operations, dir);
try {
	const by = { name: 'ann', role: null, address: null };
	const { id } = await operations.run(kind, {}, by);
	console.log('running');
	const state = await new Promise<string>((resolve) => {
		operations.watch(id, (event) => event.type === 'end' && resolve(event.operation.state));
	});
	console.log('ended', state);
} catch (error) {
	if (!(error instanceof AppError)) throw error;
	console.log('refused', error.kind);
}
await operations.close();
