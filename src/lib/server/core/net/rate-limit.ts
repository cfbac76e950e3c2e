import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { deadline } from '../deadline.ts';
import { createSerial } from '../serial.ts';
import { PausedFailure } from './failures.ts';

const PLACES = 4;
const WAITING_MAX = 200;
/** A request whose answer takes longer gives up its slot, so that others are not kept waiting. */
const SLOW_MS = 2_000;
/** Including those that have given up their slot: each may grow to the largest answer that is read. */
const OPEN_MAX = 24;
/** For a 429 that does not say how long, and after the last request of a bucket, which then refills. */
const WAIT_UNTOLD_MS = 5_000;
/** Requests that would have to wait longer fail and say until when instead. */
const WAIT_MAX_MS = 6_000;
/** However long a pause the service asks for, it is asked again after this. */
const PAUSE_MAX_MS = 60 * 60_000;
/** So that clients do not all come back in the same millisecond. */
const JITTER_MS = 250;

/** Queues requests to one service, for all users: a few start at once, and none while it asks us to wait. */
export interface RateLimit {
	/**
	 * Does `work` when its turn has come. AppError `upstream` when too many are waiting already, PausedFailure when
	 * the
	 * service asks for a longer pause than people wait.
	 */
	run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
	/** Reads the rate limit from an answer. */
	learn(status: number, headers: IncomingHttpHeaders): void;
	/** Throws PausedFailure while the service asks for a longer pause than people wait. */
	check(): void;
}

export function createRateLimit(clock: Clock, who: string): RateLimit {
	const crowded = () =>
		new AppError(
			'upstream',
			`${who} has too many requests to answer already. Try again in a minute.`,
			{
				code: 'crowded'
			}
		);
	const queue = createSerial({ atOnce: PLACES, waitingMax: WAITING_MAX, full: crowded });
	let open = 0;
	let openAtMs = 0;

	const pausedMs = () => Math.max(0, openAtMs - clock.monotonicMs());
	const check = () => {
		const ms = pausedMs();
		if (ms > WAIT_MAX_MS) throw new PausedFailure(new Date(clock.now().getTime() + ms), ms);
	};
	/** Others may be told to wait longer in the meantime. */
	const untilWelcome = async (signal: AbortSignal) => {
		for (let ms = pausedMs(); ms > 0; ms = pausedMs()) {
			check();
			await clock.sleep(ms, signal);
		}
	};

	return {
		async run(work, signal) {
			check();
			let answer: ReturnType<typeof work> | undefined;
			await queue.run(async () => {
				await untilWelcome(signal);
				if (open >= OPEN_MAX) throw crowded();
				open++;
				const asked = work().finally(() => void open--);
				answer = asked;
				const ended = () => asked.then(nothing, nothing);
				await deadline({ ms: SLOW_MS, clock }, ended, nothing);
			}, signal);
			return answer!;
		},
		learn(status, headers) {
			const waitMs = waitOf(status, headers, clock);
			if (waitMs === null) return;
			const ms = Math.min(waitMs, PAUSE_MAX_MS) + Math.random() * JITTER_MS;
			openAtMs = Math.max(openAtMs, clock.monotonicMs() + ms);
		},
		check
	};
}

/** The pause that the service asks for; null when it asks for none. */
function waitOf(status: number, headers: IncomingHttpHeaders, clock: Clock): number | null {
	const told = retryAfterMs(headers, clock) ?? seconds(headers['x-ratelimit-reset']);
	if (status === 429) return told ?? WAIT_UNTOLD_MS;
	if (status === 503) return retryAfterMs(headers, clock);
	const left = headers['x-ratelimit-remaining'];
	const isLast = typeof left === 'string' && /^\s*-?0*\s*$/.test(left) && left.includes('0');
	return isLast && told !== null ? Math.min(told, WAIT_UNTOLD_MS) : null;
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

const nothing = () => {};
