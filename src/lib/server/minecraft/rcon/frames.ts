/** One RCON packet: little-endian int32 length, id and type, the payload, two zero bytes. */
export type Frame = { id: number; type: number; payload: Buffer };

export const LOGIN = 3;
export const COMMAND = 2;
/** The id of an answer that means "log in first" or "wrong password". */
export const NOT_LOGGED_IN = -1;
/** Vanilla reads a request with one read of 1,460 bytes and hangs up on a longer one. */
export const PAYLOAD_MAX_BYTES = 1446;

const HEADER_BYTES = 12;
const LENGTH_MIN = 10;
/** A vanilla fragment has up to 12,298 bytes, and Cuberite does not split its answers at all. */
const LENGTH_MAX = 65_536;

export function encodeFrame(id: number, type: number, payload: string): Buffer {
	const body = Buffer.from(payload, 'utf8');
	const frame = Buffer.alloc(HEADER_BYTES + body.length + 2);
	frame.writeInt32LE(body.length + LENGTH_MIN, 0);
	frame.writeInt32LE(id, 4);
	frame.writeInt32LE(type, 8);
	body.copy(frame, HEADER_BYTES);
	return frame;
}

export interface FrameReader {
	/** The packets that are complete now, however the bytes were split on the way. Never throws. */
	push(chunk: Buffer): Frame[];
	/** A length was read that no server sends: nothing after it can be trusted. */
	readonly broken: boolean;
	/** Bytes kept of an incomplete packet. */
	readonly buffered: number;
}

export function createFrameReader(): FrameReader {
	let chunks: Buffer[] = [];
	let size = 0;
	/** Bytes to wait for before looking again, so that a trickle of single bytes costs no copying. */
	let need = 4;
	let broken = false;

	const keep = (rest: Buffer) => {
		chunks = rest.length > 0 ? [rest] : [];
		size = rest.length;
	};

	return {
		push(chunk) {
			if (broken) return [];
			chunks.push(chunk);
			size += chunk.length;
			const frames: Frame[] = [];
			if (size < need) return frames;
			let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks, size);
			for (need = 4; rest.length >= need; need = 4) {
				const length = rest.readInt32LE(0);
				broken = length < LENGTH_MIN || length > LENGTH_MAX;
				if (broken) rest = rest.subarray(rest.length);
				need = 4 + length;
				if (broken || rest.length < need) break;
				frames.push(decode(rest.subarray(4, need)));
				rest = rest.subarray(need);
			}
			keep(rest);
			return frames;
		},
		get broken() {
			return broken;
		},
		get buffered() {
			return size;
		}
	};
}

function decode(body: Buffer): Frame {
	// Two zero bytes by the protocol; a server that omits them loses no text.
	let end = body.length;
	while (end > 8 && end > body.length - 2 && body[end - 1] === 0) end--;
	return { id: body.readInt32LE(0), type: body.readInt32LE(4), payload: body.subarray(8, end) };
}
