import net from 'node:net';
import { createFrameReader, encodeFrame, type Frame } from './frames.ts';

export type RconAddress = { host: string; port: number; password: string };

/**
 * Why it did not work: `unreachable` no connection; `silent` no answer in time; `auth` the login was refused;
 * `auth-unsure` the connection closed during the login; `logged-out` the server wants a login first; `lost` the
 * connection closed; `protocol` the data was not RCON; `aborted` the caller gave up.
 */
export type Reason =
	| 'unreachable'
	| 'silent'
	| 'auth'
	| 'auth-unsure'
	| 'logged-out'
	| 'lost'
	| 'protocol'
	| 'aborted';

export class RconFailure extends Error {
	readonly reason: Reason;
	/** The command left this process: it may have run. */
	readonly sent: boolean;

	constructor(reason: Reason, facts: { sent?: boolean; cause?: unknown } = {}) {
		super(`RCON: ${reason}`, { cause: facts.cause });
		this.reason = reason;
		this.sent = facts.sent ?? false;
	}
}

export type Limits = { timeoutMs: number; signal?: AbortSignal };
export type Listener = {
	/** All packets of one read. */
	frames(frames: Frame[]): void;
	ended(reason: Reason, cause?: unknown): void;
};

/** A TCP connection that carries RCON packets. */
export interface Link {
	readonly open: boolean;
	/** One write per packet. `refused` becomes true when the kernel accepted none of it. */
	send(id: number, type: number, payload: string): { readonly refused: boolean };
	/** One listener at a time; without one, packets are dropped. */
	listen(listener: Listener | null): void;
	/** Whether the connection keeps the process alive. */
	hold(on: boolean): void;
	destroy(): void;
}

export function openLink(
	{ host, port }: { host: string; port: number },
	{ timeoutMs, signal }: Limits
): Promise<Link> {
	return new Promise((resolve, reject) => {
		const socket = connect(host, port);
		const end = (reason: Reason) => {
			reject(new RconFailure(reason));
			socket.destroy();
		};
		const timer = setTimeout(end, timeoutMs, 'silent');
		const onAbort = () => end('aborted');
		const onError = (cause: unknown) => reject(new RconFailure('unreachable', { cause }));
		signal?.addEventListener('abort', onAbort, { once: true });
		if (signal?.aborted) onAbort();
		socket.on('error', onError);
		socket.once('connect', () => {
			socket.off('error', onError);
			resolve(wrap(socket));
		});
		const settled = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', onAbort);
		};
		socket.once('connect', settled).once('close', settled);
	});
}

function connect(host: string, port: number) {
	try {
		return net.connect({ host, port, noDelay: true });
	} catch (cause) {
		throw new RconFailure('unreachable', { cause }); // a port out of range
	}
}

function wrap(socket: net.Socket): Link {
	const reader = createFrameReader();
	let listener: Listener | null = null;
	let failure: unknown = null;

	const end = (reason: Reason) => {
		const last = listener;
		listener = null;
		socket.destroy();
		last?.ended(reason, failure);
	};
	socket.on('data', (chunk: Buffer) => {
		const frames = reader.push(chunk);
		if (frames.length > 0) listener?.frames(frames);
		if (reader.broken) end('protocol');
	});
	socket.on('error', (cause) => (failure = cause));
	socket.on('end', () => end('lost'));
	socket.on('close', () => end('lost'));

	return {
		get open() {
			return !socket.destroyed;
		},
		send(id, type, payload) {
			const ticket = { refused: false };
			socket.write(encodeFrame(id, type, payload), (error) => {
				ticket.refused = !!error && isWriteError(error);
			});
			return ticket;
		},
		listen(next) {
			listener = next;
		},
		hold(on) {
			if (on) socket.ref();
			else socket.unref();
		},
		destroy() {
			listener = null;
			socket.destroy();
		}
	};
}

/** The write itself failed, immediately; a connection that is reset later may have delivered it. */
const isWriteError = (error: Error) => 'syscall' in error && error.syscall === 'write';

/**
 * One exchange on a link: `talk` sends what it wants and listens until it settles. When the time is over or the
 * caller gives up, the link is closed, because a late answer must not reach the next exchange. A rejection closes it
 * too.
 */
export function converse<T>(
	link: Link,
	{ timeoutMs, signal }: Limits,
	talk: (settle: { resolve(value: T): void; reject(failure: RconFailure): void }) => Listener
): Promise<T> {
	if (signal?.aborted) return Promise.reject(new RconFailure('aborted'));
	if (!link.open) return Promise.reject(new RconFailure('lost'));
	return new Promise<T>((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', onAbort);
			link.listen(null);
		};
		const listener = talk({
			resolve(value) {
				stop();
				resolve(value);
			},
			reject(failure) {
				stop();
				link.destroy();
				reject(failure);
			}
		});
		const giveUp = (reason: Reason) => {
			listener.ended(reason);
			link.destroy();
		};
		const onAbort = () => giveUp('aborted');
		const timer = setTimeout(giveUp, timeoutMs, 'silent');
		link.listen(listener);
		signal?.addEventListener('abort', onAbort, { once: true });
	});
}
