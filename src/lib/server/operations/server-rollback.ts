import type { Clock } from '#core/clock';
import { retryOnDiskError, type Retry } from '#core/retry-on-disk-error';
import type { Run } from '#runtime';
import type { StepContext } from './definition.ts';
import type { Observation, ServerControl } from './server-control.ts';

/** What an operation notes of the server that it stops and starts. */
export type ServerNotes = Partial<{
	/** Whether the server ran before it was stopped for this. */
	wasRunning: boolean;
	/** It may have been started since. */
	launching: boolean;
	answered: boolean;
	crashed: boolean;
	/** Everything of before is back in its place. */
	restored: boolean;
}>;

/** Whether it is to run afterwards: anyone who stops it now wants it to stay stopped. */
export const isToRunAgain = ({ run, state }: Pick<Observation, 'run' | 'state'>) =>
	run !== null && state !== 'stopping';

/** A server that was told to stop; one that could not be told was left alone. */
export async function wasStopped(
	server: Pick<ServerControl, 'observe'>,
	{ wasRunning, restored }: ServerNotes
): Promise<boolean> {
	if (restored) return true;
	return wasRunning === true && !isToRunAgain(await server.observe());
}

/** Only a run that this operation started is ended by force, when it never answered or has crashed. */
export const mayBeEnded = (run: Run, { launching, answered, crashed }: ServerNotes) =>
	launching === true && run.ours && (!answered || crashed === true);

type Needs = { server: ServerControl; clock: Clock; retry?: Retry };
type Ending = Pick<ServerNotes, 'wasRunning'> & {
	/** For people, when the disk refuses. */
	cannotStart: string;
	/** Why a server that did not run before is stopped. */
	stopped: string;
};

/** When everything is back in its place: the server runs again, or its crash is over. */
export async function runAgain(
	ctx: StepContext,
	deps: Needs,
	{ wasRunning, cannotStart, stopped }: Ending
): Promise<void> {
	const { server } = deps;
	if (!wasRunning) return server.settle(stopped);
	// A full disk also keeps the server from starting.
	await retryOnDiskError(ctx, deps, cannotStart, () => server.launch(ctx));
	await server.verify(ctx);
}
