import { linesBackwards } from './backwards.ts';
import { openRegular } from './files.ts';
import { decodeLine, LINE_MAX_BYTES } from './line-splitter.ts';

/** How far back lines are looked for: a file of one endless line must not be read whole. */
const REACH_BYTES = 64 * 1024 * 1024;

/**
 * The last lines of a file of any size, oldest first: the work is proportional to the answer. Nothing before the byte
 * offset `from` is read. A missing file has no lines; a FIFO, symlink or device is never read.
 */
export async function lastLines(file: string, count: number, from = 0): Promise<string[]> {
	const handle = await openRegular(file);
	if (!handle) return [];
	try {
		const { size } = await handle.stat();
		const range = { from: Math.max(from, size - REACH_BYTES), keepBytes: LINE_MAX_BYTES };
		const lines: string[] = [];
		if (count > 0)
			for await (const { bytes, cut } of linesBackwards(handle, range))
				if (lines.push(decodeLine(bytes, cut)) >= count) break;
		return lines.reverse();
	} finally {
		await handle.close();
	}
}
