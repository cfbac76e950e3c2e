import type { Block, TimeBudget, LogSource } from '#minecraft/log-files';
import type { Matcher } from './matches.ts';
import { entryOf, lengthOf, type Found } from './text.ts';
import type { LogMask } from '#minecraft/mask';

/** What is searched for in one file. */
export type Wanted = {
	matcher: Matcher;
	mask: LogMask;
	time: TimeBudget;
	/** At most this many, and this many characters; the newest ones. */
	lines: number;
	chars: number;
	/** Only entries that begin before this byte. */
	before?: number;
};

export type Collected = {
	/** Oldest first. */
	found: Found[];
	/** The characters in them. */
	chars: number;
	/** Everything that begins at or after this byte was examined. */
	reached: number;
	/** Why it ended: nothing is left before `reached`, or one of the limits was met. */
	ended: 'start' | 'lines' | 'chars' | 'time';
};

export const collect = (source: LogSource, wanted: Wanted): Promise<Collected> =>
	source.packed ? collectForwards(source, wanted) : collectBackwards(source, wanted);

async function collectBackwards(source: LogSource, wanted: Wanted): Promise<Collected> {
	const { time, before } = wanted;
	const found: Found[] = [];
	let chars = 0;
	let reached = Math.min(before ?? source.size, source.size);
	const end = (ended: Collected['ended']) => ({
		found: found.reverse(),
		chars,
		reached,
		ended: reached === 0 ? ('start' as const) : ended
	});

	for await (const block of source.backwards(before)) {
		for (const match of wanted.matcher(block.bytes, source.heads, wanted.mask)) {
			const at = 'reached' in match ? match.reached : match.start;
			reached = Math.min(reached, block.offset + at);
			if (!('reached' in match)) {
				const entry = take(block, match, wanted.mask);
				found.push(entry);
				chars += lengthOf(entry);
				if (found.length === wanted.lines) return end('lines');
				if (chars >= wanted.chars) return end('chars');
			}
			if (time.due) await time.rest();
			if (time.over) return end('time');
		}
		reached = block.offset;
	}
	reached = 0;
	return end('start');
}

/**
 * A compressed file can only be read from its start: the newest matches that fit are kept. When the time runs out
 * none of them count, because the end of the file was not seen.
 */
async function collectForwards(source: LogSource, wanted: Wanted): Promise<Collected> {
	const { time, before = Infinity } = wanted;
	let found: Found[] = [];
	let chars = 0;
	let ended: Collected['ended'] = 'start';
	for await (const block of source.forwards(0)) {
		if (block.offset >= before) break;
		const part = await newestOf(source, upTo(block, before), wanted);
		found = found.concat(part.found);
		chars += part.chars;
		if (part.ended !== 'start') ended = part.ended;
		let dropped = 0;
		for (; found.length - dropped > wanted.lines || chars > wanted.chars; dropped++) {
			ended = found.length - dropped > wanted.lines ? 'lines' : 'chars';
			chars -= lengthOf(found[dropped]!);
		}
		found = found.slice(dropped);
		if (time.over) return { found: [], chars: 0, reached: Infinity, ended: 'time' };
	}
	return { found, chars, reached: ended === 'start' ? 0 : (found[0]?.offset ?? 0), ended };
}

async function newestOf(
	source: LogSource,
	block: Block,
	{ matcher, mask, time, ...wanted }: Wanted
) {
	const found: Found[] = [];
	let chars = 0;
	let ended: Collected['ended'] = 'start';
	for (const match of matcher(block.bytes, source.heads, mask)) {
		if (time.due) await time.rest();
		if ('reached' in match) continue;
		if (found.length === wanted.lines) ended = 'lines';
		else if (chars >= wanted.chars) ended = 'chars';
		if (ended !== 'start') break;
		const entry = take(block, match, mask);
		found.push(entry);
		chars += lengthOf(entry);
	}
	return { found: found.reverse(), chars, ended };
}

const upTo = ({ bytes, offset }: Block, before: number): Block => ({
	bytes: bytes.subarray(0, Math.min(bytes.length, before - offset)),
	offset
});

const take = (
	{ bytes, offset }: Block,
	{ start, end }: { start: number; end: number },
	mask: LogMask
) => ({
	offset: offset + start,
	...entryOf(bytes, start, end, mask)
});
