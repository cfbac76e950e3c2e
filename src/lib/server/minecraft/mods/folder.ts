import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { AppError, errno } from '#core/errors';
import { diskFailure } from '#core/files';
import type { JarFacts } from './metadata/index.ts';
import { cacheKey, readCache, writeCache, type KnownFile } from './scan-cache.ts';
import { scanFiles, type ScanResult } from './scan-pool.ts';
import type { Identity } from './scan-worker.ts';

/** One file in `mods/`. */
export type ModFile = {
	fileName: string;
	/** False for `.jar.disabled`. */
	enabled: boolean;
	/** Bytes; 0 for anything but a regular file. */
	size: number;
	mtimeMs: number;
	/** Null for anything but a regular file, and when it cannot be read, or changes while it is read. */
	sha512: string | null;
	facts: JarFacts;
	/** A file that may be read: not a link, folder, FIFO or device. */
	regular: boolean;
};

export interface ModsFolder {
	/**
	 * The jars of the top level, `.jar` and `.jar.disabled`, by name, as they are now. One scan at a time: callers in
	 * the meantime share the next one, since this one may have missed what they have just put there. Reads only what
	 * has changed since, in separate threads. Empty when there is no folder; AppError when it cannot be read.
	 */
	scan(): Promise<ModFile[]>;
	close(): Promise<void>;
}

type Deps = {
	dir: string;
	/** Written whenever a scan finds something new; may be lost or damaged. */
	cacheFile: string;
	clock: Clock;
	warn: (message: string, facts?: { cause?: unknown }) => void;
};

const NAME = /^(?!\.).+\.jar(\.disabled)?$/s;
const FILES_MAX = 5_000;
/** A file changed this recently before a scan may be written to again without a new time. */
const SETTLED_MS = 2_000;

const NOT_A_FILE =
	'It is not an ordinary file (a link, a folder or something else): it is not opened.';
const NOT_READABLE = 'It cannot be read: give this user the right to read it.';
const CHANGING = 'It is being written to at the moment.';
const TOO_HARD = 'The jar cannot be read: reading it took too much time or memory.';

type Listed = { name: string; size: number; mtimeMs: number; identity: Identity | null };

export function createModsFolder({ dir, cacheFile, clock, warn }: Deps): ModsFolder {
	const closing = new AbortController();
	let known: Map<string, KnownFile> | null = null;
	let scanning: Promise<ModFile[]> | null = null;
	let next: Promise<ModFile[]> | null = null;

	const scan = async () => {
		known ??= await readCache(cacheFile, warn);
		const beganMs = clock.now().getTime();
		const listed = await list(dir, warn);
		const fresh = listed.filter(
			({ name, identity }) => identity && !known!.has(cacheKey(name, identity))
		);
		const read = fresh.length
			? await scanFiles({ dir, files: fresh, clock, signal: closing.signal })
			: new Map<string, ScanResult>();
		const { files, keep } = join(listed, known, read, beganMs);
		if (fresh.length || keep.size !== known.size) await save(keep);
		return files;
	};
	const begin = (): Promise<ModFile[]> => {
		if (closing.signal.aborted)
			return Promise.reject(new AppError('busy', 'The dashboard is being stopped.'));
		return (scanning = scan().finally(() => (scanning = null)));
	};
	const follow = () => {
		next = null;
		return scanning ?? begin();
	};
	/** Without the stored results the next start only takes longer. */
	const save = async (keep: Map<string, KnownFile>) => {
		const changed = keep.size !== known!.size || [...keep.keys()].some((key) => !known!.has(key));
		known = keep;
		if (!changed) return;
		await writeCache(cacheFile, keep).catch((cause) =>
			warn('The list of known mods could not be written', { cause })
		);
	};
	return {
		scan: () => (scanning ? (next ??= scanning.then(follow, follow)) : begin()),
		async close() {
			closing.abort();
			await Promise.allSettled([scanning, next]);
		}
	};
}

async function list(dir: string, warn: Deps['warn']): Promise<Listed[]> {
	const names = await readdir(dir).catch((cause) => {
		if (errno(cause) === 'ENOENT') return [];
		throw diskFailure('The folder mods/ cannot be read', cause);
	});
	const jars = names.filter((name) => NAME.test(name)).sort();
	if (jars.length > FILES_MAX)
		warn(`The folder mods holds ${jars.length} jars: only the first ${FILES_MAX} are looked at`);
	const listed = await Promise.all(
		jars.slice(0, FILES_MAX).map((name) => look(path.join(dir, name), name))
	);
	return listed.filter((file) => file !== null);
}

async function look(file: string, name: string): Promise<Listed | null> {
	const found = await lstat(file, { bigint: true }).catch((error) => {
		// A name that is not text cannot be looked up again; anything else is gone by now.
		if (errno(error) === 'ENOENT' && !name.includes('\ufffd')) return null;
		return undefined;
	});
	if (found === null) return null;
	if (!found?.isFile())
		return { name, size: 0, mtimeMs: Number(found?.mtimeMs ?? 0), identity: null };
	const { size, mtimeNs, ino } = found;
	return {
		name,
		size: Number(size),
		mtimeMs: Number(mtimeNs / 1000n) / 1000,
		identity: { size, mtimeNs, ino }
	};
}

function join(
	listed: Listed[],
	known: Map<string, KnownFile>,
	read: Map<string, ScanResult>,
	beganMs: number
) {
	const keep = new Map<string, KnownFile>();
	const files: ModFile[] = [];
	for (const { name, size, mtimeMs, identity } of listed) {
		const base = { fileName: name, enabled: !name.endsWith('.disabled'), size, mtimeMs };
		const broken = (problem: string, regular: boolean) =>
			files.push({ ...base, sha512: null, facts: { ok: false, problem }, regular });
		const result = read.get(name);
		const before = identity && known.get(cacheKey(name, identity));
		if (!identity) broken(NOT_A_FILE, false);
		else if (before) {
			keep.set(cacheKey(name, identity), before);
			files.push({ ...base, ...before, regular: true });
		} else if (result === undefined || result === 'failed') broken(TOO_HARD, true);
		else if (!result.found) continue;
		else if (!result.regular) broken(result.allowed ? NOT_A_FILE : NOT_READABLE, false);
		else if (!result.identity) broken(CHANGING, true);
		else {
			const { sha512, facts, identity: read } = result;
			if (Math.abs(beganMs - Number(read.mtimeNs / 1_000_000n)) > SETTLED_MS)
				keep.set(cacheKey(name, read), { sha512, facts });
			files.push({ ...base, size: Number(read.size), sha512, facts, regular: true });
		}
	}
	return { files, keep };
}
