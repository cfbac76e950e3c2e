import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createSerial } from '#core/serial';

const IN_FLIGHT_MAX = 4;
const WAITING_MAX = 200;
/** However long the registry tells us to wait. */
const WAIT_MAX_MS = 60_000;
/** A 429 that does not say. */
const WAIT_UNTOLD_MS = 5_000;
/** So that not everybody comes back in the same millisecond. */
const JITTER_MS = 250;

/** One queue before the registry, for all users: a few requests at once, none while it asks us to wait. */
export interface Pace {
	/** Does `work` when its turn has come. AppError `upstream` when too many wait already. */
	run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
	/** Reads the rate limit from an answer. */
	learn(status: number, headers: IncomingHttpHeaders): void;
	/** Milliseconds until the next request may go. */
	pausedMs(): number;
}

export function createPace(clock: Clock): Pace {
	const queue = createSerial({
		atOnce: IN_FLIGHT_MAX,
		waitingMax: WAITING_MAX,
		full: crowded
	});
	let openAtMs = 0;

	const pausedMs = () => Math.max(0, openAtMs - clock.monotonicMs());

	return {
		run: (work, signal) =>
			queue.run(async () => {
				// Others may have been told to wait longer in the meantime.
				for (let ms = pausedMs(); ms > 0; ms = pausedMs()) await clock.sleep(ms, signal);
				return work();
			}, signal),
		learn(status, headers) {
			const waitMs = waitOf(status, headers, clock);
			if (waitMs === null) return;
			const ms = Math.min(waitMs, WAIT_MAX_MS) + Math.random() * JITTER_MS;
			openAtMs = Math.max(openAtMs, clock.monotonicMs() + ms);
		},
		pausedMs
	};
}

/** How long the registry wants to be left alone; null when it does not mind. */
function waitOf(status: number, headers: IncomingHttpHeaders, clock: Clock): number | null {
	const told = retryAfterMs(headers, clock) ?? seconds(headers['x-ratelimit-reset']);
	if (status === 429) return told ?? WAIT_UNTOLD_MS;
	if (status === 503) return retryAfterMs(headers, clock);
	const left = headers['x-ratelimit-remaining'];
	return typeof left === 'string' && /^\s*-?0*\s*$/.test(left) && left.includes('0') ? told : null;
}

/** Seconds, or a date. */
function retryAfterMs(headers: IncomingHttpHeaders, clock: Clock): number | null {
	const text = headers['retry-after'];
	if (text === undefined) return null;
	const ms = seconds(text) ?? Date.parse(text) - clock.now().getTime();
	return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

const seconds = (text: string | string[] | undefined) =>
	typeof text === 'string' && /^\s*\d{1,9}(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : null;

const crowded = () =>
	new AppError(
		'upstream',
		'Too many questions to the registry wait already. Try again in a minute.',
		{
			code: 'crowded'
		}
	);
