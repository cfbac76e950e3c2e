import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import {
	cut,
	deliver,
	emptyServer,
	encode,
	readRequests,
	type Delivery,
	type Packet,
	type Software
} from './rcon-dialects.ts';

export { encode as rconPacket } from './rcon-dialects.ts';
export type { Delivery } from './rcon-dialects.ts';

/**
 * What a command gets: its output (null: none), or trouble.
 * `never` leaves the connection open without a word; `half` sends half of the first packet, then nothing.
 */
export type Reply =
	| string
	| null
	| {
			output?: string | null;
			delayMs?: number;
			fault?: 'never' | 'half' | 'close' | 'rst';
			/** The answer carries this id. */
			id?: number;
			type?: number;
			/** Exactly these bytes instead of an answer, each part by itself. */
			bytes?: Uint8Array | Uint8Array[];
			/** What happens after the answer. */
			then?: 'close' | 'rst';
	  };

export type FakeRconScript = {
	/**
	 * `vanilla` reads like the game does: one read is one request (of at most 1,460 bytes), anything else ends the
	 * connection; answers are cut at 4,096 UTF-16 units, and all connections share one buffer for the output.
	 */
	software?: Software;
	password?: string;
	port?: number;
	connect?: 'accept' | 'close' | 'rst';
	/** `source` sends an empty packet of type 0 first; `wrong-type` answers with type 0 only. */
	login?: 'check' | 'silent' | 'close' | 'rst' | 'wrong-type' | 'source';
	delivery?: Delivery;
	/** Undefined: the answer of an empty server. `call` counts from 1. */
	answer?: (line: string, call: number) => Reply | undefined | Promise<Reply | undefined>;
};

export type FakeRcon = {
	readonly address: { host: string; port: number; password: string };
	/** Read at each use: a test may change it while the server runs. */
	readonly script: FakeRconScript;
	/** Every command received, in order, including those never answered. */
	readonly commands: string[];
	/** Ids and types of all requests. */
	readonly requests: { id: number; type: number; bytes: number }[];
	readonly connections: number;
	readonly open: number;
	readonly logins: number;
	readonly refused: number;
	/** Connections that were closed for the reasons that the game has. */
	readonly violations: string[];
	/** Resolves when the condition holds; looked at after every request and every close. */
	until(condition: () => boolean): Promise<void>;
	/** Ends all connections from this side. */
	drop(how: 'close' | 'rst'): void;
	close(): Promise<void>;
};

type Peer = {
	socket: net.Socket;
	loggedIn: boolean;
	send(packets: Packet[], delivery?: Delivery): Promise<void>;
	hangUp(how: 'close' | 'rst', why?: string): void;
};

