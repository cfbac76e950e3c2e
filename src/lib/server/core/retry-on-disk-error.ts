import type { Clock } from './clock.ts';
import { AppError, errno } from './errors.ts';
import { diskTrouble } from './files/index.ts';

/** How often, and for how long, something is retried when the disk refuses. */
export type Retry = { everyMs: number; forMs: number };

const RETRY: Retry = { everyMs: 5000, forMs: 30 * 60_000 };
/** The share of that time for a doubtful failure: what looks damaged may only be hard to read just now. */
const DOUBT = 1 / 30;

class Doubt extends Error {}

/** For a failure that may be the disk's fault although it does not say so. */
export const maybeDiskError = (cause: unknown): never => {
	if (cause instanceof AppError) throw new Doubt(cause.message, { cause });
	throw cause;
};

/**
 * For a rollback, which must be completed: a disk that refuses now may have space again in a minute. `what` says for
 * people what cannot be done. Rejects with `AppError` when the disk has refused for too long.
 */
export async function retryOnDiskError(
	ctx: { signal: AbortSignal; detail(text: string): void },
	{ clock, retry = RETRY }: { clock: Clock; retry?: Retry },
	what: string,
	action: () => Promise<void>
) {
	const sinceMs = clock.monotonicMs();
	for (;;) {
		try {
			return await action();
		} catch (error) {
			ctx.signal.throwIfAborted();
			const trouble = diskErrorIn(error);
			const limitMs = trouble ? retry.forMs : error instanceof Doubt ? retry.forMs * DOUBT : 0;
			if (clock.monotonicMs() - sinceMs >= limitMs) throw inWords(error, what);
			const why = trouble ? `${diskTrouble(trouble)}.` : (error as Doubt).message;
			ctx.detail(`${what}: ${why} It is tried again every few seconds.`);
			await clock.sleep(retry.everyMs, ctx.signal);
		}
	}
}

function inWords(error: unknown, what: string): unknown {
	if (error instanceof Doubt) return error.cause;
	const trouble = diskErrorIn(error);
	if (!trouble) return error;
	if (!(error instanceof AppError))
		return new AppError('internal', `${what}: ${diskTrouble(trouble)}.`, { cause: error });
	const { kind, code, message } = error;
	return new AppError(kind, `${what}: ${message}`, { code, cause: error });
}

/** The system's own error, however it was wrapped for people. */
function diskErrorIn(error: unknown): unknown {
	for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
		if (/^E(?!RR_)/.test(errno(at) ?? '') && !(at instanceof AppError)) return at;
	return null;
}
