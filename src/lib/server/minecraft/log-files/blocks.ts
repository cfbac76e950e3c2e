import type { FileHandle } from 'node:fs/promises';
import type { Heads } from '#minecraft/log-format';

/** Whole entries of a file, as bytes, and their position in the file. Only valid until the next block is requested. */
export type Block = { bytes: Buffer; offset: number };

const NEWLINE = 0x0a;
const FIRST_BYTES = 64 * 1024;
/** An entry longer than this is split into its lines. */
const BLOCK_MAX_BYTES = 2 * 1024 * 1024;
/** The part that is kept of a line longer than a block: far more than is shown of it. */
const LINE_START_BYTES = 64 * 1024;

/** From `end` of the file to its start. Small blocks first: most callers want only the last lines. */
export async function* blocksBackwards(
	handle: FileHandle,
	end: number,
	heads: Heads
): AsyncGenerator<Block> {
	const reader = createReader(handle);
	let wanted = FIRST_BYTES;
	while (end > 0) {
		const from = Math.max(0, end - wanted);
		const bytes = await reader.read(from, end - from);
		const start = from === 0 ? 0 : heads.next(bytes, 0);
		const isWhole = wanted === BLOCK_MAX_BYTES || bytes.length < end - from;
		wanted = Math.min(wanted * 4, BLOCK_MAX_BYTES);
		if (start === -1 && !isWhole) continue;
		const lineStart = start === -1 ? secondLine(bytes) : start;
		end = lineStart === -1 ? await startOfLine(handle, from) : from + lineStart;
		if (lineStart === -1) {
			yield { bytes: await reader.read(end, LINE_START_BYTES), offset: end };
			continue;
		}
		const next = Math.max(0, end - wanted);
		if (wanted === BLOCK_MAX_BYTES) reader.prepare(next, end - next);
		yield { bytes: bytes.subarray(lineStart), offset: end };
	}
}

/** Reads into one buffer while the content of the other is examined. */
function createReader(handle: FileHandle) {
	const buffers = [Buffer.alloc(0), Buffer.alloc(0)];
	let ahead: { from: number; bytes: Promise<Buffer> } | null = null;

	const start = (from: number, length: number) => {
		buffers.reverse();
		if (buffers[0]!.length < length) buffers[0] = Buffer.allocUnsafe(length);
		return readFully(handle, buffers[0]!.subarray(0, length), from);
	};
	return {
		async read(from: number, length: number): Promise<Buffer> {
			const prepared = ahead;
			ahead = null;
			// Both write into the same buffers: one must have ended before the next begins.
			const bytes = await prepared?.bytes;
			return bytes && prepared?.from === from ? bytes : start(from, length);
		},
		prepare(from: number, length: number) {
			const bytes = start(from, length);
			bytes.catch(() => {}); // for whoever asks for them, if anybody does
			ahead = { from, bytes };
		}
	};
}

/** The position after the first line break that is followed by something, or -1. */
function secondLine(bytes: Buffer) {
	const newline = bytes.indexOf(NEWLINE);
	return newline === -1 || newline === bytes.length - 1 ? -1 : newline + 1;
}

async function startOfLine(handle: FileHandle, before: number): Promise<number> {
	const buffer = Buffer.allocUnsafe(BLOCK_MAX_BYTES);
	for (let to = before; to > 0;) {
		const from = Math.max(0, to - buffer.length);
		const bytes = await readFully(handle, buffer.subarray(0, to - from), from);
		const newline = bytes.lastIndexOf(NEWLINE);
		if (newline !== -1) return from + newline + 1;
		to = from;
	}
	return 0;
}

/** Fewer bytes when the file has been truncated meanwhile. */
async function readFully(handle: FileHandle, into: Buffer, position: number): Promise<Buffer> {
	let filled = 0;
	while (filled < into.length) {
		const { bytesRead } = await handle.read(into, filled, into.length - filled, position + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return into.subarray(0, filled);
}

/** The bytes of a file from a position to its end, in pieces that are valid until the next one is requested. */
export async function* piecesOf(handle: FileHandle, from: number): AsyncGenerator<Buffer> {
	const { size } = await handle.stat();
	const buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, Math.max(0, size - from)));
	for (let at = from; at < size;) {
		const bytes = await readFully(handle, buffer.subarray(0, size - at), at);
		if (bytes.length === 0) return;
		yield bytes;
		at += bytes.length;
	}
}

/** From `offset` on, from pieces of any size. */
export async function* blocksForwards(
	pieces: AsyncIterable<Buffer>,
	offset: number,
	heads: Heads,
	blockBytes: number
): AsyncGenerator<Block> {
	const buffer = Buffer.allocUnsafe(blockBytes);
	let filled = 0;
	let inLongLine = false;
	for await (let piece of pieces) {
		while (piece.length > 0) {
			if (inLongLine) {
				const length = piece.indexOf(NEWLINE) + 1 || piece.length;
				inLongLine = piece[length - 1] !== NEWLINE;
				offset += length;
				piece = piece.subarray(length);
				continue;
			}
			const copied = piece.copy(buffer, filled);
			filled += copied;
			piece = piece.subarray(copied);
			if (filled < buffer.length) continue;
			const end = lastStart(buffer, heads);
			inLongLine = end === 0;
			yield { bytes: buffer.subarray(0, end || LINE_START_BYTES), offset };
			offset += end || filled;
			filled = end && buffer.copy(buffer, 0, end);
		}
	}
	if (filled > 0) yield { bytes: buffer.subarray(0, filled), offset };
}

/**
 * Where the last entry, or else the last line, begins that may continue after these bytes; 0 when they are one line.
 */
function lastStart(bytes: Buffer, heads: Heads) {
	const head = heads.last(bytes, bytes.length);
	return head > 0 ? head : bytes.lastIndexOf(NEWLINE) + 1;
}
