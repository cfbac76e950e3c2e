import { lookup as systemLookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { guardedLookup, requirePublic, type Lookup } from './guarded-lookup.ts';

export type Ask = {
	url: URL;
	headers: Record<string, string>;
	/** Makes it a POST. */
	body?: string | Buffer;
	/** Whether it may connect to loopback and private networks. */
	anyAddress: boolean;
	signal: AbortSignal;
};

/** One request over HTTP, one answer; redirects are answers too. */
export interface Transport {
	/** Resolves with the headers. The caller must read the answer to its end or destroy it. */
	send(ask: Ask): Promise<http.IncomingMessage>;
	close(): void;
}

/** How long a connection is kept for the next request. */
const KEPT_MS = 10_000;
/** More than the rate limit lets through: a request waiting here would wait behind answers that hang. */
const SOCKETS_MAX = 64;
const HEADERS_MAX_BYTES = 16 << 10;

/** `node:http` itself: it allows checking the address in the very look-up that the connection uses. */
export function createTransport(lookup: Lookup = systemLookup): Transport {
	const options = { keepAlive: true, maxSockets: SOCKETS_MAX, timeout: KEPT_MS };
	const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

	return {
		async send({ url, headers, body, anyAddress, signal }) {
			const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
			if (!anyAddress) requirePublic(url.hostname.replace(/^\[(.*)\]$/, '$1'));
			const secure = url.protocol === 'https:';
			const request = (secure ? https : http).request(url, {
				agent: agents[secure ? 'https:' : 'http:'],
				method: body === undefined ? 'GET' : 'POST',
				headers: body === undefined ? headers : { ...bodyHeaders(body), ...headers },
				lookup: guardedLookup(lookup, anyAddress),
				maxHeaderSize: HEADERS_MAX_BYTES,
				insecureHTTPParser: false,
				rejectUnauthorized: true,
				signal
			});
			// A socket's own limit is for idle sockets: the caller's signal ends a request in progress.
			request.on('socket', (socket) => socket.setTimeout(0));
			request.on('response', (answer) => {
				answer.on('error', () => {}); // the reader sees it as well
				resolve(answer);
			});
			request.on('error', (error) => reject(signal.aborted ? signal.reason : error));
			request.end(body);
			return promise;
		},
		close() {
			for (const agent of Object.values(agents)) agent.destroy();
		}
	};
}

/** JSON, unless its own headers say otherwise. */
const bodyHeaders = (body: string | Buffer) => ({
	'content-type': 'application/json',
	'content-length': String(Buffer.byteLength(body))
});
