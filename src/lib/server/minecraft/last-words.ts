import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { errno } from '../core/errors.ts';
import { openRegular } from '../core/files.ts';
import { lastLines } from './last-lines.ts';

/** A place in a log: what was written to this very file before it belongs to an earlier run. */
export type LogMark = { file: string; size: number };
/** One run of the server: its start (ISO 8601), and the log's end before it where that is known. */
export type ServerRun = { since: string; mark: LogMark | null };

/** What the game leaves behind in its folder, of one run only. */
export interface LastWords {
	/** Where `latest.log` ends now; null when there is none. */
	mark(): Promise<LogMark | null>;
	/** The newest lines of `latest.log`. */
	log(run: ServerRun): Promise<string[]>;
	/** The newest lines of the process's own output, as far as we keep it. */
	output(run: ServerRun): Promise<string[]>;
	/** The newest crash report, of the game or of Java itself. */
	crashReport(run: ServerRun): Promise<string | null>;
}

const LINES = 500;
const REPORT_MAX_BYTES = 256 * 1024;

export function createLastWords(deps: { serverDir: string; outputFile: string }): LastWords {
	const latest = path.join(deps.serverDir, 'logs', 'latest.log');

	return {
		async mark() {
			const found = await inspect(latest);
			return found && { file: found.id, size: found.size };
		},
		async log(run) {
			const found = await inspect(latest);
			if (!found || !isFrom(found, run)) return [];
			const { mark } = run;
			const continued = mark?.file === found.id && mark.size <= found.size;
			return lastLines(latest, LINES, continued ? mark.size : 0);
		},
		async output(run) {
			const found = await inspect(deps.outputFile);
			return found && isFrom(found, run) ? lastLines(deps.outputFile, LINES) : [];
		},
		async crashReport(run) {
			const file =
				(await newest(path.join(deps.serverDir, 'crash-reports'), /^crash-.*\.txt$/, run)) ??
				(await newest(deps.serverDir, /^hs_err_pid\d+\.log$/, run));
			return file && readStart(file);
		}
	};
}

type Found = { id: string; size: number; changedMs: number };

/** Birth time too: a rotated log is compressed and deleted, and its inode given to the next one. */
async function inspect(file: string): Promise<Found | null> {
	const found = await lstat(file).catch((error) => {
		if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errno(error) ?? '')) return null;
		throw error;
	});
	if (!found?.isFile()) return null;
	const { dev, ino, birthtimeMs, size, mtimeMs } = found;
	return { id: `${dev}:${ino}:${birthtimeMs}`, size, changedMs: mtimeMs };
}

/** Java needs longer to its first line than the two clocks, of files and of processes, can differ. */
const isFrom = (found: Found, run: ServerRun) => found.changedMs >= Date.parse(run.since);

async function newest(dir: string, name: RegExp, run: ServerRun): Promise<string | null> {
	const names = await readdir(dir).catch((error) => {
		if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errno(error) ?? '')) return [];
		throw error;
	});
	let best: { file: string; changedMs: number } | null = null;
	for (const entry of names.filter((entry) => name.test(entry))) {
		const file = path.join(dir, entry);
		const found = await inspect(file);
		if (!found || !isFrom(found, run) || found.changedMs < (best?.changedMs ?? 0)) continue;
		best = { file, changedMs: found.changedMs };
	}
	return best?.file ?? null;
}

async function readStart(file: string): Promise<string | null> {
	const handle = await openRegular(file);
	if (!handle) return null;
	try {
		const bytes = Buffer.alloc(REPORT_MAX_BYTES);
		const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
		return bytes.toString('utf8', 0, bytesRead);
	} finally {
		await handle.close();
	}
}
