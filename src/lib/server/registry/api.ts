import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Logger } from '#core/log';
import {
	BadAnswer,
	ENCODINGS,
	explain,
	follow,
	IDLE_MS,
	isOutage,
	readBody,
	retried,
	StatusFailure,
	watch,
	type Transport
} from '#core/net';
import { apiRule, createPace } from './transport/index.ts';

export type Trouble = { /** ISO */ since: string; message: string };

/**
 * Queries and answers in JSON. `read` checks the answer and takes what is needed; if it throws, the registry has
 * failed.
 */
export interface Api {
	get<T>(path: string, query: Record<string, string>, read: (json: unknown) => T): Promise<T>;
	post<T>(path: string, body: unknown, read: (json: unknown) => T): Promise<T>;
	/** Why it does not answer, and since when; null while it does. */
	trouble(): Trouble | null;
	close(): void;
}

type Deps = {
	base: () => Promise<URL>;
	userAgent: string;
	transport: Transport;
	clock: Clock;
	log: Pick<Logger, 'info' | 'warn'>;
};

const REGISTRY = 'The registry';
/** After inflating. 500 versions with long changelogs have a third of it. */
const ANSWER_MAX_BYTES = 32 << 20;
const ATTEMPT_MS = 30_000;
const ATTEMPTS = 4;
/** For everything: waiting for others, for the rate limit, and all attempts. */
const CALL_MS = 100_000;
/** While it is down, each query is sent once. */
const DOWN_MS = 20_000;

export function createApi({ base, userAgent, transport, clock, log }: Deps): Api {
	const pace = createPace(clock);
	const closing = new AbortController();
	let down: Trouble | null = null;
	let failedAtMs = -Infinity;

	const answered = () => {
		if (down) log.info('The mod registry answers again', { since: down.since });
		down = null;
		failedAtMs = -Infinity;
	};
	const failed = (error: AppError) => {
		if (!down) log.warn('The mod registry does not answer', { cause: error });
		failedAtMs = clock.monotonicMs();
		down = { since: down?.since ?? clock.now().toISOString(), message: error.message };
	};

	/** One request, one answer. */
	const exchange = async (at: URL, path: string, body: unknown, call: AbortSignal) => {
		const limits = watch(clock, { who: REGISTRY, idleMs: IDLE_MS, totalMs: ATTEMPT_MS }, call);
		try {
			const answer = await follow(transport, apiRule(at), {
				url: new URL(`${at.href.replace(/\/+$/, '')}/${path}`),
				headers: {
					'user-agent': userAgent,
					accept: 'application/json',
					'accept-encoding': ENCODINGS
				},
				body: body === undefined ? undefined : JSON.stringify(body),
				signal: limits.signal
			});
			limits.touch();
			const { statusCode = 0, headers } = answer;
			pace.learn(statusCode, headers);
			if (statusCode !== 200) {
				answer.destroy();
				if (statusCode === 429 || statusCode === 503) pace.check();
				throw new StatusFailure(statusCode);
			}
			return parse(await readBody(answer, ANSWER_MAX_BYTES, limits.touch));
		} catch (error) {
			throw limits.signal.aborted ? limits.signal.reason : error;
		} finally {
			limits.done();
		}
	};

	const ask = async <T>(path: string, body: unknown, read: (json: unknown) => T): Promise<T> => {
		const limits = watch(
			clock,
			{ who: REGISTRY, idleMs: CALL_MS, totalMs: CALL_MS },
			closing.signal
		);
		const { signal } = limits;
		let host = REGISTRY;
		try {
			const attempt = async () => {
				const at = await base();
				host = at.host;
				return pace.run(() => exchange(at, path, body, signal), signal);
			};
			const attempts = clock.monotonicMs() - failedAtMs < DOWN_MS ? 1 : ATTEMPTS;
			const answer = read(await retried(attempt, { clock, attempts, signal }));
			answered();
			return answer;
		} catch (error) {
			const told = explain(error, { host, setting: 'MODRINTH_URL' });
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
			ask(`${path}?${new URLSearchParams(query).toString()}`, undefined, read),
		post: ask,
		trouble: () => down,
		close: () => closing.abort(new AppError('upstream', 'Craftwarden is being stopped.'))
	};
}

function parse(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
	} catch (cause) {
		throw new BadAnswer('it is not JSON', cause);
	}
}
