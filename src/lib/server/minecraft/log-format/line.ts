const LEVELS = 'TRACE|DEBUG|INFO|WARN|ERROR|FATAL|STDOUT|STDERR';
const TIME = '([^\\]\\n]{0,40}?)[T ]?(\\d\\d):(\\d\\d):(\\d\\d)(?:[.,](\\d{1,3}))?[^\\]\\n ]{0,8}';

/**
 * What precedes a message, in the files and on the consoles of all loaders:
 * `[12:00:00] [Server thread/INFO]: `, `[30May2025 12:00:00.123] [main/INFO] [logger/MARKER]: `,
 * `[12:00:00] [main/INFO] (Logger) `, Paper's console `[12:00:00 INFO]: `. The first match ends the prefix, so
 * nothing that a player writes can be taken for one. Months are in the machine's language; every part is bounded. The
 * groups are the parts of `LogLine`, in their order.
 */
export const LOG_PREFIX =
	`\\[${TIME}(?:\\] \\[((?:(?!/(?:${LEVELS})\\])[^\\n]){1,100})/| )(${LEVELS})\\]` +
	'(?:: ?| \\[([^\\]\\n]{0,160})\\]: ?| \\(([^)\\n]{0,80})\\) )';

const LOG_LINE = new RegExp(`^${LOG_PREFIX}`);

export type LogLine = {
	/** As written, with the digits of the time; null for a missing part. */
	date: string;
	time: [hours: string, minutes: string, seconds: string, fraction: string | null];
	thread: string | null;
	level: string;
	logger: string | null;
	message: string;
};

/** Null when the line has no prefix: it continues the message before, or is plain output. */
export function parseLogLine(line: string): LogLine | null {
	const parts = LOG_LINE.exec(line);
	if (!parts) return null;
	return {
		date: parts[1]!,
		time: [parts[2]!, parts[3]!, parts[4]!, parts[5] ?? null],
		thread: parts[6] ?? null,
		level: parts[7]!,
		logger: parts[8] ?? parts[9] ?? null,
		message: line.slice(parts[0].length)
	};
}

/** Whether it has a prefix. */
export const isLogLine = (line: string) => LOG_LINE.test(line);
