import net from 'node:net';
import { createPacketReader, type Packet } from './packets.ts';

/** A connection that is read packet by packet. Every pending read ends when it is closed. */
export interface Wire {
	/** False when there is no connection. */
	connected(): Promise<boolean>;
	write(bytes: Buffer): void;
	/** Null when the connection ended or the data was invalid. */
	read(): Promise<Packet | null>;
	/** At least one byte has arrived. */
	readonly received: boolean;
	/** The system's error, if there was one. */
	readonly failure: unknown;
	close(): void;
}

export function openWire(host: string, port: number): Wire {
	const socket = new net.Socket();
	const reader = createPacketReader();
	const packets: Packet[] = [];
	let ready = false;
	let received = false;
	let failure: unknown;
	let wake = () => {};

	const changed = () => new Promise<void>((resolve) => (wake = resolve));
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
			while (!ready && !socket.destroyed) await changed();
			return ready;
		},
		write: (bytes) => void socket.write(bytes),
		async read() {
			for (;;) {
				const next = packets.shift();
				if (next) return next;
				if (reader.broken || socket.destroyed) return null;
				await changed();
			}
		},
		get received() {
			return received;
		},
		get failure() {
			return failure;
		},
		close: () => void socket.destroy()
	};
}
