import type { LogFile } from '../log.ts';

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

/** Where a log or a crash report is read. */
export const logFileAddress = (file: string) => `/admin/logs?${new URLSearchParams({ file })}`;

/** Where an entry of a log is read, among its neighbours. */
export const logLineAddress = (id: string) => `/admin/logs?at=${id}#line-${id}`;
