import type { FileHandle } from 'node:fs/promises';

/** Beyond this, counting what is left out would cost more than the number is worth. */
const COUNT_MAX_BYTES = 256 * 1024 * 1024;

/** Newlines between two offsets, block by block, so that the event loop stays free. */
export async function countLines(handle: FileHandle, block: Buffer, from: number, to: number) {
	const end = Math.min(to, from + COUNT_MAX_BYTES);
	let lines = 0;
	for (let at = from; at < end;) {
		const { bytesRead } = await handle.read(block, 0, Math.min(block.length, end - at), at);
		if (bytesRead === 0) break;
		const bytes = block.subarray(0, bytesRead);
		for (let i = bytes.indexOf(0x0a); i !== -1; i = bytes.indexOf(0x0a, i + 1)) lines++;
		at += bytesRead;
	}
	return { lines, exact: end === to };
}

/** Takes the place of lines that came faster than they can be read. */
export const skippedLine = (lines: number, exact: boolean) =>
	`… ${exact ? '' : 'more than '}${lines} ${lines === 1 ? 'line' : 'lines'} skipped`;
