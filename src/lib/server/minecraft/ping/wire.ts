import net from 'node:net';
import { createPacketReader, type Packet } from './packets.ts';

/** A connection that is read packet by packet. Everything ends, with the signal's reason, when it is aborted. */
export interface Wire {
	/** False when there is no connection. */
	connected(): Promise<boolean>;
	write(bytes: Buffer): void;
	/** Null when the connection ended, made no sense, or nothing came within `withinMs`. */
	read(withinMs?: number): Promise<Packet | null>;
	/** At least one byte came. */
	readonly received: boolean;
	/** The system's error, if there was one. */
	readonly failure: unknown;
	close(): void;
}

export function openWire(host: string, port: number, signal: AbortSignal): Wire {
	const socket = new net.Socket();
	const reader = createPacketReader();
	const packets: Packet[] = [];
	let ready = false;
	let received = false;
	let failure: unknown;
	let wake = () => {};

	const changed = () => new Promise<void>((resolve) => (wake = resolve));
	const onAbort = () => wake();
	signal.addEventListener('abort', onAbort, { once: true });
	socket.setNoDelay(true);
	socket.on('connect', () => {
		ready = true;
		wake();
	});
	socket.on('data', (chunk: Buffer) => {
		received = true;
		packets.push(...reader.push(chunk));
		wake();
	});
	socket.on('error', (cause) => (failure = cause));
	socket.on('close', () => wake());
	try {
		socket.connect({ host, port });
	} catch (cause) {
		failure = cause; // a port out of range
		socket.destroy();
	}

	return {
		async connected() {
			while (!ready && !socket.destroyed) {
				signal.throwIfAborted();
				await changed();
			}
			return ready;
		},
		write: (bytes) => void socket.write(bytes),
		async read(withinMs) {
			let over = false;
			const timer =
				withinMs === undefined
					? undefined
					: setTimeout(() => {
							over = true;
							wake();
						}, withinMs);
			try {
				for (;;) {
					signal.throwIfAborted();
					const next = packets.shift();
					if (next) return next;
					if (over || reader.broken || socket.destroyed) return null;
					await changed();
				}
			} finally {
				clearTimeout(timer);
			}
		},
		get received() {
			return received;
		},
		get failure() {
			return failure;
		},
		close() {
			signal.removeEventListener('abort', onAbort);
			socket.destroy();
		}
	};
}
