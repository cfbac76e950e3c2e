import { LogLevel } from '../../schemas/log.ts';
import { parseLogLine } from './log-line.ts';

/** When a line was written, as far as it says so itself. */
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
/** Date, hours, minutes, seconds, milliseconds. */
const STAMP = /^\[([^\]]*?)[T ]?(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,3}))?/;
/** Of a prefix alone, which is short. */
const ORIGIN = new RegExp(
	`^\\[[^\\]]*\\] \\[(?<thread>.*?)/[A-Z]{4,6}\\](?: \\[(?<logger>[^\\]]*)\\]| \\((?<name>[^)]*)\\))?`,
	's'
);

/** A line of the log taken apart; null when it has no prefix and so belongs to the one before it. */
export function parsePrefix(raw: string): ParsedLine | null {
	const line = raw.charCodeAt(0) === ESCAPE ? raw.replace(COLOURS, '') : raw;
	const parsed = parseLogLine(line);
	if (!parsed) return null;
	const prefix = line.slice(0, line.length - parsed.message.length);
	const origin = ORIGIN.exec(prefix)?.groups;
	return {
		stamp: stampOf(prefix),
		level: levelOf(parsed.level),
		thread: origin?.thread ?? null,
		logger: origin?.logger ?? origin?.name ?? null,
		message: parsed.message
	};
}

function stampOf(prefix: string): Stamp | null {
	const parts = STAMP.exec(prefix);
	if (!parts) return null;
	const [, date, h, m, s, fraction = ''] = parts;
	const [hours, minutes, seconds] = [Number(h), Number(m), Number(s)];
	if (hours > 23 || minutes > 59 || seconds > 60) return null;
	const ms = fraction === '' ? 0 : Number(fraction.padEnd(3, '0'));
	return {
		date: date?.trim() || null,
		dayMs: ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
	};
}

/** What a mod prints to the standard streams has their names in the place of a level. */
const levelOf = (word: string): LogLevel =>
	LEVELS.get(word) ?? (word === 'STDERR' ? 'ERROR' : 'INFO');
const LEVELS = new Map<string, LogLevel>(LogLevel.options.map((level) => [level, level]));
