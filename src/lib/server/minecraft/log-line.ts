const LEVELS = 'TRACE|DEBUG|INFO|WARN|ERROR|FATAL|STDOUT|STDERR';
const TIME = '[^\\]\\n]{0,40}?\\d\\d:\\d\\d:\\d\\d[^\\]\\n ]{0,8}';

/**
 * What stands before a message, in the files and on the consoles of all loaders:
 * `[12:00:00] [Server thread/INFO]: `, `[30May2025 12:00:00.123] [main/INFO] [logger/MARKER]: `,
 * `[12:00:00] [main/INFO] (Logger) `, Paper's console `[12:00:00 INFO]: `. The first of these that fits ends the prefix,
 * so nothing that a player writes can be taken for one. Months are in the machine's language; every part is bounded.
 */
export const LOG_PREFIX =
	`\\[${TIME}(?:\\] \\[(?:(?!/(?:${LEVELS})\\])[^\\n]){1,100}/| )(?<level>${LEVELS})\\]` +
	'(?:: ?| \\[[^\\]\\n]{0,160}\\]: ?| \\([^)\\n]{0,80}\\) )';

const LOG_LINE = new RegExp(`^${LOG_PREFIX}`);

export type LogLine = { level: string; message: string };

/** Null when the line has no prefix: the rest of the message before, or plain output. */
export function parseLogLine(line: string): LogLine | null {
	const prefix = LOG_LINE.exec(line);
	return prefix && { level: prefix.groups!.level!, message: line.slice(prefix[0].length) };
}
