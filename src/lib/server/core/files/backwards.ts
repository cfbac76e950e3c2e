import type { FileHandle } from 'node:fs/promises';

const BLOCK_BYTES = 64 * 1024;
const KEEP_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** A line without its newline, and the byte at which it starts. */
export type LineAt = {
	/** The line's first bytes when it is longer than the limit. */
	bytes: Buffer;
	/** Whether the line is longer than the limit. */
	cut: boolean;
	offset: number;
};

type Range = {
	/** The byte before which reading starts; the end of the file by default. */
	before?: number;
	/** The byte before which nothing is read; a line begins there. */
	from?: number;
	blockBytes?: number;
	/** The limit on each line. */
	keepBytes?: number;
};

/** The lines of a file from the last to the first, read in blocks as they are asked for. */
export async function* linesBackwards(
	handle: FileHandle,
	range: Range = {}
): AsyncGenerator<LineAt> {
	const { blockBytes = BLOCK_BYTES, from = 0 } = range;
	const { size } = await handle.stat();
	let start = Math.min(range.before ?? size, size);
	const tail = createTail(range.keepBytes ?? KEEP_BYTES);
	let atEnd = true;
	while (start > from) {
		const length = Math.min(blockBytes, start - from);
		start -= length;
		const block = await readFully(handle, start, length);
		let end = block.length;
		for (let at = newlineBefore(block, end); at >= 0; at = newlineBefore(block, end)) {
			tail.prepend(block.subarray(at + 1, end));
			// Text after the last newline is a line only when it is not empty.
			if (!atEnd || !tail.empty) yield tail.take(start + at + 1);
			atEnd = false;
			end = at;
		}
		tail.prepend(block.subarray(0, end));
	}
	if (!atEnd || !tail.empty) yield tail.take(start);
}

const newlineBefore = (block: Buffer, end: number) =>
	end > 0 ? block.lastIndexOf(NEWLINE, end - 1) : -1;

/** The line whose beginning has not been read yet: its first bytes so far, and its length. */
function createTail(keepBytes: number) {
	let head: Buffer = Buffer.alloc(0);
	let length = 0;
	return {
		get empty() {
			return length === 0;
		},
		prepend(part: Buffer) {
			const first = part.subarray(0, keepBytes);
			head = head.length ? Buffer.concat([first, head]).subarray(0, keepBytes) : first;
			length += part.length;
		},
		take(offset: number): LineAt {
			const line = { bytes: head, cut: length > head.length, offset };
			head = Buffer.alloc(0);
			length = 0;
			return line;
		}
	};
}

/** Fewer bytes when the file has been truncated meanwhile. */
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
