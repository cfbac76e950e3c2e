import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { errno } from '#core/errors';
import { openRegular, lastLines, decodeLine, LINE_MAX_BYTES } from '#core/files';
import { createLogFiles, rotatedFirst, type LogFiles, type LogSource } from '#minecraft/log-files';
import { LATEST_LOG } from '#schemas/plain/limits';

/** A position in a log: what was written to this very file before it belongs to an earlier run. */
export type LogMark = { file: string; size: number };
/** One run of the server: its start (ISO 8601), and where the log ended before it, if known. */
export type ServerRun = { since: string; mark: LogMark | null };

/** What the game leaves behind in its folder, limited to one run. */
export interface CrashEvidence {
	/** Where `latest.log` ends now; null when there is none. */
	mark(): Promise<LogMark | null>;
	/** The newest lines of `latest.log`. */
	log(run: ServerRun): Promise<string[]>;
	/**
	 * Whether the log has such a line after the mark, however far back. Without a mark in this very file, the logs
	 * that were rotated since the run began are searched too. `part` is a text that every such line contains.
	 */
	has(run: ServerRun, part: string, isIt: (line: string) => boolean): Promise<boolean>;
	/** The newest lines of the process's own output, as far as we keep it. */
	output(run: ServerRun): Promise<string[]>;
	/** The newest crash report, of the game or of Java itself. */
	crashReport(run: ServerRun): Promise<string | null>;
}

const LINES = 500;
const REPORT_MAX_BYTES = 256 * 1024;
const SEARCH_MAX_BYTES = 64 * 1024 * 1024;
/** Days that a server may have been running: its ready line is in the oldest of its logs. */
const PUT_AWAY_MAX = 60;
/** Java takes no longer than this to begin its log. */
const STARTING_MS = 2 * 60_000;
const NEWLINE = 0x0a;

type Deps = {
	serverDir: string;
	/** The newest lines that the process has printed since then (ISO 8601). */
	output: (since: string) => Promise<string[]>;
};

export function openCrashEvidence(deps: Deps): CrashEvidence {
	const files = createLogFiles({ serverDir: deps.serverDir });
	const latest = path.join(files.dir, LATEST_LOG);

	return {
		async mark() {
			const found = await inspect(latest);
			return found && { file: found.id, size: found.size };
		},
		async log(run) {
			const found = await inspect(latest);
			if (!found || !isFrom(found, run)) return [];
			return lastLines(latest, LINES, startOf(found, run));
		},
		async has(run, part, isIt) {
			const found = await inspect(latest);
			if (found && isFrom(found, run)) {
				const from = startOf(found, run);
				if (await hasLine(files, LATEST_LOG, { from, part, isIt })) return true;
				if (from > 0) return false;
			}
			for (const name of await putAway(files, run))
				if (await hasLine(files, name, { from: 0, part, isIt })) return true;
			return false;
		},
		output: ({ since }) => deps.output(since),
		async crashReport(run) {
			const file =
				(await newest(path.join(deps.serverDir, 'crash-reports'), /^crash-.*\.txt$/, run)) ??
				(await newest(deps.serverDir, /^hs_err_pid\d+\.log$/, run));
			return file && readStart(file);
		}
	};
}

type Found = { id: string; size: number; changedMs: number };

/** The birth time too: a rotated log is compressed and deleted, and its inode is reused by the next one. */
async function inspect(file: string): Promise<Found | null> {
	const found = await lstat(file).catch((error) => {
		if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errno(error) ?? '')) return null;
		throw error;
	});
	if (!found?.isFile()) return null;
	const { dev, ino, birthtimeMs, size, mtimeMs } = found;
	return { id: `${dev}:${ino}:${birthtimeMs}`, size, changedMs: mtimeMs };
}

/** Java takes longer to print its first line than the clocks of files and of processes can differ. */
const isFrom = (found: Found, run: ServerRun) => found.changedMs >= Date.parse(run.since);

/** Where the run begins in the log. */
const startOf = ({ id, size }: Found, { mark }: ServerRun) =>
	mark?.file === id && mark.size <= size ? mark.size : 0;

/** Logs of this run alone: the log of the run before is rotated, and so written, when this one starts. */
async function putAway(files: LogFiles, run: ServerRun): Promise<string[]> {
	const afterMs = Date.parse(run.since) + STARTING_MS;
	return rotatedFirst((await files.list()).files)
		.filter(({ modifiedAt }) => Date.parse(modifiedAt) > afterMs)
		.map(({ name }) => name)
		.slice(0, PUT_AWAY_MAX);
}

type Search = { from: number; part: string; isIt: (line: string) => boolean };

async function hasLine(files: LogFiles, name: string, { from, part, isIt }: Search) {
	const source = await files.open(name);
	if (!source) return false;
	try {
		let read = 0;
		for await (const { bytes } of source.forwards(await lineStart(source, from), 'lines')) {
			for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at + 1))
				if (isIt(lineAround(bytes, at))) return true;
			read += bytes.length;
			if (read > SEARCH_MAX_BYTES) break;
		}
		return false;
	} finally {
		await source.close();
	}
}

/** The position may have been the end of the file while a line was being written. */
async function lineStart(source: LogSource, place: number): Promise<number> {
	const before = Math.max(0, place - LINE_MAX_BYTES);
	if (before < place)
		for await (const { bytes } of source.forwards(before, 'lines'))
			return before + bytes.lastIndexOf(NEWLINE, place - before - 1) + 1;
	return place;
}

function lineAround(bytes: Buffer, at: number): string {
	const start = bytes.lastIndexOf(NEWLINE, at) + 1;
	const end = bytes.indexOf(NEWLINE, at);
	return decodeLine(bytes.subarray(start, end === -1 ? bytes.length : end));
}

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
