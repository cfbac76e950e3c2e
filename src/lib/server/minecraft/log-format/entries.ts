import type { LogEntry } from '#schemas/log';
import { datesOf } from './dates.ts';
import { parsePrefix, type Stamp } from './prefix.ts';

/** Lines of one message that are kept; stack traces of more than a thousand exist. */
export const CONTINUATION_MAX = 500;

export type EntryReader = {
	/** `continued`: lines that still belong to the last entry of the previous call. */
	read(lines: string[], fileDate: Date | null): { entries: LogEntry[]; continued: string[] };
};

/**
 * Groups lines into entries: a line without a prefix belongs to the entry before it. No line is lost without being
 * counted.
 */
export function createEntryReader(): EntryReader {
	let known = false;
	/** How many lines the last entry has so far, kept or not. */
	let length = 0;

	return {
		read(lines, fileDate) {
			const entries: LogEntry[] = [];
			const stamps: (Stamp | null)[] = [];
			const continued: string[] = [];
			let open = continued;
			let hidden = 0;
			const close = () => {
				if (hidden > 0) open.push(leftOut(hidden));
				hidden = 0;
			};
			const begin = (entry: LogEntry, stamp: Stamp | null) => {
				close();
				entries.push(entry);
				stamps.push(stamp);
				open = entry.continuation;
				length = 0;
				known = true;
			};
			for (const raw of lines) {
				const line = bare(raw);
				const parsed = parsePrefix(line);
				if (parsed) begin(entryOf(parsed), parsed.stamp);
				// The file, or the part of it that is read, begins in the middle of a message.
				else if (!known) begin(entryOf({ level: 'INFO', message: line }), null);
				else if (length++ < CONTINUATION_MAX) open.push(line);
				else hidden++;
			}
			close();
			for (const [i, at] of datesOf(stamps, fileDate).entries()) entries[i]!.at = at;
			return { entries, continued };
		}
	};
}

const entryOf = ({ level, thread, logger, message }: Partial<LogEntry>): LogEntry => ({
	at: null,
	level: level ?? 'INFO',
	thread: thread ?? null,
	logger: logger ?? null,
	message: message ?? '',
	continuation: []
});

const leftOut = (lines: number) => `… ${lines} more ${lines === 1 ? 'line' : 'lines'}`;

/** Windows ends a line with `\r\n`, and its editors put a byte order mark at the start. */
function bare(line: string) {
	const from = line.charCodeAt(0) === 0xfeff ? 1 : 0;
	const to = line.endsWith('\r') ? line.length - 1 : line.length;
	return from === 0 && to === line.length ? line : line.slice(from, to);
}
