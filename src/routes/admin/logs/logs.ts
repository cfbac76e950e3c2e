import { LATEST_LOG, LOG_LINES_MAX } from '$lib/schemas/plain/limits';
import type { LogFile, LogLevel, LogHit } from '$lib/schemas/log';

/** What the logs page shows; all of it is in its address. */
export type LogsPlace = {
	file: string;
	/** None means all. */
	level: LogLevel[];
	q: string;
	before: string | null;
	at: string | null;
};
/** What is searched for, and in which file first. */
export type LogSearch = Pick<LogsPlace, 'file' | 'level' | 'q'>;
export const START: LogsPlace = { file: LATEST_LOG, level: [], q: '', before: null, at: null };

export function logsAddress(place: Partial<LogsPlace>): string {
	const { file, level, q, before, at } = { ...START, ...place };
	const query = new URLSearchParams();
	if (file !== LATEST_LOG) query.set('file', file);
	if (level.length) query.set('level', level.join(','));
	if (q) query.set('q', q);
	if (before) query.set('before', before);
	if (at) query.set('at', at);
	const text = String(query);
	return `/admin/logs${text && `?${text}`}${at ? `#${rowId(at)}` : ''}`;
}

/** The element of an entry. */
export const rowId = (id: string) => `line-${id}`;

/** A link to one entry, to share: without the search that found it. */
export const permalink = ({ file, id }: LogHit) => logsAddress({ file, at: id });

/** `1 match`, `200+ matches`: of what was found so far, with a plus where the search goes on. */
export const countWords = (count: number, isAll: boolean) =>
	`${count}${isAll ? '' : '+'} ${count === 1 && isAll ? 'match' : 'matches'}`;

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
export function whereWords(hits: LogHit[], { file }: Pick<LogsPlace, 'file'>) {
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

/** A frame of a stack trace: where one method was called by another. */
export const isFrame = (text: string) => /^\s+at \S/.test(text);

/** The places at which a path or a class's full name may go on in the next line. */
const BREAKS = /(?<=[./])(?=[\p{L}_$])|(?<=\w)(?=[($])/u;

/** The text in parts that are better not broken. */
export const parts = (text: string): string[] => text.split(BREAKS);

export type Piece = { text: string; hit: boolean };
const HITS_MAX = 50;

/** The text in pieces, with the search's matches marked. */
export function pieces(text: string, q: string): Piece[] {
	const found: Piece[] = [];
	const lower = text.toLowerCase();
	const wanted = q.toLowerCase();
	// Some letters change length with their case, and then the positions do not match.
	if (!wanted || lower.length !== text.length) return [{ text, hit: false }];
	let from = 0;
	for (let i = 0; i < HITS_MAX; i++) {
		const to = lower.indexOf(wanted, from);
		if (to === -1) break;
		if (to > from) found.push({ text: text.slice(from, to), hit: false });
		from = to + wanted.length;
		found.push({ text: text.slice(to, from), hit: true });
	}
	if (from < text.length || !found.length) found.push({ text: text.slice(from), hit: false });
	return found;
}
