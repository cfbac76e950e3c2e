import type { LogHit } from '#schemas/log';
import { dated } from './dated.ts';
import { entriesIn, type LogSource } from '#minecraft/log-files';
import { secondOfDay, type LogPlace } from './place.ts';
import { parsePrefix } from '#minecraft/log-format';
import { entryOf, lengthOf, type Found } from './text.ts';
import type { LogMask } from '#minecraft/mask';

const NEWLINE = 0x0a;
const RETURN_OR_NEWLINE = /[\r\n]/;

/**
 * Whether a line of that second begins at the position: otherwise another file now has the name of the one that was
 * meant. Ids come from outside: from the middle of a line, half a secret could be seen.
 */
export async function isThere(source: LogSource, { offset, atS }: LogPlace): Promise<boolean> {
	if (offset === 0 && atS === null) return true;
	for await (const block of source.forwards(Math.max(0, offset - 1), 'lines')) {
		if (offset > 0 && block.bytes[0] !== NEWLINE) return false;
		if (atS === null) return true;
		const line = block.bytes
			.toString('latin1', offset > 0 ? 1 : 0, 512)
			.split(RETURN_OR_NEWLINE, 1)[0]!;
		const stamp = parsePrefix(line)?.stamp;
		return !!stamp && Math.floor(stamp.dayMs / 1000) === secondOfDay(atS);
	}
	return false;
}

/** The entry at a position and those that follow, oldest first. */
export async function entriesFrom(
	source: LogSource,
	{ offset, atS }: LogPlace,
	{ lines, chars, mask }: { lines: number; chars: number; mask: LogMask }
): Promise<LogHit[]> {
	const found: Found[] = [];
	let length = 0;
	const dateOf = (date: Date) => dated(source.name, found, { stamp: null, date });
	for await (const block of source.forwards(offset)) {
		for (const { start, end } of entriesIn(block.bytes, source.heads)) {
			const one = { offset: block.offset + start, ...entryOf(block.bytes, start, end, mask) };
			found.push(one);
			length += lengthOf(one);
			if (found.length === lines || length >= chars)
				return dateOf(atS === null ? source.date : new Date(atS * 1000));
		}
	}
	return dateOf(source.date);
}
