import type { Clock } from '../clock.ts';
import { errno } from '../errors.ts';
import { createRepeats } from './repeats.ts';
import { errorId, type Logger } from './log.ts';

/** Unexpected failures of requests. */
export interface Failures {
	/**
	 * Logs the failure and returns the id under which the log has it: the answer shows the id instead of the cause.
	 * Repeated failures of the same kind are only counted, under the id of the first.
	 */
	report(message: string, facts: Facts): string;
	/** Logs the counts so far. */
	close(): void;
}

type Facts = { cause: unknown; [key: string]: unknown };
type Failure = { message: string; cause: unknown; where: Record<string, unknown> };

const MINUTE_MS = 60_000;
const KINDS_MAX = 100;
/** The fingerprint of an error and its causes. */
const DEPTH_MAX = 5;
const FRAMES_MAX = 3;

export function createFailures({ log, clock }: { log: Logger; clock: Clock }): Failures {
	const repeats = createRepeats<Failure, string>({
		clock,
		everyMs: MINUTE_MS,
		kindsMax: KINDS_MAX,
		first({ message, cause, where }) {
			const id = errorId();
			log.error(message, { id, ...where, cause });
			return id;
		},
		again({ count, latest: { message, where }, first, mixed }) {
			const words = mixed ? 'of many kinds, ' : '';
			// Where it last happened; the cause stands in the first line.
			log.error(`${message}: ${words}again within a minute`, { id: first, count, ...where });
		}
	});
	return {
		report: (message, { cause, ...where }) =>
			repeats.add(`${message}\n${fingerprint(cause)}`, { message, cause, where }),
		close: repeats.close
	};
}

/** Where it failed, and how; not the message, which may quote what somebody sent. */
function fingerprint(cause: unknown): string {
	const parts: string[] = [];
	let at = cause;
	for (let depth = 0; at instanceof Error && depth < DEPTH_MAX; depth++) {
		const frames = at.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
		parts.push(`${at.name} ${errno(at)}`, ...frames.slice(0, FRAMES_MAX));
		at = at.cause;
	}
	return parts.join('\n');
}
