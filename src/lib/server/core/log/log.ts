import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errno } from '#core/errors';
import { createMask, describe, escapeControls, type Mask } from './values.ts';
import { appendRotated } from './rotating-file.ts';

export { createMask, type Mask };

const FILE_MAX_BYTES = 10 * 1024 * 1024;
const TERMINAL_LINE_MAX = 300;

type Level = 'info' | 'warn' | 'error';
type Facts = { cause?: unknown; [key: string]: unknown };

/** Never throws, whatever it is given and whatever the disk does. */
export interface Logger {
	info(message: string, facts?: Facts): void;
	warn(message: string, facts?: Facts): void;
	error(message: string, facts?: Facts): void;
}

type Input = {
	dir: string;
	/** Masked wherever they occur, also in causes and stack traces. */
	secrets: string[];
	/** Writes one line for the person at the terminal. */
	terminal?: (line: string) => void;
	fileMaxBytes?: number;
};

/**
 * One JSON object per line in `craftwarden.log`; warnings and errors also as one short line on the terminal. When the
 * folder cannot be written, a private file in the system's temporary folder takes over, and the terminal names it.
 */
export function createLogger({ dir, secrets, terminal = toStderr, fileMaxBytes }: Input): Logger {
	const mask = createMask(secrets);
	const say = (line: string) => terminal(escapeControls(mask(line)).slice(0, TERMINAL_LINE_MAX));
	const write = createSink(dir, fileMaxBytes ?? FILE_MAX_BYTES, say);

	const log = (level: Level, message: string, facts: Facts = {}) => {
		quietly(() => write(format(level, message, facts, mask)));
		if (level !== 'info')
			quietly(() => say(`craftwarden ${level}: ${message}${causeOf(facts.cause)}`));
	};
	return {
		info: (message, facts) => log('info', message, facts),
		warn: (message, facts) => log('warn', message, facts),
		error: (message, facts) => log('error', message, facts)
	};
}

/** The log must never be what stops the program. */
function quietly(act: () => void) {
	try {
		act();
	} catch {
		// Neither file nor terminal can be written: there is nobody left to tell.
	}
}

function format(level: Level, message: string, facts: Facts, mask: Mask) {
	const fixed = { at: new Date().toISOString(), level, message: describe(message, mask) };
	const described = describe(facts, mask) as Record<string, unknown>;
	return escapeControls(JSON.stringify({ ...fixed, pid: process.pid, ...described, ...fixed }));
}

const causeOf = (cause: unknown) =>
	cause instanceof Error ? ` (${cause.message})` : typeof cause === 'string' ? ` (${cause})` : '';

/** Writes lines to the log file, else to the fallback; the first use of the fallback in a row is announced. */
function createSink(dir: string, maxBytes: number, say: (line: string) => void) {
	const file = path.join(dir, 'craftwarden.log');
	let spare: string | null = null;
	let onSpare = false;

	const newSpare = (cause: unknown) => {
		const name = path.join(mkdtempSync(path.join(tmpdir(), 'craftwarden-log-')), 'craftwarden.log');
		say(`craftwarden warn: cannot write ${file}, logging to ${name}${causeOf(cause)}`);
		return name;
	};
	const toSpare = (line: string, cause: unknown) => {
		if (spare && !onSpare) say(`craftwarden warn: cannot write ${file}, logging to ${spare}`);
		onSpare = true;
		try {
			appendRotated((spare ??= newSpare(cause)), line, maxBytes);
		} catch (failure) {
			// Its folder was removed. A disk that accepts no line accepts no other file either.
			if (errno(failure) !== 'ENOENT') throw failure;
			appendRotated((spare = newSpare(cause)), line, maxBytes);
		}
	};
	return (line: string) => {
		try {
			mkdirSync(dir, { recursive: true, mode: 0o700 });
			// The disk may have filled up in the middle of the last line: it gets a line break of its own.
			appendRotated(file, onSpare ? `\n${line}` : line, maxBytes);
			onSpare = false;
		} catch (cause) {
			toSpare(line, cause);
		}
	};
}

/** Directly: an EPIPE on `process.stderr` would be an event that nobody listens to. */
function toStderr(line: string) {
	writeSync(2, `${line}\n`);
}

/** Stands in the log beside the cause of an unexpected error, and on the page instead of it. */
export const errorId = () => randomBytes(4).toString('hex');