export async function startFakeRcon(script: FakeRconScript = {}): Promise<FakeRcon> {
	const changes = new EventEmitter().setMaxListeners(0);
	const sockets = new Set<net.Socket>();
	const commands: string[] = [];
	const requests: FakeRcon['requests'] = [];
	const violations: string[] = [];
	const counts = { connections: 0, logins: 0, refused: 0 };
	const password = script.password ?? 'secret';
	/** Vanilla's one buffer for the output of all connections, and its one main thread. */
	let shared = '';
	let mainThread: Promise<unknown> = Promise.resolve();

	const onMainThread = <T>(work: () => Promise<T>): Promise<T> => {
		const result = mainThread.then(work);
		mainThread = result.catch(() => {});
		return result;
	};

	const login = async (peer: Peer, { id, text }: Packet) => {
		const { login = 'check', software = 'vanilla', password: current = password } = script;
		if (login === 'silent') return;
		if (login === 'close' || login === 'rst') return peer.hangUp(login);
		if (login === 'wrong-type') return peer.send([{ id, type: 0, text: '' }]);
		const cuberite = software === 'cuberite';
		peer.loggedIn = cuberite ? current.startsWith(text) : text === current && text !== '';
		counts[peer.loggedIn ? 'logins' : 'refused']++;
		if (!peer.loggedIn && cuberite) return peer.hangUp('close');
		const before = login === 'source' ? [{ id, type: 0, text: '' }] : [];
		await peer.send([...before, { id: peer.loggedIn ? id : -1, type: 2, text: '' }]);
	};

	const execute = async (line: string) => {
		commands.push(line);
		const call = commands.length;
		changes.emit('change');
		const reply = (await script.answer?.(line, call)) ?? undefined;
		const made = reply === undefined ? emptyServer(line, script.software) : reply;
		return made === null || typeof made === 'string' ? { output: made } : made;
	};

	const command = async (peer: Peer, { id, text: line }: Packet) => {
		const { software = 'vanilla' } = script;
		if (software === 'vanilla') shared = '';
		const answer = await onMainThread(async () => {
			const made: Exclude<Reply, string | null> = await execute(line);
			if (made.delayMs) await new Promise((resolve) => setTimeout(resolve, made.delayMs));
			shared += made.output ?? '';
			return made;
		});
		const { fault, bytes, then, type = software === 'cuberite' ? 2 : 0 } = answer;
		if (fault === 'never') return new Promise<void>((stay) => peer.socket.once('close', stay));
		if (fault === 'close' || fault === 'rst') return peer.hangUp(fault);
		const output = software === 'vanilla' ? shared : (answer.output ?? '');
		const packets = cut(output, software).map((text) => ({ id: answer.id ?? id, type, text }));
		if (bytes) await deliver(peer.socket, [bytes].flat(), script.delivery ?? 'packets');
		else if (fault === 'half') {
			const whole = encode(packets[0] ?? { id, type, text: '' });
			peer.socket.write(whole.subarray(0, whole.length / 2));
		} else await peer.send(packets);
		if (then) peer.hangUp(then);
	};

	const request = async (peer: Peer, bytes: Buffer) => {
		const end = bytes.indexOf(0, 12);
		const packet = {
			id: bytes.readInt32LE(4),
			type: bytes.readInt32LE(8),
			text: bytes.toString('utf8', 12, end < 0 ? bytes.length : end)
		};
		requests.push({ id: packet.id, type: packet.type, bytes: bytes.length });
		const { software = 'vanilla' } = script;
		if (packet.type === 3) await login(peer, packet);
		else if (packet.type === 2 && peer.loggedIn) await command(peer, packet);
		else if (software === 'cuberite') peer.hangUp('rst', `type ${packet.type}`);
		else if (packet.type === 2) await peer.send([{ ...packet, id: -1, type: 2, text: '' }]);
		else if (software === 'pumpkin') await login(peer, packet);
		else {
			const text = `Unknown request ${packet.type.toString(16)}`;
			await peer.send([{ ...packet, type: 0, text }]);
		}
		changes.emit('change');
	};

	const server = net.createServer({ noDelay: true }, (socket) => {
		counts.connections++;
		sockets.add(socket);
		const peer: Peer = {
			socket,
			loggedIn: false,
			send: (packets, delivery = script.delivery ?? 'packets') =>
				deliver(socket, packets.map(encode), delivery),
			hangUp(how, why) {
				if (why) violations.push(why);
				if (how === 'rst') socket.resetAndDestroy();
				else socket.end(() => socket.destroy());
			}
		};
		socket.on('error', () => {}); // the client may reset whenever it likes
		socket.on('close', () => {
			sockets.delete(socket);
			changes.emit('change');
		});
		changes.emit('change');
		const { connect = 'accept' } = script;
		if (connect !== 'accept') return peer.hangUp(connect);
		readRequests(socket, (bytes) => request(peer, bytes), {
			lengthWins: script.software === 'cuberite' || script.software === 'pumpkin',
			violation: (why) => peer.hangUp('close', why)
		});
	});
	server.listen(script.port ?? 0, '127.0.0.1');
	await once(server, 'listening');

	return {
		address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, password },
		script,
		commands,
		requests,
		violations,
		get connections() {
			return counts.connections;
		},
		get logins() {
			return counts.logins;
		},
		get refused() {
			return counts.refused;
		},
		get open() {
			return sockets.size;
		},
		async until(condition) {
			while (!condition()) await once(changes, 'change');
		},
		drop(how) {
			for (const socket of sockets) {
				if (how === 'rst') socket.resetAndDestroy();
				else socket.end();
			}
		},
		async close() {
			for (const socket of sockets) socket.destroy();
			if (!server.listening) return;
			server.close();
			await once(server, 'close');
		}
	};
}
