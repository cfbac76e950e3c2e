import type { Stats } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import path from 'node:path';
import { appendLine, openRegular, PRIVATE_FILE, syncDir } from '#core/files';
import { newRow, readRow, toMetricLine, type Row, type Sample } from './lines.ts';

export type { Row, Sample } from './lines.ts';

/** Samples in an append-only file, one line each; read from its end. */
export interface Metrics {
	/** A line cut off by a crash is ended first. */
	append(sample: Sample): Promise<void>;
	/**
	 * Calls `visit` for each sample in [from, to), newest first, in slices that leave the event loop free. `row` is
	 * reused. Reads from the end to where the window begins, and a little further: clocks are set back.
	 */
	scan(window: { from: number; to: number }, visit: (row: Row) => void): Promise<Scanned>;
	/** Drops samples older than `before`, if it is worthwhile. The file is the old or the new one, never a mixture. */
	prune(before: number): Promise<boolean>;
	/** Changes whenever the file does. */
	stamp(): Promise<string>;
}
export type Scanned = { bytesRead: number; skipped: number };

const BLOCK_BYTES = 1 << 20;
const FIRST_BLOCK_BYTES = 64 << 10;
/** This many samples in a row that are too old (4 hours of them) end the search. */
const OLD_ENOUGH = 1000;
/** How much more is read from where a past range was found to end: the file need not be in order. */
const MARGIN_BYTES = 1 << 20;
const PROBE_BYTES = 16 << 10;
const NEWLINE = 10;
/** A longer line is not ours: it is not pieced together. */
const CARRY_MAX_BYTES = 64 << 10;
/** Rewriting the file for less is not worth it. */
const PRUNE_SHARE = 0.1;

export function createMetrics(file: string): Metrics {
	const opened = async <T>(none: T, work: (handle: FileHandle, size: number) => Promise<T>) => {
		const handle = await openRegular(file);
		if (!handle) return none;
		try {
			return await work(handle, (await handle.stat()).size);
		} finally {
			await handle.close();
		}
	};

	return {
		append: (sample) => appendLine(file, toMetricLine(sample)),
		scan: (window, visit) =>
			opened({ bytesRead: 0, skipped: 0 }, (handle, size) => scan(handle, size, window, visit)),
		prune: (before) =>
			opened(false, async (handle, size) => {
				const cut = await firstNotBefore(handle, size, before);
				if (cut < size * PRUNE_SHARE) return false;
				await keepFrom(handle, cut, size, file);
				return true;
			}),
		stamp: () =>
			opened('', async (handle) => {
				const { ino, size, mtimeMs }: Stats = await handle.stat();
				return `${ino} ${size} ${mtimeMs}`;
			})
	};
}

async function scan(
	handle: FileHandle,
	size: number,
	window: { from: number; to: number },
	visit: (row: Row) => void
): Promise<Scanned> {
	const seen = { bytesRead: 0, skipped: 0 };
	const reader = createReader(window, visit);
	let carry: Buffer = Buffer.alloc(0);
	let end = Math.min(size, (await firstNotBefore(handle, size, window.to, seen)) + MARGIN_BYTES);
	for (
		let step = FIRST_BLOCK_BYTES;
		end > 0 && !reader.done;
		step = Math.min(BLOCK_BYTES, step * 4)
	) {
		const start = Math.max(0, end - step);
		const block = Buffer.allocUnsafe(end - start);
		const { bytesRead } = await handle.read(block, 0, block.length, start);
		seen.bytesRead += bytesRead;
		if (bytesRead < block.length) break; // it was truncated meanwhile: what was read counts
		const joined = carry.length ? Buffer.concat([block, carry]) : block;
		const first = start === 0 ? 0 : joined.indexOf(NEWLINE) + 1;
		reader.read(joined.subarray(first));
		carry = first > 0 ? joined.subarray(0, Math.min(first, CARRY_MAX_BYTES)) : Buffer.alloc(0);
		// Without a line break in it, it is the middle of an overlong line.
		if (start > 0 && first === 0) carry = Buffer.alloc(0);
		end = start;
		await breathe();
	}
	return { ...seen, skipped: reader.skipped };
}

