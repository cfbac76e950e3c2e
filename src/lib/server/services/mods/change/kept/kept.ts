import { LEFT_RUNNING } from '#schemas/plain/words/left-running';
import { AppError } from '#core/errors';
import { mayBeEnded, OperationFailure, type Observation, type StepContext } from '#operations';
import { checkpointOf, remember } from '../checkpoint.ts';
import { failingOf, verdictOf, type Changed } from './verdict.ts';
import { keptWords } from './words.ts';
import type { Tools } from '../tools.ts';

type Failed = { by: string; change: Changed | null; error: unknown; step: 'restart' | 'verify' };

/** Somebody has ended it meanwhile: that says nothing about its mods. */
export const wasEnded = ({ state, told }: Pick<Observation, 'state' | 'told'>) =>
	state === 'stopped' || state === 'stopping' || told === true;

/**
 * After a start that failed: throws what leaves the change in place when it is not to blame, and the error itself
 * otherwise, for the rollback.
 */
export async function orKeep(ctx: StepContext, tools: Tools, failed: Failed): Promise<never> {
	const { change, error, step } = failed;
	const { server } = tools;
	const cause = causeOf(error);
	if (ctx.signal.aborted || !cause) throw error;
	const seen = await server.observe();
	const isUnseen = seen.run === null && seen.state !== 'crashed';
	if (wasEnded(seen) || isUnseen) throw error;
	const { failing: before = null, ready = false, wasRunning } = checkpointOf(ctx);
	const diagnosis = cause.diagnosis ?? seen.diagnosis;
	const after = failingOf(diagnosis, cause.message, ready);
	const verdict = verdictOf({ before, after, diagnosis, change });
	if (!verdict || (verdict === 'unknown-before' && wasRunning)) throw error;
	await remember(ctx, { kept: step });
	const hangs = diagnosis === null && seen.run !== null;
	if (seen.run && !hangs && mayBeEnded(seen.run, checkpointOf(ctx))) {
		await server.end(ctx, failed.by);
		await server.settle({ reason: after.message, failed: after });
	}
	const what = checkpointOf(ctx).way!.what;
	const { advice, ...rest } = cause;
	throw new OperationFailure({
		...rest,
		message: hangs && !ready ? `${cause.message} ${LEFT_RUNNING}` : cause.message,
		...(advice && withoutChange(advice) && { advice: withoutChange(advice) }),
		kept: keptWords({
			kind: change?.kind ?? 'restore',
			what,
			verdict,
			ready,
			runs: hangs
		})
	});
}

/** A server that was never launched leaves no more than a sentence. */
function causeOf(error: unknown) {
	if (error instanceof OperationFailure) return error.cause;
	const isLaunch = error instanceof AppError && error.kind === 'upstream';
	return isLaunch ? { message: error.message, log: [], mods: [] } : null;
}

/** The last change is not to blame. */
const withoutChange = (advice: string) =>
	advice.replace(/[^.]*\blast change to the mods\b[^.]*\.?/g, '').trim();
