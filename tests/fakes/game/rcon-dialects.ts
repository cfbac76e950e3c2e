import type net from 'node:net';

export type Software = 'vanilla' | 'cuberite' | 'pumpkin';
export type Packet = { id: number; type: number; text: string };
/** How the bytes of an answer travel: `packets` one by one, `together` all in one write, or cut elsewhere. */
export type Delivery = 'packets' | 'together' | 'bytes' | { splitAt: number };

type EmptyReply = string | null | { output: string; then: 'close' };

const READ_BYTES = 1460;
const FRAGMENT_UNITS = 4096;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Vanilla does not read while it works, and takes whatever one read brings for one request. What arrives meanwhile
 * waits in the kernel, glued together. The others go by the length field.
 */
export function readRequests(
	socket: net.Socket,
	handle: (bytes: Buffer) => Promise<void>,
	{ lengthWins, violation }: { lengthWins: boolean; violation(why: string): void }
) {
	let inbox: Buffer = Buffer.alloc(0);
	let working = false;
	const next = async () => {
		if (working || inbox.length === 0 || socket.destroyed) return;
		const stated = inbox.length >= 4 ? inbox.readInt32LE(0) + 4 : Infinity;
		if (lengthWins && inbox.length < stated) return;
		const read = inbox.subarray(0, lengthWins ? stated : READ_BYTES);
		inbox = inbox.subarray(read.length);
		if (read.length < 10 || read.length !== stated)
			return violation(`read ${read.length} bytes of a request of ${stated}`);
		working = true;
		await handle(read);
		working = false;
		await next();
	};
	socket.on('data', (chunk) => {
		inbox = Buffer.concat([inbox, chunk as Buffer]);
		void next();
	});
}

export function encode({ id, type, text }: Packet) {
	const body = Buffer.from(text.replace(LONE_SURROGATE, '?')); // as Java does
	const bytes = Buffer.alloc(body.length + 14);
	bytes.writeInt32LE(body.length + 10, 0);
	bytes.writeInt32LE(id, 4);
	bytes.writeInt32LE(type, 8);
	body.copy(bytes, 12);
	return bytes;
}

export function cut(output: string, software: Software = 'vanilla') {
	if (software === 'cuberite') return [output, ''];
	if (software === 'pumpkin') return output === '' ? [] : output.split('\n');
	const parts = [output.slice(0, FRAGMENT_UNITS)];
	for (let at = FRAGMENT_UNITS; at < output.length; at += FRAGMENT_UNITS)
		parts.push(output.slice(at, at + FRAGMENT_UNITS));
	return parts;
}

export async function deliver(socket: net.Socket, packets: Uint8Array[], delivery: Delivery) {
	for (const piece of cutForNetwork(packets, delivery)) {
		if (socket.destroyed) return;
		if (piece.length === 0) continue;
		await new Promise<void>((sent) => socket.write(piece, () => sent()));
		// Two turns of the event loop hold one whole poll: a client in this process reads each piece alone.
		await new Promise((resolve) => setImmediate(resolve));
		await new Promise((resolve) => setImmediate(resolve));
	}
}

function cutForNetwork(packets: Uint8Array[], delivery: Delivery): Uint8Array[] {
	if (delivery === 'packets') return packets;
	const whole = Buffer.concat(packets);
	if (delivery === 'together') return [whole];
	if (delivery === 'bytes') return [...whole].map((byte) => Buffer.of(byte));
	return [whole.subarray(0, delivery.splitAt), whole.subarray(delivery.splitAt)];
}

/** What a server without players says. */
export function emptyServer(line: string, software: Software = 'vanilla'): EmptyReply {
	const name = line.replace(/^\//, '');
	if (name === 'list' || name === 'list uuids')
		return software === 'cuberite'
			? 'Players (0): '
			: 'There are 0 of a max of 20 players online: ';
	if (name === 'stop')
		return { output: software === 'cuberite' ? '' : 'Stopping the server', then: 'close' };
	if (/^(say|tellraw|title) /.test(name)) return null;
	if (name === 'tick query')
		return (
			'The game is running normallyTarget tick rate: 20.0 per second.\nAverage time per tick: 3.4ms (Target: 50.0ms)' +
			'Percentiles: P50: 3.3ms P95: 5.1ms P99: 6.0ms, sample: 100'
		);
	if (name === 'save-all' || name === 'save-all flush')
		return 'Saving the game (this may take a moment!)Saved the game';
	if (name === 'save-off') return 'Automatic saving is now disabled';
	if (name === 'save-on') return 'Automatic saving is now enabled';
	return `Unknown or incomplete command. See below for error${name.slice(0, 10)}<--[HERE]`;
}
