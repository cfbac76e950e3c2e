import { NOT_LOGGED_IN, type Frame } from './frames.ts';

/** Vanilla splits an answer into pieces of this many UTF-16 units, some others into as many bytes. */
const FRAGMENT_UNITS = 4096;
const UNIT_MAX_BYTES = 3;
const ANSWER_MAX_BYTES = 1 << 20;
const CUT_MARK = '\n… (cut: the answer is longer than 1 MiB)';
/** Vanilla answers with 0, Cuberite with 2, and 3 has been seen. */
const ANSWER_TYPES = [0, 2, 3];

/** What to do after some packets: wait for more, ask for the end, or stop. */
export type Next = 'wait' | 'mark' | 'done' | 'cut' | 'logged-out';

/**
 * Assembles one answer. The protocol does not say where an answer ends: a piece shorter than a full one is the last.
 * After a full one a **mark** is needed, a second request whose answer can only come after the rest of the first.
 *
 * The mark is the harmless command `list`, never the well-known packet of type 100: Cuberite hangs up on that one and
 * the answer is lost, Pumpkin takes it for a login, and there is no way to ask a server beforehand. `list` costs one
 * tick, and only after a full piece. Pipelining does no harm here: vanilla hangs up when one read brings two
 * requests, but a server that has begun to answer has already read the first one.
 */
export function collectAnswer(id: number) {
	const parts: Buffer[] = [];
	let bytes = 0;
	let full = false;
	let markId: number | null = null;

	return {
		/** `next` is the id of a mark that is sent now. */
		expectMark(next: number) {
			markId = next;
		},
		/** The server has answered, and the last piece of its answer was not a full one. */
		get complete() {
			return parts.length > 0 && !full;
		},
		/** A separate answer for a command without output: not every server sends one. */
		get blank() {
			return parts.length > 0 && parts[0]?.length === 0;
		},
		/** All packets that arrived together: Cuberite sends an empty one after each answer. */
		take(frames: Frame[]): Next {
			for (const frame of frames) {
				const untouched = parts.length === 0 && markId === null;
				if (frame.id === NOT_LOGGED_IN && untouched) return 'logged-out';
				if (!ANSWER_TYPES.includes(frame.type)) continue;
				if (frame.id === markId) return 'done';
				if (frame.id !== id) continue; // late, from an earlier command
				parts.push(frame.payload);
				bytes += frame.payload.length;
				full = isFull(frame.payload);
				if (bytes > ANSWER_MAX_BYTES) return 'cut';
			}
			// A mark that was sent must be answered before the next request, or both could arrive in one read.
			if (markId !== null || parts.length === 0) return 'wait';
			return full ? 'mark' : 'done';
		},
		/** Decoded in one go: some servers cut inside a character. */
		text() {
			const whole = Buffer.concat(parts);
			if (whole.length <= ANSWER_MAX_BYTES) return whole.toString('utf8');
			return whole.toString('utf8', 0, ANSWER_MAX_BYTES) + CUT_MARK;
		}
	};
}

function isFull(payload: Buffer) {
	if (payload.length === FRAGMENT_UNITS) return true;
	if (payload.length < FRAGMENT_UNITS || payload.length > FRAGMENT_UNITS * UNIT_MAX_BYTES)
		return false;
	return payload.toString('utf8').length === FRAGMENT_UNITS;
}