/** Takes blocks of lines from the last to the first, and determines when they are old enough. */
function createReader({ from, to }: { from: number; to: number }, visit: (row: Row) => void) {
	const row = newRow();
	let old = 0;
	let skipped = 0;
	// What follows the last line break is still being written, or was cut off.
	let whole = false;

	function take(bytes: Buffer, lineStart: number, lineEnd: number) {
		if (!readRow(bytes, lineStart, lineEnd, row)) return void skipped++;
		const t = row[0]!;
		old = t < from ? old + 1 : 0;
		if (t >= from && t < to) visit(row);
	}

	return {
		read(bytes: Buffer) {
			for (let lineEnd = bytes.length; lineEnd > 0 && old < OLD_ENOUGH;) {
				const lineStart = bytes.lastIndexOf(NEWLINE, lineEnd - 1) + 1;
				if (lineEnd > lineStart && whole) take(bytes, lineStart, lineEnd);
				whole = true;
				lineEnd = lineStart - 1;
			}
		},
		get done() {
			return old >= OLD_ENOUGH;
		},
		get skipped() {
			return skipped;
		}
	};
}

/** Where the first sample at or after that time begins, by bisection: as precise as the file is sorted. */
async function firstNotBefore(handle: FileHandle, size: number, time: number, seen?: Scanned) {
	let low = 0;
	let high = size;
	// Most windows end now.
	const last = await sampleAfter(handle, Math.max(0, size - PROBE_BYTES), size, true);
	if (seen) seen.bytesRead += PROBE_BYTES;
	if (last === null || last.t < time) return size;
	while (high - low > PROBE_BYTES) {
		const middle = Math.floor((low + high) / 2);
		const found = await sampleAfter(handle, middle, high, false);
		if (seen) seen.bytesRead += PROBE_BYTES;
		if (found === null || found.t >= time) high = middle;
		else low = found.end;
	}
	const exact = await lineNotBefore(handle, low, Math.min(size, high + PROBE_BYTES), time);
	return exact ?? high;
}

/** The first (or last) sample among the lines that begin after `from`. */
async function sampleAfter(handle: FileHandle, from: number, to: number, last: boolean) {
	const block = Buffer.allocUnsafe(Math.min(PROBE_BYTES, to - from));
	const { bytesRead } = await handle.read(block, 0, block.length, from);
	const bytes = block.subarray(0, bytesRead);
	const row = newRow();
	let found: { t: number; end: number } | null = null;
	let start = from === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
	if (from > 0 && start === 0) return null;
	for (let end = bytes.indexOf(NEWLINE, start); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
		if (readRow(bytes, start, end, row)) {
			found = { t: row[0]!, end: from + end + 1 };
			if (!last) return found;
		}
		start = end + 1;
	}
	return found;
}

async function lineNotBefore(handle: FileHandle, from: number, to: number, time: number) {
	const block = Buffer.allocUnsafe(to - from);
	const { bytesRead } = await handle.read(block, 0, block.length, from);
	const bytes = block.subarray(0, bytesRead);
	const row = newRow();
	let start = 0;
	for (let end = bytes.indexOf(NEWLINE, start); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
		if (readRow(bytes, start, end, row) && row[0]! >= time) return from + start;
		start = end + 1;
	}
	return null;
}

async function keepFrom(handle: FileHandle, from: number, to: number, file: string) {
	const temp = `${file}.part`;
	await rm(temp, { force: true });
	const copy = await open(temp, 'wx', PRIVATE_FILE);
	try {
		const block = Buffer.allocUnsafe(BLOCK_BYTES);
		for (let at = from; at < to;) {
			const { bytesRead } = await handle.read(block, 0, Math.min(BLOCK_BYTES, to - at), at);
			if (bytesRead === 0) break;
			await copy.write(block, 0, bytesRead);
			at += bytesRead;
		}
		await copy.sync();
	} catch (error) {
		await rm(temp, { force: true });
		throw error;
	} finally {
		await copy.close();
	}
	await rename(temp, file);
	await syncDir(path.dirname(file));
}
