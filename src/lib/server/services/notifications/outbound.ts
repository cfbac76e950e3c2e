import { lookup as systemLookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { AppError, errno } from '#core/errors';
import { createTransport, isPublicAddress, type Lookup, type Transport } from '#core/net';
import type { Answer, Post } from './kinds/index.ts';
import { mayBePlain } from './reach.ts';
import { plainLine } from './text.ts';

/** One POST to a service that may do anything: it answers, refuses, hangs, floods, or points elsewhere. */
export type Poster = (request: Post, allowPrivate: boolean, signal: AbortSignal) => Promise<Answer>;

type Deps = {
	/**
	 * Each with its own connections: one to a private address must never be reused for a channel that may not use
	 * it. `local` reaches private addresses only, without encryption.
	 */
	transports: { guarded: Transport; open: Transport; local: Transport };
	userAgent: string;
	clock: Clock;
};

export const LIMIT_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;
const WORDS_MAX = 300;
/** Longer pauses are split: the queue asks again. */
const PAUSE_MAX_MS = 24 * 3_600_000;
const GONE = new Set([401, 403, 404, 410]);

export function createPoster({ transports, userAgent, clock }: Deps): Poster {
	async function ask(
		{ url, headers, body, secrets = [] }: Post,
		allowPrivate: boolean,
		signal: AbortSignal
	) {
		const to = new URL(url);
		const plain = to.protocol !== 'https:';
		if (plain && !mayBePlain(to, allowPrivate)) throw plainRefused(to);
		const transport = plain ? transports.local : transports[allowPrivate ? 'open' : 'guarded'];
		const response = await transport.send({
			...{ url: to, body, signal },
			headers: { ...headers, 'user-agent': userAgent, accept: 'application/json, */*' },
			anyAddress: allowPrivate
		});
		return answerOf(response, masked(await beginning(response), secrets), clock);
	}
	return (request, allowPrivate, outer) =>
		deadline(
			{ ms: LIMIT_MS, clock, signal: outer },
			(signal) => ask(request, allowPrivate, signal),
			() => failure('It did not answer within 10 seconds.')
		).catch((cause: unknown) => {
			if (outer.aborted) throw cause;
			return failure(reasonOf(cause));
		});
}

/** Many servers say back which address they do not know. */
function masked(text: string, secrets: string[]): string {
	const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
	return forms.reduce((all, form) => all.replaceAll(form, '•••'), text);
}

/** The answer is only for people to read; a longer one is cut off. */
async function beginning(response: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of response as AsyncIterable<Buffer>) {
			chunks.push(chunk);
			size += chunk.length;
			if (size > ANSWER_MAX_BYTES) break;
		}
	} catch {
		// Its status arrived, and says enough.
	} finally {
		response.destroy();
	}
	return Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES).toString('utf8');
}

function answerOf(
	{ statusCode = 0, headers }: IncomingMessage,
	text: string,
	clock: Clock
): Answer {
	const base = { status: statusCode, answer: plainLine(text, WORDS_MAX) || null };
	const later = (words: string, retryAfterMs: number | null = null): Answer => ({
		...{ ...base, outcome: 'later', words, retryAfterMs }
	});
	if (statusCode >= 200 && statusCode < 300)
		return { ...base, outcome: 'delivered', words: 'Delivered.', retryAfterMs: null };
	if (statusCode === 429) {
		const pauseMs = pauseOf(headers['retry-after'], text, clock);
		return later('It asks us to slow down (429).', pauseMs);
	}
	if (GONE.has(statusCode)) {
		const why = statusCode === 401 || statusCode === 403 ? 'refuses us' : 'is not there any more';
		return {
			...{ ...base, outcome: 'gone', retryAfterMs: null },
			words: `The address ${why} (${statusCode}). Check it, and turn the channel on again.`
		};
	}
	if (statusCode >= 300 && statusCode < 400)
		return later(`It points elsewhere (${statusCode}), which is not followed. Give that address.`);
	if (statusCode === 408 || statusCode === 425 || statusCode >= 500 || statusCode < 200)
		return later(`It has a problem of its own (${statusCode}).`);
	return {
		...{ ...base, outcome: 'refused', retryAfterMs: null },
		words: `It does not accept the message (${statusCode}).`
	};
}

/** Seconds or a date in the header; Discord also says it in the body, to the millisecond. */
function pauseOf(header: string | undefined, text: string, clock: Clock): number | null {
	const inBody = /"retry_after"\s*:\s*(\d{1,7}(?:\.\d{1,6})?)/.exec(text)?.[1];
	const seconds = /^\d{1,9}$/.test(header ?? '') ? header : inBody;
	const ms =
		seconds === undefined
			? Date.parse(header ?? '') - clock.now().getTime()
			: Math.max(Number(seconds), Number(inBody ?? 0)) * 1000;
	return Number.isNaN(ms) ? null : Math.min(PAUSE_MAX_MS, Math.max(0, ms));
}

/** It failed, and trying again may help. */
export const failure = (words: string): Answer => ({
	...{ outcome: 'later', words, retryAfterMs: null, status: null, answer: null }
});

const NETWORK: Record<string, string> = {
	ENOTFOUND: 'DNS does not know its name.',
	EAI_AGAIN: 'Names cannot be looked up just now.',
	ECONNREFUSED: 'It refuses the connection.',
	ECONNRESET: 'It closed the connection.',
	EPIPE: 'It closed the connection.',
	EHOSTUNREACH: 'There is no route to it.',
	ENETUNREACH: 'There is no network.'
};

/** Never the error's own message: it may contain the address, which is a secret. */
export function reasonOf(cause: unknown): string {
	if (cause instanceof AppError)
		return cause.code === 'address-refused'
			? 'It leads to an address inside this machine or its network. Allow that for this channel if you mean it.'
			: cause.message;
	const code = errno(cause) ?? '';
	if (/CERT|SELF_SIGNED|UNABLE_TO|^ERR_TLS|^ERR_SSL|^EPROTO$/.test(code))
		return `Its certificate cannot be trusted (${code}).`;
	if (/^HPE_|^ERR_HTTP|OVERFLOW/.test(code)) return `Its answer is not HTTP (${code}).`;
	return NETWORK[code] ?? `It cannot be reached (${code || 'unknown error'}).`;
}

const plainRefused = ({ host }: URL) =>
	new AppError(
		'invalid',
		`${host} would be asked without encryption. Use https; plain http is for private addresses, and only where the channel allows them.`
	);

export function createTransports(lookup: Lookup = systemLookup): Deps['transports'] {
	const privateOnly: Lookup = (hostname, options, callback) =>
		lookup(hostname, options, (error, found) => {
			if (error) return callback(error, found);
			const inside = found.filter(({ address }) => !isPublicAddress(address));
			const refusal = inside.length ? null : plainRefused(new URL(`http://${hostname}`));
			callback(refusal, inside);
		});
	return {
		guarded: createTransport(lookup),
		open: createTransport(lookup),
		local: createTransport(privateOnly)
	};
}
