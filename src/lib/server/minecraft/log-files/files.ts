import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { LATEST_LOG } from '#schemas/plain/limits';
import type { LogFile } from '#schemas/log';
import { diskTrouble, openWithStats } from '#core/files';
import { errno } from '#core/errors';
import { sourceOf, type LogSource } from './source.ts';

/** The server's logs and crash reports. Names come from listing the folders; nothing else is ever opened. */
export interface LogFiles {
	/** Newest first. */
	list(): Promise<Listing>;
	/** Null when there is no such regular file; throws the disk's error when it cannot be read. */
	open(name: string): Promise<LogSource | null>;
	/** The folder of the logs. */
	readonly dir: string;
}

export type Listing = {
	files: LogFile[];
	/** Files with a suitable extension that we cannot read, or whose name cannot be shown. */
	skipped: number;
	/** A sentence when one of the folders cannot be read. */
	trouble: string | null;
};

const LOG_NAME = /\.log(?:\.gz)?$/;
const REPORT_NAME = /\.txt$/;
/** `2026-08-10-3.log.gz` */
const ROTATED = /^(?<day>\d{4}-\d\d-\d\d)-(?<index>\d{1,6})\.log(?:\.gz)?$/;
/** Control characters, lone surrogates, and bytes that are not UTF-8. */
const UNSHOWABLE = /[\p{C}\p{Zl}\p{Zp}\ufffd]/u;
const FILES_MAX = 5_000;

export function createLogFiles({ serverDir }: { serverDir: string }): LogFiles {
	const dir = path.join(serverDir, 'logs');
	const reports = path.join(serverDir, 'crash-reports');
	const folderOf = (name: string) => (REPORT_NAME.test(name) ? reports : dir);

	return {
		dir,
		async list() {
			const logs = await inspect(dir, LOG_NAME);
			const crashes = await inspect(reports, REPORT_NAME);
			const files = [...logs.files, ...crashes.files].sort(newestFirst);
			const trouble =
				errno(logs.error) === 'ENOENT'
					? NO_LOGS
					: logs.error
						? unreadable('The folder logs', logs.error)
						: crashes.error && errno(crashes.error) !== 'ENOENT'
							? unreadable('The folder crash-reports', crashes.error)
							: null;
			return { files, skipped: logs.skipped + crashes.skipped, trouble };
		},
		async open(name) {
			if (!LOG_NAME.test(name) && !REPORT_NAME.test(name)) return null;
			const folder = folderOf(name);
			if (name !== LATEST_LOG && !(await namesIn(folder)).includes(name)) return null;
			const opened = await openWithStats(path.join(folder, name));
			return opened && sourceOf(opened, name, kindOf(name));
		}
	};
}

/** The rotated logs, newest first; those of one day by when they were last changed. */
export const rotatedFirst = (files: LogFile[]): LogFile[] =>
	files
		.filter(({ name }) => ROTATED.test(name))
		.sort(
			(a, b) =>
				compare(dayOf(b.name), dayOf(a.name)) ||
				compare(b.modifiedAt, a.modifiedAt) ||
				indexOf(b.name) - indexOf(a.name)
		);

const dayOf = (name: string) => ROTATED.exec(name)?.groups?.day ?? '';
const indexOf = (name: string) => Number(ROTATED.exec(name)?.groups?.index);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const newestFirst = (a: LogFile, b: LogFile) =>
	compare(b.modifiedAt, a.modifiedAt) || compare(b.name, a.name);

const kindOf = (name: string): LogFile['kind'] =>
	REPORT_NAME.test(name) ? 'crash' : ROTATED.test(name) || name.endsWith('.gz') ? 'archive' : 'log';

async function inspect(folder: string, pattern: RegExp) {
	const files: LogFile[] = [];
	try {
		const names = (await namesIn(folder)).filter((name) => pattern.test(name));
		const shown = names
			.filter((name) => !UNSHOWABLE.test(name))
			.sort()
			.slice(-FILES_MAX);
		const found = await Promise.all(shown.map((name) => fileIn(folder, name)));
		files.push(...found.filter((file) => file !== null));
		return { files, skipped: names.length - files.length, error: null };
	} catch (error) {
		return { files, skipped: 0, error };
	}
}

async function fileIn(folder: string, name: string): Promise<LogFile | null> {
	const found = await lstat(path.join(folder, name)).catch((error) => {
		if (errno(error) === 'ENOENT') return null;
		throw error;
	});
	if (!found?.isFile()) return null;
	const { size, mtime } = found;
	return { name, kind: kindOf(name), bytes: size, modifiedAt: mtime.toISOString() };
}

/** As bytes: a name that is not UTF-8 must not be taken for another. */
async function namesIn(folder: string): Promise<string[]> {
	return (await readdir(folder, { encoding: 'buffer' })).map((name) => name.toString());
}

const NO_LOGS = 'There is no log in this folder yet.';

/** Why the folder `logs`, or one file, cannot be read, and what to do. */
export const unreadable = (what: string, error: unknown) =>
	`${what} cannot be read: ${diskTrouble(error)}. Check that the dashboard’s user may read it.`;
