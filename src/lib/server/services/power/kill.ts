import type { Actor, RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { ProcessControl, ServerProcess } from '#runtime/process';
import type { States } from './states.ts';

/** A killed process ends at once, unless the kernel waits for a disk on its behalf. */
const END_LIMIT_MS = 5000;

type Deps = { process: ProcessControl; states: States; audit: RecordAction; clock: Clock };

export async function killServer(by: Actor, deps: Deps): Promise<{ message: string }> {
	const { process: control, states, audit } = deps;
	const { process } = await states.observe();
	if (!process) {
		await audit(by, 'server.kill', { result: 'refused', detail: 'There was no process.' });
		throw new AppError('conflict', 'There is no server process to kill.');
	}
	await states.stopRequested('kill', by.name);
	try {
		control.signal(process, 'SIGKILL');
	} catch (error) {
		await states.stopFailed();
		await audit(by, 'server.kill', { result: 'failed', detail: `Process ${process.pid}` });
		throw error;
	}
	const ended = await endsSoon(process, deps);
	await states.observe();
	await audit(by, 'server.kill', { detail: `Process ${process.pid}` });
	return {
		message: ended
			? 'The server was killed. What it had not saved is lost.'
			: 'The server was killed, but the system has not ended its process yet.'
	};
}

async function endsSoon(process: ServerProcess, { process: control, clock }: Deps) {
	const limit = new AbortController();
	const ended = control.ended(process, limit.signal).then(() => true);
	const tooLate = clock.sleep(END_LIMIT_MS, limit.signal).then(() => false);
	try {
		return await Promise.race([ended, tooLate]);
	} finally {
		limit.abort();
	}
}
