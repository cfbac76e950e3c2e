import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { LogFile } from '#schemas/log';
import { blocksBackwards, blocksForwards, piecesOf, type Block } from './blocks.ts';
import { EVERY_LINE, PREFIXED, type Heads, fileDateOf } from '#minecraft/log-format';
import { inflate, type InflateTrouble } from './inflate.ts';

/** One log file, held open: what happens to its name meanwhile does not matter. */
export interface LogSource {
	readonly name: string;
	readonly kind: LogFile['kind'];
	/** As of when it was opened. For a compressed file the size is not that of the text. */
	readonly size: number;
	/** The day to which lines without a date belong, or on which they end. */
	readonly date: Date;
	/** The same as long as it is the same file, whatever its name is. */
	readonly identity: string;
	/** Can only be read forwards. */
	readonly packed: boolean;
	readonly heads: Heads;
	/** What was wrong with a compressed file, known once it has been read. */
	readonly trouble: InflateTrouble | null;
	/** Blocks of whole entries, from before a position back to the start of the file. Not for a compressed file. */
	backwards(before?: number): AsyncGenerator<Block>;
	/** Blocks of whole entries (or lines) from a position at which one begins. */
	forwards(from: number, by?: 'entries' | 'lines', blockBytes?: number): AsyncGenerator<Block>;
	/** The file as it is now. */
	state(): Promise<{ size: number; date: Date }>;
	close(): Promise<void>;
}

const BLOCK_BYTES = { entries: 1024 * 1024, lines: 64 * 1024 };

export function sourceOf(
	{ handle, stats }: { handle: FileHandle; stats: BigIntStats },
	name: string,
	kind: LogFile['kind']
): LogSource {
	const size = Number(stats.size);
	const packed = name.endsWith('.gz');
	const heads = kind === 'crash' ? EVERY_LINE : PREFIXED;
	let trouble: InflateTrouble | null = null;

	/** Up to where the file ends when reading begins: a log that grows faster than it is read has no other end. */
	const pieces = (from: number) =>
		packed
			? after(
					from,
					inflate(handle, (what) => (trouble = what))
				)
			: piecesOf(handle, from);

	return {
		name,
		kind,
		size,
		date: fileDateOf(name, stats.mtime),
		identity: identityOf(stats),
		packed,
		heads,
		get trouble() {
			return trouble;
		},
		backwards: (before = size) => blocksBackwards(handle, Math.min(before, size), heads),
		forwards: (from, by = 'entries', blockBytes = BLOCK_BYTES[by]) =>
			blocksForwards(pieces(from), from, by === 'entries' ? heads : EVERY_LINE, blockBytes),
		async state() {
			const now = await handle.stat();
			return { size: now.size, date: fileDateOf(name, now.mtime) };
		},
		close: () => handle.close()
	};
}

/** The birth time too: a rotated log is compressed and deleted, and its inode is reused by the next one. */
export const identityOf = ({ dev, ino, birthtimeNs }: BigIntStats) =>
	`${dev}:${ino}:${birthtimeNs}`;

async function* after(from: number, pieces: AsyncIterable<Buffer>) {
	let left = from;
	for await (const piece of pieces) {
		if (piece.length > left) yield piece.subarray(left);
		left = Math.max(0, left - piece.length);
	}
}
