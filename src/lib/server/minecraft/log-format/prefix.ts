import { LogLevel } from '#schemas/log';
import { parseLogLine, type LogLine } from './line.ts';

/** When a line was written, as far as the line says. */
export type Stamp = {
	/** As written: `26Feb2025`, `212월2025`, `2025-02-26`; null in the files of most loaders. */
	date: string | null;
	/** Since midnight, by the server's clock. */
	dayMs: number;
};
export type ParsedLine = {
	stamp: Stamp | null;
	level: LogLevel;
	thread: string | null;
	logger: string | null;
	message: string;
};

const ESCAPE = 0x1b;
/** Some consoles colour whole lines by their level. */
// eslint-disable-next-line no-control-regex
const COLOURS = /^(?:\u001b\[[\d;]{0,12}m)+/;

/** A log line, parsed; null when it has no prefix and so belongs to the entry before it. */
export function parsePrefix(raw: string): ParsedLine | null {
	const line = raw.charCodeAt(0) === ESCAPE ? raw.replace(COLOURS, '') : raw;
	const parsed = parseLogLine(line);
	if (!parsed) return null;
	const { thread, logger, message } = parsed;
	return { stamp: stampOf(parsed), level: levelOf(parsed.level), thread, logger, message };
}

function stampOf({ date, time }: LogLine): Stamp | null {
	const [hours, minutes, seconds] = [Number(time[0]), Number(time[1]), Number(time[2])];
	if (hours > 23 || minutes > 59 || seconds > 60) return null;
	const ms = time[3] === null ? 0 : Number(time[3].padEnd(3, '0'));
	return {
		date: date.trim() || null,
		dayMs: ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
	};
}

/** What a mod prints to the standard streams has their names in the place of a level. */
const levelOf = (word: string): LogLevel =>
	LEVELS.get(word) ?? (word === 'STDERR' ? 'ERROR' : 'INFO');
const LEVELS = new Map<string, LogLevel>(LogLevel.options.map((level) => [level, level]));
