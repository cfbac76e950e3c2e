import type { Clock } from '#core/clock';
import { retryOnDiskError, type Retry } from '#core/retry-on-disk-error';
import type { Run } from '#runtime';
import type { StepContext } from '../definition.ts';
import {
	crashSeen,
	type Crash,
	type Failing,
	type Observation,
	type ServerControl
} from './control.ts';

/** What an operation records about the server that it stops and starts. */
export type ServerNotes = Partial<{
	/** Whether the server ran before it was stopped for this. */
	wasRunning: boolean;
	/** The crash that it was down for then. */
	crash: Crash | null;
	/** The operation has begun to start it again. */
	launching: boolean;
	answered: boolean;
	crashed: boolean;
	/** All previous files are back in place. */
	restored: boolean;
}>;

/** Whether the server is to run afterwards: anyone who has told it to stop wants it to stay stopped. */
export const isToRunAgain = ({ run, state, told }: Pick<Observation, 'run' | 'state' | 'told'>) =>
	run !== null && state !== 'stopping' && !told;

/** Whether this operation stopped the server, rather than failing to reach it. */
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

/** How it is before it is stopped for an operation, which must know that afterwards. */
export const asItWas = (seen: Observation): Pick<ServerNotes, 'wasRunning' | 'crash'> => ({
	wasRunning: isToRunAgain(seen),
	crash: seen.state === 'crashed' ? crashSeen(seen) : null
});

/** Before an exchange, for which it would be stopped: where there is nothing to stop, the step does not say that it was. */
export function sayIfDown(
	ctx: Pick<StepContext, 'label'>,
	{ run, state }: Pick<Observation, 'run' | 'state'>,
	exchange: string
) {
	if (run) return;
	if (state === 'stopped') ctx.label(`${exchange}; the server was off`);
	if (state === 'crashed') ctx.label(`${exchange}; the server was down already`);
}

/** How a server that does not run is left when nothing came of what was tried, in a sentence. */
export const downAsBefore = ({ crash }: Pick<ServerNotes, 'crash'>) =>
	crash
		? 'The server is down, as it was before: it had crashed.'
		: 'The server is off, as it was before.';

type Tried = {
	by: string;
	/** What the players are told. */
	words: string;
	reason: string;
};

/** Stops a server that was only started to try something: whoever asked for that has not stopped it. */
export async function offAgain(
	ctx: StepContext,
	{ server }: Pick<Needs, 'server'>,
	{ by, words, reason }: Tried
) {
	await server.halt(ctx, by, words);
	await server.settle({ reason, own: true });
}

type Needs = { server: ServerControl; clock: Clock; retry?: Retry };
type Ending = Pick<ServerNotes, 'wasRunning' | 'crash' | 'launching'> & {
	/** Shown to people while the disk refuses. */
	cannotStart: string;
	/** The reason shown when a server that was stopped before stays stopped. */
	stopped: string;
	/** Why it did not come up before this either. */
	failed?: Failing | null;
};

/** Once everything is back in place: starts the server again, or leaves it as down as it was. */
export async function runAgain(
	ctx: StepContext,
	deps: Needs,
	{ wasRunning, crash, launching, cannotStart, stopped, failed }: Ending
): Promise<void> {
	const { server } = deps;
	if (!wasRunning) return server.settle({ reason: stopped, failed, crash, own: launching });
	// A full disk also keeps the server from starting.
	await retryOnDiskError(ctx, deps, cannotStart, () => server.launch(ctx));
	await server.verify(ctx);
}
