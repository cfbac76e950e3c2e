import { AppError, errno } from '../errors.ts';

/** Who is queried, and which setting holds their address. */
export type Peer = { host: string; setting: string };

/** The other side answered with an HTTP status that is not a success. */
export class StatusFailure extends Error {
	readonly status: number;
	constructor(status: number) {
		super(`HTTP ${status}`);
		this.name = 'StatusFailure';
		this.status = status;
	}
}

/** The other side answers, but not with what was asked for: trying again would not help. */
export class BadAnswer extends Error {
	constructor(why: string, cause?: unknown) {
		super(why, { cause });
		this.name = 'BadAnswer';
	}
}

/** The other side asks for a pause longer than anybody waits for an answer. */
export class PausedFailure extends Error {
	readonly until: Date;
	readonly ms: number;
	constructor(until: Date, ms: number) {
		super(`Paused until ${until.toISOString()}`);
		this.name = 'PausedFailure';
		this.until = until;
		this.ms = ms;
	}
}

const PASSING = new Set([429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);
const NETWORK: Record<string, string> = {
	ENOTFOUND: 'DNS does not know its name',
	EAI_AGAIN: 'names cannot be looked up',
	ECONNREFUSED: 'it refuses the connection',
	ECONNRESET: 'it closed the connection',
	EPIPE: 'it closed the connection',
	ETIMEDOUT: 'it does not answer',
	EHOSTUNREACH: 'there is no route to it',
	ENETUNREACH: 'there is no network',
	ENETDOWN: 'there is no network'
};
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO|^ERR_TLS|^ERR_SSL|^EPROTO$/;

/** Whether the same request may well succeed in a moment. */
export function isPassing(error: unknown): boolean {
	if (error instanceof StatusFailure) return PASSING.has(error.status);
	if (error instanceof AppError) return error.kind === 'timeout';
	const code = errno(error) ?? '';
	return code !== '' && !UNTRUSTED.test(code) && !code.startsWith('ERR_INVALID');
}

/** Whether the other side as a whole is unavailable; otherwise only this one query failed, or came at a bad moment. */
export const isOutage = (error: unknown) =>
	error instanceof StatusFailure
		? error.status !== 404 && error.status !== 400
		: !(error instanceof AppError && error.code === 'crowded');

/** Any expected failure, worded for people. A bug stays what it is. */
export function explain(error: unknown, peer: Peer): unknown {
	const { host, setting } = peer;
	if (error instanceof StatusFailure) return explainStatus(error, peer);
	if (error instanceof BadAnswer)
		return failed(
			`The answer of ${host} cannot be used: ${error.message}. Check ${setting}, or try again later.`,
			{ cause: error, code: 'nonsense' }
		);
	if (error instanceof PausedFailure) return explainPause(error, host);
	const code = errno(error);
	if (error instanceof AppError || code === null) return error;
	if (UNTRUSTED.test(code))
		return failed(
			`${host} cannot be trusted (${code}). Check this machine’s clock and ${setting}.`,
			{
				cause: error,
				code: 'tls'
			}
		);
	const why = NETWORK[code] ?? code;
	return failed(
		`${host} cannot be reached: ${why}. Check this machine’s connection, and try again.`,
		{
			cause: error,
			code: 'unreachable'
		}
	);
}

function explainPause(error: PausedFailure, host: string): AppError {
	const seconds = Math.ceil(error.ms / 1000);
	const at = error.until.toISOString().slice(11, 19);
	const wait = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
	return failed(
		`${host} has received too many requests and asks for a pause. Try again at ${at} UTC, in ${wait}.`,
		{ cause: error, code: 'rate-limited', retryAfterS: seconds }
	);
}

function explainStatus(error: StatusFailure, { host, setting }: Peer): AppError {
	const { status } = error;
	if (status === 404)
		return new AppError('not-found', `${host} does not know it (any more).`, { cause: error });
	if (status === 410)
		return failed(`${host} has retired this version of its interface. Update Craftwarden.`, {
			cause: error,
			code: 'retired'
		});
	if (status === 429)
		return failed(`${host} asks us to slow down. Try again in a minute.`, {
			cause: error,
			code: 'rate-limited',
			retryAfterS: 60
		});
	const passing = PASSING.has(status);
	return failed(
		`${host} answered with error ${status}. ${passing ? 'Try again in a few minutes.' : `Check ${setting}.`}`,
		{ cause: error, code: passing ? 'outage' : 'refused' }
	);
}

const failed = (message: string, facts: ConstructorParameters<typeof AppError>[2]) =>
	new AppError('upstream', message, facts);
