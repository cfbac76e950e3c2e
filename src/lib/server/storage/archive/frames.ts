import { BadArchive } from './tar.ts';

const MAGIC = 0xfd2fb528;
const CHECKSUM_BYTES = 4;
/** By the two lowest bits of a frame's descriptor, and by its two highest. */
const DICTIONARY_BYTES = [0, 1, 2, 4];
const SIZE_BYTES = [0, 2, 4, 8];
const RLE = 1;
const RESERVED = 3;

/** A frame up to this size is passed on in one buffer: then zstd decompresses it without copies. */
const WHOLE_MAX = 1 << 20;

/**
 * Splits zstd's bytes where a frame ends: an archive has many, and Node takes whatever follows a frame in the same
 * buffer for the end of everything.
 */
export async function* cutFrames(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	const frames = createFrames();
	let waiting: Buffer[] = [];
	let bytesWaiting = 0;
	const all = () => {
		const whole = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting);
		[waiting, bytesWaiting] = [[], 0];
		return whole;
	};
	for await (const bytes of packed)
		for (let from = 0; from < bytes.length;) {
			const { count, ended } = frames.take(bytes, from);
			waiting.push(bytes.subarray(from, from + count));
			from += count;
			bytesWaiting += count;
			if (ended || bytesWaiting > WHOLE_MAX) yield all();
		}
	if (bytesWaiting > 0) yield all();
}

/** Follows the structure of the frames (RFC 8878); only lengths are read, the rest is up to zstd. */
function createFrames() {
	/** Bytes of a field that may be split across two buffers. */
	const field = Buffer.alloc(4);
	let [have, need, skip] = [0, 4, 0];
	let part: 'magic' | 'descriptor' | 'block' = 'magic';
	let [checksum, lastBlock] = [false, false];

	/** What to look at after this field, and how many bytes lie before it. */
	function next() {
		if (part === 'magic') {
			if (field.readUInt32LE(0) !== MAGIC)
				throw new BadArchive('It holds something that is not a zstd frame.');
			return then('descriptor', 1, 0);
		}
		if (part === 'descriptor') {
			const bits = field[0]!;
			const single = (bits & 0x20) !== 0;
			checksum = (bits & 0x04) !== 0;
			const size = bits >> 6 === 0 && single ? 1 : SIZE_BYTES[bits >> 6]!;
			return then('block', 3, (single ? 0 : 1) + DICTIONARY_BYTES[bits & 3]! + size);
		}
		const head = field.readUIntLE(0, 3);
		const type = (head >> 1) & 3;
		if (type === RESERVED) throw new BadArchive('It holds a block of an unknown kind.');
		lastBlock = (head & 1) !== 0;
		const body = type === RLE ? 1 : head >> 3;
		if (lastBlock) return then('magic', 4, body + (checksum ? CHECKSUM_BYTES : 0));
		then('block', 3, body);
	}
	function then(what: typeof part, bytes: number, before: number) {
		[part, have, need, skip] = [what, 0, bytes, before];
	}

	return {
		/** How many bytes from there on belong to this frame, and whether it ends with them. */
		take(bytes: Buffer, from: number): { count: number; ended: boolean } {
			for (let at = from; ;) {
				const passed = Math.min(skip, bytes.length - at);
				at += passed;
				skip -= passed;
				if (skip === 0 && lastBlock) {
					lastBlock = false;
					return { count: at - from, ended: true };
				}
				if (at === bytes.length) return { count: at - from, ended: false };
				const count = Math.min(need - have, bytes.length - at);
				bytes.copy(field, have, at, at + count);
				have += count;
				at += count;
				if (have === need) next();
			}
		}
	};
}
