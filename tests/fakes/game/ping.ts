import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

export type FakePingScript = {
	port?: number;
	/** The status record, sent as JSON; a string is sent as it is. Undefined: that of an empty server. */
	status?: unknown;
	/** `no-status`: closed unanswered, as while the world loads and with `enable-status=false`. */
	fault?: 'no-status' | 'silent' | 'half' | 'half-close' | 'rst' | 'rst-on-connect';
	/** Exactly these bytes instead of the status packet. */
	bytes?: Uint8Array;
	delayMs?: number;
	delivery?: 'whole' | 'bytes';
	pong?: 'answer' | 'never' | 'close' | 'wrong';
};

export type FakePing = {
	readonly host: string;
	readonly port: number;
	/** Read at each use: a test may change it while the server runs. */
	readonly script: FakePingScript;
	readonly handshakes: { protocol: number; host: string; port: number; next: number }[];
	/** Packet ids in the order they came. */
	readonly packets: number[];
	readonly connections: number;
	readonly open: number;
	until(condition: () => boolean): Promise<void>;
	close(): Promise<void>;
};

const EMPTY_SERVER = {
	description: 'A Minecraft Server',
	players: { max: 20, online: 0 },
	version: { name: '1.21.1', protocol: 767 },
	enforcesSecureChat: true
};

export async function startFakePing(script: FakePingScript = {}): Promise<FakePing> {
	const changes = new EventEmitter().setMaxListeners(0);
	const sockets = new Set<net.Socket>();
	const handshakes: FakePing['handshakes'] = [];
	const packets: number[] = [];
	let connections = 0;

	const write = async (socket: net.Socket, bytes: Uint8Array) => {
		if (script.delivery !== 'bytes') return void socket.write(bytes);
		for (const byte of bytes) {
			if (socket.destroyed) return;
			await new Promise<void>((sent) => socket.write(Buffer.of(byte), () => sent()));
			// Two turns of the event loop hold one whole poll: a client in this process reads each byte alone.
			await new Promise((resolve) => setImmediate(resolve));
			await new Promise((resolve) => setImmediate(resolve));
		}
	};

	const status = async (socket: net.Socket) => {
		const { fault, bytes, delayMs = 0, status: record = EMPTY_SERVER } = script;
		if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs));
		if (fault === 'silent') return;
		if (fault === 'no-status') return socket.end();
		if (fault === 'rst') return socket.resetAndDestroy();
		const json = typeof record === 'string' ? record : JSON.stringify(record);
		const answer = bytes ?? packet(0, text(json));
		if (!fault) return write(socket, answer);
		socket.write(answer.subarray(0, answer.length / 2));
		if (fault === 'half-close') socket.end();
	};

	const pong = async (socket: net.Socket, payload: Buffer) => {
		const { pong = 'answer' } = script;
		if (pong === 'never') return;
		if (pong === 'answer') await write(socket, packet(1, payload));
		if (pong === 'wrong') await write(socket, packet(1, Buffer.alloc(8, 7)));
		socket.end(); // the game closes after the pong
	};

	const handle = async (socket: net.Socket, body: Buffer, next: number) => {
		const [id, at] = varInt(body, 0) ?? [-1, 0];
		packets.push(id);
		changes.emit('change');
		if (next === 0) {
			const [protocol, afterProtocol] = varInt(body, at) ?? [0, 0];
			const [length, hostAt] = varInt(body, afterProtocol) ?? [0, 0];
			const host = body.toString('utf8', hostAt, hostAt + length);
			const state = varInt(body, hostAt + length + 2)?.[0] ?? -1;
			handshakes.push({ protocol, host, port: body.readUInt16BE(hostAt + length), next: state });
			if (id !== 0 || state !== 1) socket.destroy();
		} else if (id === 0 && body.length === at) await status(socket);
		else if (id === 1 && body.length === at + 8) await pong(socket, body.subarray(at));
		else socket.destroy();
	};

	const server = net.createServer({ noDelay: true }, (socket) => {
		connections++;
		sockets.add(socket);
		socket.on('error', () => {}); // the client may reset whenever it likes
		socket.on('close', () => {
			sockets.delete(socket);
			changes.emit('change');
		});
		changes.emit('change');
		if (script.fault === 'rst-on-connect') return socket.resetAndDestroy();
		let inbox: Buffer = Buffer.alloc(0);
		let count = 0;
		socket.on('data', (chunk) => {
			inbox = Buffer.concat([inbox, chunk as Buffer]);
			for (let head = varInt(inbox, 0); head; head = varInt(inbox, 0)) {
				const [length, at] = head;
				if (inbox.length < at + length) return;
				void handle(socket, inbox.subarray(at, at + length), count++);
				inbox = inbox.subarray(at + length);
			}
		});
	});
	server.listen(script.port ?? 0, '127.0.0.1');
	await once(server, 'listening');

	return {
		host: '127.0.0.1',
		port: (server.address() as AddressInfo).port,
		script,
		handshakes,
		packets,
		get connections() {
			return connections;
		},
		get open() {
			return sockets.size;
		},
		async until(condition) {
			while (!condition()) await once(changes, 'change');
		},
		async close() {
			for (const socket of sockets) socket.destroy();
			if (!server.listening) return;
			server.close();
			await once(server, 'close');
		}
	};
}

/** A whole packet: length, id, data. */
export const packet = (id: number, data: Uint8Array) => {
	const body = Buffer.concat([encodeVarInt(id), data]);
	return Buffer.concat([encodeVarInt(body.length), body]);
};

/** A string with its length in front. */
export const text = (value: string) => {
	const bytes = Buffer.from(value);
	return Buffer.concat([encodeVarInt(bytes.length), bytes]);
};

export function encodeVarInt(value: number): Buffer {
	const bytes: number[] = [];
	let rest = value >>> 0;
	for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
	return Buffer.from([...bytes, rest]);
}

/** The number and where it ends, or null when it is not whole. */
function varInt(bytes: Buffer, from: number): [value: number, end: number] | null {
	let value = 0;
	for (let at = from; at < bytes.length && at < from + 5; at++) {
		const byte = bytes[at] ?? 0;
		value |= (byte & 0x7f) << (7 * (at - from));
		if (byte < 0x80) return [value, at + 1];
	}
	return null;
}
