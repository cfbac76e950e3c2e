import type { LogFile, LogHit, LogLevel } from '../log.ts';
import { LATEST_LOG } from './limits.ts';

/** The clocks of files and of processes differ a little. */
const APART_MS = 60_000;

/** The log that was current then: the first one archived later; null when that is the present one. `files`: newest first. */
export function logAt(at: string, files: LogFile[]): string | null {
	const ms = Date.parse(at) - APART_MS;
	const later = files.filter(
		({ kind, modifiedAt }) => kind === 'archive' && Date.parse(modifiedAt) >= ms
	);
	return later.at(-1)?.name ?? null;
}

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
export const LOGS_START: LogsPlace = { file: LATEST_LOG, level: [], q: '', before: null, at: null };

export function logsAddress(place: Partial<LogsPlace>): string {
	const { file, level, q, before, at } = { ...LOGS_START, ...place };
	const query = new URLSearchParams();
	if (file !== LATEST_LOG) query.set('file', file);
	if (level.length) query.set('level', level.join(','));
	if (q) query.set('q', q);
	if (before) query.set('before', before);
	if (at) query.set('at', at);
	const text = String(query);
	return `/admin/logs${text && `?${text}`}${at ? `#${rowId(at)}` : ''}`;
}

/** The element before the first line of a crash report that names a suspect. */
export const SUSPECT_ID = 'suspect';

/**
 * For a link to a crash report (`file`: its name alone): it opens at the line that names a suspect, which is marked, and
 * at its head where none does. Without JavaScript too.
 */
export const reportAddress = (file: string) => `${logsAddress({ file })}#${SUSPECT_ID}`;

/** The element of an entry. */
export const rowId = (id: string) => `line-${id}`;

/** A link to one entry, to share: without the search that found it. */
export const permalink = ({ file, id }: LogHit) => logsAddress({ file, at: id });
