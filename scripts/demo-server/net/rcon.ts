import { once } from 'node:events';
import net from 'node:net';
import type { GameLog } from '../log.ts';
import { SERVER_THREAD } from '../log.ts';

const MAX_READ = 1460;
const MIN_READ = 10;
const FRAGMENT_UNITS = 4096;
const LOGIN = 3;
const COMMAND = 2;
const LISTENER = 'RCON Listener #1';

/** The one answer buffer of the game, shared by all connections. */
export type AnswerBuffer = { text: string };

export interface RconServer {
	/** Closes the listener and every connection, with the game's lines. */
	close(): Promise<void>;
	/** From now on nothing is read or answered, and nothing closed. */
	freeze(): void;
}

type Deps = {
	host: string;
	port: number;
	password: string;
	log: GameLog;
	answer: AnswerBuffer;
	/** Runs it on the main thread; what it says lands in `answer`. */
	execute(command: string): Promise<void>;
};

/** Null when the port cannot be had: the game plays on without RCON. */
export function openRcon(deps: Deps): Promise<RconServer | null> {
	const { log } = deps;
	const clients = new Set<net.Socket>();
	const state = { frozen: false, threads: 1 };
	const server = net.createServer((socket) => {
		clients.add(socket);
		serve(socket, deps, state, () => clients.delete(socket));
	});
	const running: RconServer = {
		async close() {
			server.close();
			const gone = [...clients].map((socket) => once(socket.destroy(), 'close'));
			await Promise.all(gone);
			log.info('Thread RCON Listener stopped');
		},
		freeze() {
			state.frozen = true;
		}
	};
	return new Promise((resolve) => {
		server.once('error', (error) => {
			log.warn(`Unable to initialise RCON on ${deps.host}:${deps.port}\n${String(error)}`);
			resolve(null);
		});
		server.listen(deps.port, deps.host, () => {
			log.info('Thread RCON Listener started', SERVER_THREAD);
			log.info(`RCON running on ${deps.host}:${deps.port}`);
			resolve(running);
		});
	});
}

function serve(
	socket: net.Socket,
	deps: Deps,
	state: { frozen: boolean; threads: number },
	gone: () => void
): void {
	const name = `RCON Client /${(socket.remoteAddress ?? '').replace(/^::ffff:/, '')}`;
	const thread = `${name} #${++state.threads}`;
	deps.log.info(`Thread ${name} started`, LISTENER);
	let authenticated = false;
	let busy = false;
	let waiting: Buffer[] = [];

	const handle = async (read: Buffer): Promise<void> => {
		// One read is one request: anything shorter, longer or joined ends the connection without a word.
		const sound = read.length >= MIN_READ && read.length <= MAX_READ;
		if (!sound || read.readInt32LE(0) !== read.length - 4) return void socket.destroy();
		const id = read.readInt32LE(4);
		const type = read.length < 12 ? 0 : read.readInt32LE(8);
		if (type === LOGIN) {
			const password = payload(read);
			authenticated = password !== '' && password === deps.password;
			socket.write(packet(authenticated ? id : -1, COMMAND, ''));
		} else if (type !== COMMAND) answer(socket, id, `Unknown request ${(type >>> 0).toString(16)}`);
		else if (!authenticated) socket.write(packet(-1, COMMAND, ''));
		else {
			deps.answer.text = '';
			await deps.execute(payload(read));
			answer(socket, id, deps.answer.text);
		}
	};
	const pump = async () => {
		if (busy) return;
		busy = true;
		while (waiting.length > 0 && !state.frozen) {
			// What piled up while a command ran comes in as one read.
			const read = Buffer.concat(waiting);
			waiting = [];
			await handle(read);
		}
		busy = false;
	};
	socket.setNoDelay(true);
	socket.on('data', (chunk) => {
		waiting.push(chunk);
		void pump();
	});
	socket.on('error', () => socket.destroy());
	socket.on('close', () => {
		gone();
		deps.log.info(`Thread ${name} shutting down`, thread);
	});
}

function payload(read: Buffer): string {
	const end = read.indexOf(0, 12);
	return read.toString('utf8', Math.min(12, read.length), end < 0 ? read.length : end);
}

/** 4096 UTF-16 units each; a pair cut in two becomes two question marks; nothing empty at the end. */
function answer(socket: net.Socket, id: number, text: string): void {
	let rest = text;
	do {
		socket.write(packet(id, 0, rest.slice(0, FRAGMENT_UNITS)));
		rest = rest.slice(FRAGMENT_UNITS);
	} while (rest.length > 0);
}

function packet(id: number, type: number, text: string): Buffer {
	const body = Buffer.from(lone(text));
	const bytes = Buffer.alloc(body.length + 14);
	bytes.writeInt32LE(body.length + 10, 0);
	bytes.writeInt32LE(id, 4);
	bytes.writeInt32LE(type, 8);
	body.copy(bytes, 12);
	return bytes;
}

const lone = (text: string) =>
	text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '?');
