import type { LogLevel } from '#schemas/log';
import { prefixLine, type Heads, parsePrefix } from '#minecraft/log-format';
import { createFinder, patternOfLevels, patternOfText, type Finder } from './search-patterns.ts';
import { searchable } from './text.ts';
import type { LogMask } from '#minecraft/mask';

/** Which entries of a log are wanted; all of them without a filter. */
export type Filter = {
	/** Plain text, ignoring case; empty for any. */
	text: string;
	/** Exactly these; empty for any. */
	levels: readonly LogLevel[];
};

/** An entry in a block, or how far the search has come, so that others may have a turn. */
export type Match = { start: number; end: number } | { reached: number };

export type Matcher = (bytes: Buffer, heads: Heads, mask: LogMask) => Generator<Match>;

const NEWLINE = 0x0a;
/** How much is searched in one go: a fraction of a millisecond, some milliseconds at worst. */
const PART_BYTES = 32 * 1024;

/** Yields the matching entries of a block, from the last to the first. Text is compared with what the viewer sees. */
export function createMatcher({ text, levels }: Filter): Matcher {
	const wanted = new Set(levels);
	const lowered = text.toLowerCase();
	const search = text ? patternOfText(text) : levels.length ? patternOfLevels(levels) : null;
	const finder = search?.pattern ? createFinder(search.pattern, search) : null;

	return function* (bytes, heads, mask) {
		const entries = startsIn(bytes, heads);
		/** Entries from here on were yielded, or do not match. */
		let end = bytes.length;
		for (const place of finder ? placesIn(bytes, finder) : everyLine(bytes, () => end)) {
			if (typeof place !== 'number') yield place;
			else if (place < end) {
				const start = entries.startOf(place);
				const fitsLevel = wanted.size === 0 || wanted.has(levelAt(bytes, start));
				const fits = fitsLevel && (!lowered || fitsText(bytes, start, place, lowered, mask));
				if (fits) yield { start, end: entries.endOf(start, place, end) };
				else yield { reached: fitsLevel ? startOfLine(bytes, place) : start };
				if (fits || !fitsLevel) end = start;
			}
		}
	};
}

/** A position in each line before `end`, which moves, from the last line to the first. */
function* everyLine(bytes: Buffer, end: () => number): Generator<number> {
	for (let to = bytes.length; to > 0; to = Math.min(startOfLine(bytes, to - 1), end()))
		yield to - 1;
}

function* placesIn(bytes: Buffer, finder: Finder): Generator<number | { reached: number }> {
	for (let to = bytes.length; to > 0; to -= PART_BYTES) {
		const from = Math.max(0, to - PART_BYTES);
		yield* finder.places(bytes, from, to).reverse();
		yield { reached: nextLine(bytes, from) };
	}
}

/** Lines before the first entry, and where none begins, are entries of their own. */
function startsIn(bytes: Buffer, heads: Heads) {
	let areLines = false;
	return {
		startOf(place: number) {
			const head = areLines ? -1 : heads.last(bytes, place + 1);
			areLines ||= head === -1;
			return areLines ? startOfLine(bytes, place) : head;
		},
		endOf(start: number, place: number, limit: number) {
			// No entry can begin between them.
			if (place === limit - 1) return limit;
			const next = areLines ? endOfLine(bytes, start) + 1 : heads.next(bytes, place);
			return next === -1 ? limit : Math.min(next, limit);
		}
	};
}

/** The newline that ends a line belongs to it. */
const startOfLine = (bytes: Buffer, place: number) =>
	place === 0 ? 0 : bytes.lastIndexOf(NEWLINE, place - 1) + 1;

/**
 * Where a line begins, at or after a position: reading must never resume in the middle of a line, and so of a secret.
 */
const nextLine = (bytes: Buffer, place: number) =>
	place === 0 ? 0 : bytes.indexOf(NEWLINE, place - 1) + 1 || Infinity;

function endOfLine(bytes: Buffer, from: number) {
	const newline = bytes.indexOf(NEWLINE, from);
	return newline === -1 ? bytes.length : newline;
}

const levelAt = (bytes: Buffer, start: number): LogLevel =>
	parsePrefix(prefixLine(bytes, start))?.level ?? 'INFO';

function fitsText(bytes: Buffer, start: number, place: number, lowered: string, mask: LogMask) {
	const from = startOfLine(bytes, place);
	const line = searchable(bytes, from, endOfLine(bytes, place), mask, from === start);
	return line.toLowerCase().includes(lowered);
}
