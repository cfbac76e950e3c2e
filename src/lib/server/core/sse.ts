import { AppError } from './errors.ts';

/** How much one reader may leave unread before it is dropped. */
export const QUEUE_MAX_BYTES = 64 * 1024;
/** A reader that has not begun yet has only the first line waiting: it may get one larger chunk. */
const SLACK_BYTES = 1024;
const RETRY_MIN_MS = 1000;
const RETRY_SPREAD_MS = 3000;
/** How long a reader may take to fetch the rest of an ended stream. */
const LINGER_MS = 1000;

const HEADERS = {
	'content-type': 'text/event-stream; charset=utf-8',
	'cache-control': 'no-store, no-transform',
	'x-accel-buffering': 'no',
	// The socket is never reused, so hanging up on it can hit no other request.
	connection: 'close'
};

/** The part of Node's socket that a stream needs to hang up on a reader that has stopped reading. */
export type StreamSocket = { readonly remotePort?: number | undefined; destroy(): unknown };

/** The reader of a stream. */
export type Reader = {
	account: string;
	sessionId: string;
	role: 'admin' | 'superadmin';
	address: string;
	signal: AbortSignal;
	socket?: StreamSocket | null;
};

/** A one-way stream to one reader. Every method is safe to call after its end and then does nothing. */
export interface SseStream {
	readonly response: Response;
	readonly closed: boolean;
	/** Chunks come from `encode` and are shared: one chunk for all readers. */
	send(chunk: Uint8Array): void;
	/** Ends it after what was sent. */
	close(): void;
	/** Hangs up at once, whatever is still waiting. */
	drop(): void;
}

/** One event as text. JSON leaves no line break inside `data:`, so no text can forge a second event. */
export const frame = (event: string, data: unknown) =>
	`event: ${event}\ndata: ${JSON.stringify(data).replace(/[\u2028\u2029]/g, escapeLine)}\n\n`;

/** Several events as one chunk for any number of readers. */
export const encode = (...frames: string[]): Uint8Array => Buffer.from(frames.join(''));

const escapeLine = (char: string) => (char === '\u2028' ? '\\u2028' : '\\u2029');

/** Opens a stream; `onClose` runs exactly once, whoever ends it. */
export function openSse(options: {
	signal: AbortSignal;
	socket?: StreamSocket | null;
	onClose: () => void;
}): SseStream {
	const { signal, socket, onClose } = options;
	let closed = false;

	const settle = () => {
		if (closed) return false;
		closed = true;
		signal.removeEventListener('abort', close);
		onClose();
		return true;
	};
	const close = () => {
		if (!settle()) return;
		body.end();
		// A reader that does not take the rest would keep the socket open, and with it a stopping process.
		if (socket && !signal.aborted) setTimeout(() => socket.destroy(), LINGER_MS).unref();
	};
	const drop = () => {
		if (!settle()) return;
		body.fail(new Error('The reader was too slow.'));
		socket?.destroy();
	};
	// Readers that lost the stream together should not come back together. This also sends the headers.
	const first = encode(`retry: ${retryMs()}\n\n`);
	const body = openBody(first, settle);
	signal.addEventListener('abort', close, { once: true });
	if (signal.aborted) close();

	return {
		response: new Response(body.stream, { headers: HEADERS }),
		get closed() {
			return closed;
		},
		send(chunk) {
			if (closed) return;
			const { waiting } = body;
			if (waiting > SLACK_BYTES && waiting + chunk.byteLength > QUEUE_MAX_BYTES) drop();
			else body.write(chunk);
		},
		close,
		drop
	};
}

type Body = {
	stream: ReadableStream<Uint8Array>;
	/** Bytes that the reader has not taken. */
	readonly waiting: number;
	write(chunk: Uint8Array): void;
	/** Ends it after what was written. */
	end(): void;
	fail(cause: Error): void;
};

function openBody(first: Uint8Array, onCancel: () => unknown): Body {
	let controller!: ReadableStreamDefaultController<Uint8Array>;
	const stream = new ReadableStream<Uint8Array>(
		{
			start(c) {
				controller = c;
				c.enqueue(first);
			},
			cancel: () => void onCancel()
		},
		new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_MAX_BYTES })
	);
	return {
		stream,
		get waiting() {
			return QUEUE_MAX_BYTES - (controller.desiredSize ?? 0);
		},
		write: (chunk) => controller.enqueue(chunk),
		end: () => controller.close(),
		fail: (cause) => controller.error(cause)
	};
}

const retryMs = () => Math.round(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS);

type Platform = { req?: { socket?: StreamSocket } };

type StreamRequest = {
	request: Request;
	locals: {
		session: { id: string; user: { name: string; role: Reader['role'] } } | null;
		actor: { address: string | null };
	};
	/** What adapter-node provides: the raw request. */
	platform?: unknown;
};

/** Who asks for a stream. The access check has already required a session; this does not trust it blindly. */
export function readerOf({ request, locals, platform }: StreamRequest): Reader {
	if (!locals.session) throw new AppError('unauthorized', 'Log in to open the live stream.');
	const { id, user } = locals.session;
	const { req } = (platform ?? {}) as Platform;
	return {
		account: user.name,
		sessionId: id,
		role: user.role,
		address: locals.actor.address ?? '',
		signal: request.signal,
		socket: req?.socket ?? null
	};
}
