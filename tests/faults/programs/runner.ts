// A process with an operation runner: `runner.ts <dir> run <kind>` runs one operation and says how that went,
// `runner.ts <dir> recover` takes up what dead processes left. Both begin when their input ends.
import { once } from 'node:events';
import path from 'node:path';
import { AppError } from '#core/errors';
import { systemClock } from '#core/clock';
import { createLock } from '#core/lock';
import { createOperations } from '#operations';
import { createJournal } from '#storage/journal';
import type { OperationKind } from '#schemas/operation';
import { defineKinds } from './kinds.ts';

const [, , dir, verb, kind] = process.argv as [string, string, string, string, OperationKind];
const quiet = () => {};
const log = { info: quiet, warn: quiet, error: quiet };
const lock = createLock(path.join(dir, 'operation.lock'), systemClock);
const journal = createJournal({ dir: path.join(dir, 'operations'), warn: quiet });
const operations = createOperations({ journal, lock, clock: systemClock, log, publish: quiet });
defineKinds(operations, dir);

const say = (...words: (string | null)[]) => console.log(words.join(' '));
async function run() {
	const by = { name: `process ${process.pid}`, role: null, address: null };
	const { id } = await operations.run(kind, {}, by);
	say('running', id);
	const ended = await new Promise<string>((resolve) => {
		operations.watch(id, (event) => event.type === 'end' && resolve(event.operation.state));
	});
	say('ended', ended);
}
async function recover() {
	await operations.recover();
	while (operations.running()) await systemClock.sleep(5);
	say('nothing left');
}

say('ready');
await once(process.stdin.resume(), 'end');
try {
	await (verb === 'run' ? run() : recover());
} catch (error) {
	if (!(error instanceof AppError)) throw error;
	say('refused', error.kind, error.operation);
}
await operations.close();
