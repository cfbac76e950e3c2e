import type { FileHandle } from 'node:fs/promises';

const BLOCK_BYTES = 64 * 1024;
const LINE_MAX_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** A line without its newline, and the byte at which it starts. */
export type LineAt = { text: string; offset: number };

type Range = {
	/** The byte before which reading starts; the end of the file by default. */
	before?: number;
	blockBytes?: number;
	/** Longer lines are left out, whatever they are. */
	lineMaxBytes?: number;
};

/** The lines of a file from the last to the first, read in blocks as they are asked for. */
export async function* linesBackwards(
	handle: FileHandle,
	range: Range = {}
): AsyncGenerator<LineAt> {
	const { blockBytes = BLOCK_BYTES, lineMaxBytes = LINE_MAX_BYTES } = range;
	const { size } = await handle.stat();
	let start = Math.min(range.before ?? size, size);
	/** The blocks of the line whose beginning is not in sight yet, from its last to its first. */
	let tail: Buffer[] = [];
	let tailBytes = 0;
	const take = (offset: number): LineAt | null => {
		const text =
			tailBytes > lineMaxBytes ? null : Buffer.concat(tail.toReversed()).toString('utf8');
		tail = [];
		tailBytes = 0;
		return text === null ? null : { text, offset };
	};
	const grow = (part: Buffer) => {
		tailBytes += part.length;
		if (tailBytes <= lineMaxBytes) tail.push(part);
		else tail = [];
	};

	let atEnd = true;
	while (start > 0) {
		const length = Math.min(blockBytes, start);
		start -= length;
		const block = await readFully(handle, start, length);
		let end = block.length;
		for (let i = block.lastIndexOf(NEWLINE, end - 1); i >= 0;) {
			grow(block.subarray(i + 1, end));
			// What stands behind the last newline is a line only when there is something.
			const line = atEnd && tailBytes === 0 ? null : take(start + i + 1);
			atEnd = false;
			if (line) yield line;
			end = i;
			i = end > 0 ? block.lastIndexOf(NEWLINE, end - 1) : -1;
		}
		grow(block.subarray(0, end));
	}
	const first = atEnd && tailBytes === 0 ? null : take(0);
	if (first) yield first;
}

/** Fewer bytes when the file has been cut meanwhile. */
async function readFully(handle: FileHandle, position: number, length: number): Promise<Buffer> {
	const buffer = Buffer.allocUnsafe(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return buffer.subarray(0, filled);
}
