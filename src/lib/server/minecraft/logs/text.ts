import { StringDecoder } from 'node:string_decoder';
import type { LogEntry } from '#schemas/log';
import { decodeLine, LINE_MAX_BYTES } from '#core/files';
import { parsePrefix, type Stamp } from '#minecraft/log-format';
import type { LogMask } from '#minecraft/mask';
import { safeText } from '#minecraft/text';

/** Lines of one entry that are kept; stack traces of more than a thousand exist. */
const CONTINUATION_MAX = 500;
/** The limit on the characters of all of them. */
const ENTRY_MAX_CHARS = 256 * 1024;
const CUT = ' … cut';
const NEWLINE = 0x0a;
const BYTES_PER_UNIT_MAX = 3;

/** An entry that may leave the server: masked and safe to show. Its time is derived from its neighbours. */
export type Found = { offset: number; stamp: Stamp | null; entry: LogEntry };

/** The entry in these bytes; its first line may have a prefix or not. */
export function entryOf(
	bytes: Buffer,
	start: number,
	end: number,
	mask: LogMask
): Omit<Found, 'offset'> {
	const lineEnd = endOfLine(bytes, start, end);
	const { parsed, message } = headLine(bytes, start, lineEnd, mask);
	const part = (text: string | null | undefined) => (text ? originOf(text, mask) : null);
	return {
		stamp: parsed?.stamp ?? null,
		entry: {
			at: null,
			level: parsed?.level ?? 'INFO',
			thread: part(parsed?.thread),
			logger: part(parsed?.logger),
			message,
			continuation: continuationOf(bytes, lineEnd + 1, end, mask)
		}
	};
}

/** Remembered as they were shown: a server has few threads and loggers, and each line names them. */
const origins = new WeakMap<LogMask, Map<string, string>>();
const ORIGINS_MAX = 200;

function originOf(text: string, mask: LogMask): string {
	let known = origins.get(mask);
	if (!known || known.size >= ORIGINS_MAX) origins.set(mask, (known = new Map()));
	let shown = known.get(text);
	if (shown === undefined) known.set(text, (shown = show({ text, kept: null }, mask)));
	return shown;
}

/** The characters of an entry, to limit an answer. */
export const lengthOf = ({ entry }: Found) =>
	entry.continuation.reduce((sum, line) => sum + line.length, entry.message.length);

/** What a search examines in one line: the message of a first line, the whole of any other. */
export const searchable = (
	bytes: Buffer,
	from: number,
	to: number,
	mask: LogMask,
	isHead: boolean
) => (isHead ? headLine(bytes, from, to, mask).message : lineOf(bytes, from, to, mask));

function headLine(bytes: Buffer, from: number, to: number, mask: LogMask) {
	const { text, kept } = decode(bytes, from, to, mask.reach);
	const parsed = parsePrefix(text);
	const message = parsed?.message ?? text;
	const prefix = text.length - message.length;
	return { parsed, message: show({ text: message, kept: kept && kept.slice(prefix) }, mask) };
}

/** One line that does not begin an entry, without its line break. */
export const lineOf = (bytes: Buffer, from: number, to: number, mask: LogMask) =>
	show(decode(bytes, from, to, mask.reach), mask);

/** A long line is decoded beyond what is kept of it. */
type Line = { text: string; kept: string | null };

function decode(bytes: Buffer, from: number, to: number, reach: number): Line {
	if (to - from <= LINE_MAX_BYTES)
		return { text: withoutNul(decodeLine(bytes.subarray(from, to))), kept: null };
	const windowEnd = Math.min(to, from + LINE_MAX_BYTES + reach * BYTES_PER_UNIT_MAX);
	const text = bytes.toString('utf8', from, windowEnd);
	const kept = new StringDecoder('utf8').write(bytes.subarray(from, from + LINE_MAX_BYTES));
	return { text: withoutNul(text), kept: withoutNul(kept) };
}

/**
 * Made safe to show, then masked: in this order, because a code inside an address must not hide it from the mask. The
 * cut comes last, with more text after it: half a secret could not be recognised.
 */
function show({ text, kept }: Line, mask: LogMask) {
	const safe = safeText(text);
	if (kept === null) return mask.text(safe);
	const keep = Math.min(safeText(kept).length, safe.length - mask.reach);
	return mask.text(safe, Math.max(0, keep)) + CUT;
}

/** A file in UTF-16 has a NUL between all letters, so that no mask would recognise a secret; text has none. */
export const withoutNul = (text: string) =>
	text.includes('\0') ? text.replaceAll('\0', '') : text;

function continuationOf(bytes: Buffer, start: number, end: number, mask: LogMask): string[] {
	const lines: string[] = [];
	let chars = 0;
	let from = start;
	while (from < end && lines.length < CONTINUATION_MAX && chars < ENTRY_MAX_CHARS) {
		const to = endOfLine(bytes, from, end);
		const line = lineOf(bytes, from, to, mask);
		lines.push(line);
		chars += line.length;
		from = to + 1;
	}
	const left = countLines(bytes, from, end);
	if (left > 0) lines.push(`… ${left} more ${left === 1 ? 'line' : 'lines'}`);
	return lines;
}

function endOfLine(bytes: Buffer, from: number, end: number) {
	const newline = bytes.indexOf(NEWLINE, from);
	return newline === -1 || newline > end ? end : newline;
}

function countLines(bytes: Buffer, from: number, end: number) {
	if (from >= end) return 0;
	let lines = bytes[end - 1] === NEWLINE ? 0 : 1;
	for (let i = from; i < end; i++) if (bytes[i] === NEWLINE) lines++;
	return lines;
}
