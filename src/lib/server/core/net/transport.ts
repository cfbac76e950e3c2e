import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AppError } from '../errors.ts';
import { isPublicAddress } from './public-address.ts';

export type Ask = {
	url: URL;
	headers: Record<string, string>;
	/** Makes it a POST. */
	body?: string;
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

type Callback = (error: Error | null, found: LookupAddress[]) => void;
/** `dns.lookup` with `all`. */
export type Lookup = (hostname: string, options: { all: true }, callback: Callback) => void;

/** How long a connection is kept for the next request. */
const KEPT_MS = 10_000;
/** More than the rate limit lets through: a request waiting here would wait behind answers that hang. */
const SOCKETS_MAX = 64;
const HEADERS_MAX_BYTES = 16 << 10;

/**
 * `node:http` itself: it allows checking the address in the very lookup that the connection uses, so a name that
 * resolves differently a moment later gains nothing.
 */
export function createTransport(lookup: Lookup = systemLookup): Transport {
	const options = { keepAlive: true, maxSockets: SOCKETS_MAX, timeout: KEPT_MS };
	const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

	const lookupFor =
		(anyAddress: boolean): LookupFunction =>
		(hostname, { all }, callback) =>
			lookup(hostname, { all: true }, (error, found) => {
				const open = anyAddress ? found : found?.filter(({ address }) => isPublicAddress(address));
				const first = open?.[0];
				const failure = error ?? (first ? null : addressRefused(hostname));
				if (all) callback(failure, open ?? []);
				else callback(failure, first?.address ?? '', first?.family);
			});

	return {
		send({ url, headers, body, anyAddress, signal }) {
			const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
			const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
			// A literal address is never looked up.
			if (!anyAddress && isIP(host) && !isPublicAddress(host))
				return Promise.reject(addressRefused(host));
			const secure = url.protocol === 'https:';
			const request = (secure ? https : http).request(url, {
				agent: agents[secure ? 'https:' : 'http:'],
				method: body === undefined ? 'GET' : 'POST',
				headers: body === undefined ? headers : { ...headers, ...bodyHeaders(body) },
				lookup: lookupFor(anyAddress),
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

const bodyHeaders = (body: string) => ({
	'content-type': 'application/json',
	'content-length': String(Buffer.byteLength(body))
});

const addressRefused = (host: string) =>
	new AppError(
		'upstream',
		`${host} leads to an address inside this machine or its network. Nothing was requested from there.`,
		{ code: 'address-refused' }
	);
