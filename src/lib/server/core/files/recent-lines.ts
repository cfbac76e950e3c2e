import { openRegular } from './files.ts';
import { createLineSplitter } from './line-splitter.ts';

const RECENT_MAX_BYTES = 2 * 1024 * 1024;

/**
 * The last part of a log, and when it was last written. Whole lines only: what is still being written comes later. A
 * missing file has no lines; a FIFO, symlink or device is never read.
 */
export async function recentLines(
	file: string,
	maxBytes = RECENT_MAX_BYTES
): Promise<{ lines: string[]; modifiedAt: Date | null }> {
	const handle = await openRegular(file);
	if (!handle) return { lines: [], modifiedAt: null };
	try {
		const { size, mtime } = await handle.stat();
		// One byte more says whether the part begins with a line.
		const from = Math.max(0, size - maxBytes - 1);
		const bytes = Buffer.alloc(size - from);
		let filled = 0;
		while (filled < bytes.length) {
			const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
			if (bytesRead === 0) break;
			filled += bytesRead;
		}
		const part = bytes.subarray(0, filled);
		const start = from === 0 ? 0 : part.indexOf(0x0a) + 1;
		const lines = from > 0 && start === 0 ? [] : createLineSplitter().push(part.subarray(start));
		return { lines, modifiedAt: mtime };
	} finally {
		await handle.close();
	}
}
