import { LATEST_LOG, LOG_LINES_MAX } from '$lib/schemas/plain/limits';
import type { LogFile, LogLevel, LogHit, LogPage } from '$lib/schemas/log';

/** `1 match`, `200+ matches`: of what was found so far, with a plus where the search goes on. */
export const countWords = (count: number, isAll: boolean) =>
	`${count}${isAll ? '' : '+'} ${count === 1 && isAll ? 'match' : 'matches'}`;

/** Which of the matches an entry is, and the ids of those beside it. */
export type Match = { words: string; previous: string | null; next: string | null };

/** Null when the entry is none of those found. */
export function matchAmong({ entries, truncated }: LogPage, id: string): Match | null {
	const index = entries.findIndex((entry) => entry.id === id);
	if (index === -1) return null;
	const words = truncated
		? `One of ${countWords(entries.length, false)}`
		: `Match ${index + 1} of ${entries.length}`;
	return { words, previous: entries[index - 1]?.id ?? null, next: entries[index + 1]?.id ?? null };
}

/** Enough to fill a screen; the rest comes by scrolling, or as the next page. */
export const PAGE_LINES = 200;
/** How many of the lines shown an excerpt takes: the newest, or those around the entry that is linked to. */
export const excerptLines = (shown: number, isAround: boolean) =>
	Math.min(shown, isAround ? PAGE_LINES : LOG_LINES_MAX);

/** `3 lines`, `the newest 1000 of 1200 lines`. `isCut`: not all of them had room. */
export function excerptWords(shown: number, { isAround = false, isCut = false } = {}) {
	const taken = excerptLines(shown, isAround);
	const lines = `${shown} ${shown === 1 ? 'line' : 'lines'}`;
	if (isCut) return `the newest of ${lines}`;
	return taken === shown ? lines : `${isAround ? '' : 'the newest '}${taken} of ${lines}`;
}

/** `in 3 files`, and in which one where that is not the current log. */
export function whereWords(hits: LogHit[], { file }: { file: string }) {
	const files = new Set(hits.map((hit) => hit.file));
	if (files.size > 1) return `in ${files.size} files`;
	return file === LATEST_LOG ? '' : `in ${file}`;
}

export const downloadAddress = (name: string) => `/api/logs/files/${encodeURIComponent(name)}`;

/** What people look for, as levels. */
export const LEVEL_CHOICES: { label: string; level: LogLevel[] }[] = [
	{ label: 'All levels', level: [] },
	{ label: 'Warnings and errors', level: ['WARN', 'ERROR', 'FATAL'] },
	{ label: 'Errors', level: ['ERROR', 'FATAL'] },
	{ label: 'Info', level: ['INFO'] },
	{ label: 'Debug', level: ['TRACE', 'DEBUG'] }
];

const LEVEL_NAMES: { names: string[]; what: string; level: LogLevel[] }[] = [
	{ names: ['warn', 'warning', 'warnings'], what: 'warnings', level: ['WARN'] },
	{ names: ['error', 'errors'], what: 'errors', level: ['ERROR', 'FATAL'] },
	{ names: ['fatal'], what: 'fatal errors', level: ['FATAL'] },
	{ names: ['info'], what: 'info', level: ['INFO'] },
	{ names: ['debug'], what: 'debug lines', level: ['DEBUG'] }
];
/** The level whose name somebody has searched for: a line shows it as a mark, and the search reads its text. */
export const levelNamed = (q: string) =>
	LEVEL_NAMES.find(({ names }) => names.includes(q.trim().toLowerCase())) ?? null;

export const KIND_LABELS: Record<LogFile['kind'], string> = {
	log: 'Log',
	archive: 'Rotated log',
	crash: 'Crash report'
};

/** Of files, to choose from. */
export const KIND_CHOICES: Record<LogFile['kind'], string> = {
	log: 'Logs',
	archive: 'Rotated logs',
	crash: 'Crash reports'
};

export const isReport = (file: string) => file.endsWith('.txt');
