import type { FileHandle } from 'node:fs/promises';
import { openRegular } from '../core/files.ts';
import { decodeLine, LINE_MAX_BYTES } from './line-splitter.ts';

const BLOCK_BYTES = 64 * 1024;
/** How far back is looked for lines: a file of one endless line must not be read whole. */
const REACH_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The last lines of a file of any size, oldest first, read backwards in blocks: the work is proportional to the
 * answer. `from` is a byte offset before which nothing is read. No file, no lines; never a FIFO, symlink or device.
 */
export async function lastLines(file: string, count: number, from = 0): Promise<string[]> {
	const handle = await openRegular(file);
	if (!handle) return [];
	try {
		const { size } = await handle.stat();
		return await backwards(handle, size, count, Math.max(from, size - REACH_BYTES));
	} finally {
		await handle.close();
	}
}

async function backwards(handle: FileHandle, size: number, count: number, from: number) {
	const block = Buffer.alloc(BLOCK_BYTES);
	const lines: string[] = [];
	/** What is known of the line whose beginning was not reached yet: its first bytes, and its length so far. */
	let head: Buffer = Buffer.alloc(0);
	let length = 0;
	const prepend = (bytes: Buffer) => {
		head = Buffer.concat([bytes.subarray(0, LINE_MAX_BYTES), head]).subarray(0, LINE_MAX_BYTES);
		length += bytes.length;
	};
	const take = (start: Buffer) => {
		if (length > 0) prepend(start);
		lines.push(length > 0 ? decodeLine(head, length > head.length) : decodeLine(start));
		head = Buffer.alloc(0);
		length = 0;
	};

	let position = size;
	while (position > from && lines.length < count) {
		const wanted = Math.min(BLOCK_BYTES, position - from);
		position -= wanted;
		let end = (await handle.read(block, 0, wanted, position)).bytesRead;
		while (end > 0 && lines.length < count) {
			const at = block.lastIndexOf(NEWLINE, end - 1);
			if (at === -1) break;
			// The newline at the very end of the file begins no line.
			if (position + at + 1 < size) take(block.subarray(at + 1, end));
			end = at;
		}
		if (lines.length < count) prepend(block.subarray(0, end));
	}
	if (size > from && lines.length < count) take(Buffer.alloc(0));
	return lines.reverse();
}
