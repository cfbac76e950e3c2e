import net from 'node:net';

const STATUS = 1;
const LOGIN = 2;
const MAX_BUFFER = 4096;
const READ_TIMEOUT_MS = 30_000;

export interface StatusServer {
	/** Resolves when no new connection is taken; open ones are cut. */
	close(): void;
	freeze(): void;
}

type Deps = {
	host: string | undefined;
	port: number;
	/** The cached answer; null while the world loads and with enable-status=false. */
	status(): string | null;
};

/** The game's port. Rejects with the system's error when it cannot be had. */
export function openStatus(deps: Deps): Promise<StatusServer> {
	const clients = new Set<net.Socket>();
	let frozen = false;
	const server = net.createServer((socket) => {
		clients.add(socket);
		socket.on('close', () => clients.delete(socket));
		socket.on('error', () => socket.destroy());
		if (!frozen) talk(socket, deps, () => frozen);
	});
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen({ port: deps.port, host: deps.host }, () => {
			server.off('error', reject);
			resolve({
				close() {
					server.close();
					for (const socket of clients) socket.destroy();
				},
				freeze: () => void (frozen = true)
			});
		});
	});
}

/** Server List Ping: handshake, status once, ping once. Whatever else is said ends the connection. */
function talk(socket: net.Socket, deps: Deps, frozen: () => boolean): void {
	let buffer: Buffer = Buffer.alloc(0);
	let stage: 'handshake' | 'status' | 'answered' | 'login' = 'handshake';
	let answer = '';
	socket.setTimeout(READ_TIMEOUT_MS, () => socket.destroy());

	const handle = (frame: Buffer): void => {
		const id = frame[0];
		if (stage === 'handshake' && id === 0) {
			const next = frame[frame.length - 1];
			const status = deps.status();
			if (next === LOGIN) stage = 'login';
			else if (next !== STATUS || status === null) socket.end();
			else {
				stage = 'status';
				answer = status;
			}
		} else if (stage === 'status' && id === 0) {
			stage = 'answered';
			socket.write(packet(Buffer.concat([Buffer.from([0]), text(answer)])));
		} else if (stage === 'login' && id === 0) {
			const no = JSON.stringify({ text: 'This is a demonstration server: nobody can play here.' });
			socket.end(packet(Buffer.concat([Buffer.from([0]), text(no)])));
		} else if (stage !== 'login' && id === 1 && frame.length === 9) socket.end(packet(frame));
		else socket.destroy();
	};
	socket.on('data', (chunk) => {
		if (frozen()) return;
		buffer = Buffer.concat([buffer, chunk]);
		if (buffer.length > MAX_BUFFER) return void socket.destroy();
		for (let length = readVarInt(buffer); length; length = readVarInt(buffer)) {
			if (buffer.length < length.size + length.value) return;
			const frame = buffer.subarray(length.size, length.size + length.value);
			buffer = buffer.subarray(length.size + length.value);
			if (frame.length === 0) return void socket.destroy();
			handle(frame);
		}
	});
}

/** Null while it is incomplete. */
function readVarInt(bytes: Buffer): { value: number; size: number } | null {
	let value = 0;
	for (let i = 0; i < Math.min(bytes.length, 5); i++) {
		value |= (bytes[i]! & 0x7f) << (7 * i);
		if ((bytes[i]! & 0x80) === 0) return { value: value >>> 0, size: i + 1 };
	}
	return null;
}

function varInt(value: number): Buffer {
	const bytes: number[] = [];
	for (let rest = value >>> 0; ; rest >>>= 7) {
		if (rest < 0x80) return Buffer.from([...bytes, rest]);
		bytes.push((rest & 0x7f) | 0x80);
	}
}

const packet = (frame: Buffer) => Buffer.concat([varInt(frame.length), frame]);
const text = (value: string) => {
	const bytes = Buffer.from(value);
	return Buffer.concat([varInt(bytes.length), bytes]);
};
