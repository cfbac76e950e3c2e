import { isLogLine } from './line.ts';

/** Where entries begin in bytes that start at the beginning of a line. */
export interface Heads {
	/** Whether one begins at the start of this line. */
	at(bytes: Buffer, line: number): boolean;
	/** The last one before a position, or -1. */
	last(bytes: Buffer, before: number): number;
	/** The first one after a position, or -1. */
	next(bytes: Buffer, after: number): number;
}

const NEWLINE = 0x0a;
const BRACKET = 0x5b;
const LINE_WITH_BRACKET = Buffer.from('\n[');
/** Longer than the longest prefix that is recognised. */
const PREFIX_MAX_BYTES = 512;
/** How many lines that only look like the beginning of an entry are tried before giving up: there may be no others. */
const TRIES_MAX = 2_000;

/** For a crash report: each line is an entry. */
export const EVERY_LINE: Heads = {
	at: () => true,
	last: (bytes, before) =>
		before > 0 ? bytes.subarray(0, before - 1).lastIndexOf(NEWLINE) + 1 : -1,
	next(bytes, after) {
		const newline = bytes.indexOf(NEWLINE, after);
		return newline === -1 || newline + 1 === bytes.length ? -1 : newline + 1;
	}
};

/** For a log: an entry is a line with a prefix and all the following lines without one. */
export const PREFIXED: Heads = {
	at: (bytes, line) => hasPrefix(bytes, line),
	last(bytes, before) {
		let at = before;
		for (let tries = 0; at > 1 && tries < TRIES_MAX; tries++) {
			at = bytes.lastIndexOf(LINE_WITH_BRACKET, at - 2) + 1;
			if (at === 0) break;
			if (hasPrefix(bytes, at)) return at;
		}
		return at <= 1 && before > 0 && hasPrefix(bytes, 0) ? 0 : -1;
	},
	next(bytes, after) {
		let at = after;
		for (let tries = 0; tries < TRIES_MAX; tries++) {
			at = bytes.indexOf(LINE_WITH_BRACKET, at) + 1;
			if (at === 0 || hasPrefix(bytes, at)) return at || -1;
		}
		return -1;
	}
};

const hasPrefix = (bytes: Buffer, at: number) =>
	bytes[at] === BRACKET && isLogLine(prefixLine(bytes, at));

/** Enough of a line to contain its prefix, as Latin 1: every byte is a character, whatever the charset is. */
export function prefixLine(bytes: Buffer, at: number) {
	const newline = bytes.indexOf(NEWLINE, at);
	const end = newline === -1 ? bytes.length : newline;
	return bytes.toString('latin1', at, Math.min(end, at + PREFIX_MAX_BYTES));
}
