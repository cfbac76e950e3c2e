import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log/index.ts';
import { ENCODINGS, readBody } from './body.ts';
import { BadAnswer, explain, isOutage, StatusFailure } from './failures.ts';
import { follow, type Rule } from './follow.ts';
import { IDLE_MS, watch } from './limits.ts';
import { createRateLimit } from './rate-limit.ts';
import { retried } from './retry.ts';
import type { Transport } from './transport.ts';

export type Trouble = { /** ISO */ since: string; message: string };

/**
 * A service that is queried over HTTP: a few requests at a time, retried after a passing failure, never while it asks for a pause.
 * `read` checks the answer and takes what is needed; if it throws, the service has failed.
 */
export interface Api {
	get<T>(path: string, query: Record<string, string>, read: (json: unknown) => T): Promise<T>;
	post<T>(path: string, body: unknown, read: (json: unknown) => T): Promise<T>;
	/** An address that another answer named, and its bytes. */
	linked<T>(url: URL, read: (bytes: Buffer) => T): Promise<T>;
	/** For content that is not JSON. */
	text<T>(path: string, read: (text: string) => T): Promise<T>;
	/** Why it does not answer, and since when; null while it does. */
	trouble(): Trouble | null;
	close(): void;
}

export type ApiDeps = {
	/** Its name in failures and in the log: `The mod registry`. */
	who: string;
	/** The setting that holds its address. */
	setting: string;
	base: () => Promise<URL>;
	/** Which addresses may be requested, redirects included. */
	rule: (base: URL) => Rule;
	userAgent: string;
	transport: Transport;
	clock: Clock;
	log: Pick<Logger, 'info' | 'warn'>;
};

/** After inflating. 500 versions with long changelogs take a third of it. */
const ANSWER_MAX_BYTES = 32 << 20;
const ATTEMPT_MS = 30_000;
const ATTEMPTS = 4;
/** For everything: waiting for others, for the rate limit, and all attempts. */
const CALL_MS = 100_000;
/** While it is down, each query is sent once. */
const DOWN_MS = 20_000;

export function createApi(deps: ApiDeps): Api {
	const { who, setting, base, rule, userAgent, transport, clock, log } = deps;
	const rateLimit = createRateLimit(clock, who);
	const closing = new AbortController();
	let down: Trouble | null = null;
	let failedAtMs = -Infinity;

	const answered = () => {
		if (down) log.info(`${who} answers again`, { since: down.since });
		down = null;
		failedAtMs = -Infinity;
	};
	const failed = (error: AppError) => {
		if (!down) log.warn(`${who} does not answer`, { cause: error });
		failedAtMs = clock.monotonicMs();
		down = { since: down?.since ?? clock.now().toISOString(), message: error.message };
	};

	/** One request, one answer. */
	const exchange = async (at: URL, path: string | URL, body: unknown, call: AbortSignal) => {
		const limits = watch(clock, { who, idleMs: IDLE_MS, totalMs: ATTEMPT_MS }, call);
		try {
			const answer = await follow(transport, rule(at), {
				url: path instanceof URL ? path : new URL(`${at.href.replace(/\/+$/, '')}/${path}`),
				headers: {
					'user-agent': userAgent,
					accept: '*/*',
					'accept-encoding': ENCODINGS
				},
				body: body === undefined ? undefined : JSON.stringify(body),
				signal: limits.signal
			});
			limits.touch();
			const { statusCode = 0, headers } = answer;
			rateLimit.learn(statusCode, headers);
			if (statusCode !== 200) {
				answer.destroy();
				if (statusCode === 429 || statusCode === 503) rateLimit.check();
				throw new StatusFailure(statusCode);
			}
			return await readBody(answer, ANSWER_MAX_BYTES, limits.touch);
		} catch (error) {
			throw limits.signal.aborted ? limits.signal.reason : error;
		} finally {
			limits.done();
		}
	};

	const ask = async <T>(path: string | URL, body: unknown, read: (bytes: Buffer) => T) => {
		const limits = watch(clock, { who, idleMs: CALL_MS, totalMs: CALL_MS }, closing.signal);
		const { signal } = limits;
		let host = who;
		try {
			const attempt = async () => {
				const at = await base();
				host = at.host;
				return rateLimit.run(() => exchange(at, path, body, signal), signal);
			};
			const attempts = clock.monotonicMs() - failedAtMs < DOWN_MS ? 1 : ATTEMPTS;
			const answer = read(await retried(attempt, { clock, attempts, signal }));
			answered();
			return answer;
		} catch (error) {
			const told = explain(error, { host, setting });
			if (closing.signal.aborted || !(told instanceof AppError)) throw told;
			if (isOutage(error)) failed(told);
			else if (error instanceof StatusFailure) answered();
			throw told;
		} finally {
			limits.done();
		}
	};

	return {
		get: (path, query, read) =>
			ask(withQuery(path, query), undefined, (bytes) => read(parseJson(bytes))),
		post: (path, body, read) => ask(path, body, (bytes) => read(parseJson(bytes))),
		linked: (url, read) => ask(url, undefined, read),
		text: (path, read) => ask(path, undefined, (bytes) => read(bytes.toString('utf8'))),
		trouble: () => down,
		close: () => closing.abort(new AppError('upstream', 'Craftwarden is being stopped.'))
	};
}

/** Some services refuse even an empty query. */
const withQuery = (path: string, query: Record<string, string>) => {
	const text = new URLSearchParams(query).toString();
	return text ? `${path}?${text}` : path;
};

/** Throws BadAnswer. */
export function parseJson(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
	} catch (cause) {
		throw new BadAnswer('it is not JSON', cause);
	}
}
