import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listen } from './listen.ts';
import { createScript, misbehave, send, type Misbehaviour, type Reply } from './misbehave.ts';
import { answer, type Found } from './routes.ts';
import { createStore, type Store } from './store.ts';
import type { SeenRequest } from './types.ts';

export type { Fault, Misbehaviour } from './misbehave.ts';
export type * from './types.ts';

export type RegistryOptions = {
	host?: string;
	/** A free one unless told; the next free one when it is taken. */
	port?: number;
	/** API requests per minute, refilled evenly, all of them available at first. */
	perMinute?: number;
	/** Whether `requests` is kept; unless told, it is. */
	keepRequests?: boolean;
	onRequest?: () => void;
};

/** A registry that answers like the real one, over a real socket. */
export interface FakeRegistry {
	/** What `MODRINTH_URL` takes, `/v2` included. */
	readonly url: string;
	/** Everything that was asked, oldest first. */
	readonly requests: SeenRequest[];
	addProject: Store['addProject'];
	addVersion: Store['addVersion'];
	readonly store: Store;
	/** From now on; replaces what was scripted before. `[]`: behave. */
	misbehave(script: Misbehaviour[]): void;
	/** Cuts every connection, too. */
	close(): Promise<void>;
}

const PER_MINUTE = 300;
const BODY_MAX_BYTES = 4 << 20;
/** Names that libraries give themselves, and nobody. */
const ANONYMOUS = /^(?:$|node|undici|axios|got|curl|wget|python|go-http|java|okhttp|mozilla)/i;

export async function startRegistry(options: RegistryOptions = {}): Promise<FakeRegistry> {
	const { host = '127.0.0.1', port = 0, perMinute = PER_MINUTE } = options;
	const { keepRequests = true, onRequest } = options;
	const requests: SeenRequest[] = [];
	const script = createScript();
	const limit = createLimit(perMinute);
	let origin = '';
	const store = createStore(() => origin);

	const server = http.createServer((request, response) => {
		const seen = see(request);
		if (keepRequests) requests.push(seen);
		onRequest?.();
		response.on('finish', () => (seen.status = response.statusCode));
		void readBody(request).then((text) => {
			seen.body = text === '' ? undefined : parse(text);
			const limited = seen.path.startsWith('/v2/') ? limit(seen) : { headers: {} };
			const found = limited.refusal ?? answer(store, seen, origin);
			const reply = toReply(found, request, limited.headers);
			const fault = script.next(seen.url);
			if (fault) misbehave(fault, toReply(found, null, limited.headers), response);
			else send(response, reply);
		});
	});
	await listen(server, port, host);
	const { address, port: taken } = server.address() as AddressInfo;
	origin = `http://${address}:${taken}`;
	return {
		url: `${origin}/v2`,
		requests,
		store,
		addProject: store.addProject,
		addVersion: store.addVersion,
		misbehave: script.set,
		async close() {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		}
	};
}

function see(request: http.IncomingMessage): SeenRequest {
	const { method = 'GET', url = '/', headers } = request;
	const at = new URL(`http://registry${url}`);
	const query = Object.fromEntries(at.searchParams);
	return { method, url, path: at.pathname, query, headers, body: undefined, status: null };
}

async function readBody(request: http.IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of request as AsyncIterable<Buffer>)
			if ((size += chunk.length) <= BODY_MAX_BYTES) chunks.push(chunk);
	} catch {
		// The client hung up: nobody is there to answer.
	}
	return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** A bucket that fills evenly, like the real one's; clients that do not identify themselves get nothing. */
function createLimit(perMinute: number) {
	let tokens = perMinute;
	let filledAt = performance.now();
	return (seen: SeenRequest): { headers: Record<string, string>; refusal?: Found } => {
		const now = performance.now();
		tokens = Math.min(perMinute, tokens + ((now - filledAt) / 60_000) * perMinute);
		filledAt = now;
		const allowed = tokens >= 1;
		if (allowed) tokens--;
		const headers = {
			'x-ratelimit-limit': String(perMinute),
			'x-ratelimit-remaining': String(Math.floor(tokens)),
			'x-ratelimit-reset': String(allowed ? 0 : Math.ceil(60 / perMinute))
		};
		const refuse = (status: number, error: string, description: string) => ({
			headers,
			refusal: { status, type: 'application/json', body: { error, description } }
		});
		if (ANONYMOUS.test(String(seen.headers['user-agent'] ?? '')))
			return refuse(403, 'forbidden', 'Send a User-Agent that names your application.');
		if (!allowed) return refuse(429, 'ratelimit_error', 'You are being rate-limited.');
		return { headers };
	};
}

/** JSON is gzipped where the client takes it, as the real one does. */
function toReply(
	{ status, type, body }: Found,
	request: http.IncomingMessage | null,
	more: Record<string, string>
): Reply {
	const bytes =
		body === null
			? Buffer.alloc(0)
			: Buffer.isBuffer(body)
				? body
				: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	const headers: Record<string, string> = { 'content-type': type, ...more };
	const zip =
		type === 'application/json' && /\bgzip\b/.test(String(request?.headers['accept-encoding']));
	if (!zip) return { status, headers, body: bytes };
	return { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(bytes) };
}
