import { sentenceCase } from '#schemas/plain/words/sentence-case';
import type { Actor, RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { AppError } from '#core/errors';
import type { Run, Runtime } from '#runtime';
import type { States } from './states.ts';
import { named } from './labels.ts';

/** A killed process ends at once, unless the kernel waits for a disk on its behalf. */
const END_LIMIT_MS = 5000;

type Deps = {
	runtime: Runtime;
	states: States;
	audit: RecordAction;
	clock: Clock;
	/** A restart waits for its end. */
	comesBack: () => boolean;
};

/** `ended` is false while the system has not ended its process yet. */
export type Killed = { message: string; ended: boolean };

export const NOT_KILLED =
	'Whatever runs the server does not let the dashboard kill it. Kill it there.';

export async function killServer(by: Actor, deps: Deps): Promise<Killed> {
	const { runtime, states, audit } = deps;
	const { run, told } = await states.observe();
	const again = told === true && deps.comesBack();
	if (!run) {
		await audit(by, 'server.kill', { result: 'refused', detail: 'There was no process.' });
		throw new AppError('conflict', 'There is no server process to kill.');
	}
	if (!runtime.can.kill) {
		await audit(by, 'server.kill', { result: 'refused', detail: NOT_KILLED });
		throw new AppError('conflict', NOT_KILLED);
	}
	await states.stopRequested('kill', by.name);
	try {
		await runtime.kill(run);
	} catch (error) {
		await states.stopFailed();
		await audit(by, 'server.kill', { result: 'failed', detail: sentenceCase(named(run)) });
		throw error;
	}
	const ended = await endsSoon(run, deps);
	await states.observe();
	await audit(by, 'server.kill', { detail: sentenceCase(named(run)) });
	return {
		ended,
		message: ended
			? `The server was killed${again ? ', and is started again now' : ''}. What it had not saved is lost.`
			: 'The server was killed, but the system has not ended its process yet.'
	};
}

const endsSoon = (run: Run, { runtime, clock }: Deps) =>
	deadline(
		{ ms: END_LIMIT_MS, clock },
		(signal) => runtime.ended(run, signal).then(() => true),
		() => false
	);
