import type { LogEntry } from '#schemas/log';
import { EXCERPT_CUT } from '#schemas/plain/limits';

/** What a paste can hold. The newest lines are the ones that matter. */
const MAX_CHARS = 256 * 1024;

/** Entries as text, in the familiar log format, below a header of a few lines. */
export function excerptOf(
	header: string[],
	entries: LogEntry[],
	plain: (text: string) => string
): string {
	const lines: string[] = [];
	let chars = 0;
	for (const entry of entries.toReversed()) {
		const text = plain([headOf(entry), ...entry.continuation].join('\n'));
		chars += text.length + 1;
		if (chars > MAX_CHARS) {
			lines.push(EXCERPT_CUT);
			break;
		}
		lines.push(text);
	}
	return [...header.map(plain), '-'.repeat(32), ...lines.reverse(), ''].join('\n');
}

function headOf({ at, level, thread, logger, message }: LogEntry) {
	if (at === null && thread === null) return message;
	const origin = thread === null ? level : `${thread}/${level}`;
	return `[${at ?? '?'}] [${origin}]${logger === null ? '' : ` [${logger}]`}: ${message}`;
}
