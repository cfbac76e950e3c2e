import type { Block } from './blocks.ts';
import type { Heads } from '#minecraft/log-format';

const NEWLINE = 0x0a;

/** The entries of a block from the first to the last. A line before the first prefix is an entry of its own. */
export function* entriesIn(bytes: Buffer, heads: Heads): Generator<{ start: number; end: number }> {
	for (let start = 0; start < bytes.length;) {
		const next = heads.at(bytes, start)
			? heads.next(bytes, start)
			: bytes.indexOf(NEWLINE, start) + 1;
		const end = next > 0 ? next : bytes.length;
		yield { start, end };
		start = end;
	}
}

/** Where the first entry after the first line of a block begins; the block's end when there is none. */
export function secondEntry({ bytes, offset }: Block, heads: Heads): number {
	const next = heads.next(bytes, 0);
	return offset + (next === -1 ? bytes.indexOf(NEWLINE) + 1 || bytes.length : next);
}
