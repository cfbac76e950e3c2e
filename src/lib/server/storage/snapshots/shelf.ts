import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import {
	diskTrouble,
	openRegular,
	PRIVATE_FILE,
	sweepTemps,
	syncDir,
	writeAtomic
} from '#core/files';
import { decode, type Manifest } from './manifest.ts';

const FILE = /^(\d{8}T\d{6}Z-[0-9a-f]{4})\.json$/;
const MANIFEST_MAX_BYTES = 128 * 1024 * 1024;

export type Readable = { id: string; text: string; manifest: Manifest };
/** `problem` ends the sentence 'Its list of files …'. */
export type Unreadable = { id: string; problem: string; cause?: unknown };

/** The manifests, one file each. */
export type Shelf = {
	/** Newest first, by the second. */
	ids(): Promise<string[]>;
	/** Changes when a manifest is added, removed or replaced. */
	stamp(): Promise<string>;
	/** Null when there is none. */
	load(id: string): Promise<Readable | Unreadable | null>;
	/** `AppError` 'not-found', or 'conflict' when it cannot be used. */
	get(id: string): Promise<Readable>;
	/** On disk when it resolves; when it rejects, what was there `before` is there. */
	put(id: string, text: string, before?: string | null): Promise<void>;
	remove(id: string): Promise<void>;
	/** Removes temp files of dead writers. */
	sweep(now: Date): Promise<void>;
};

export function createShelf(dir: string): Shelf {
	const fileOf = (id: string) => path.join(dir, `${id}.json`);
	const ids = async () => {
		const names = await readdir(dir).catch((error) => {
			if (errno(error) === 'ENOENT') return [];
			throw error;
		});
		return names
			.flatMap((name) => FILE.exec(name)?.[1] ?? [])
			.toSorted()
			.toReversed();
	};
	const load = async (id: string): Promise<Readable | Unreadable | null> => {
		if (!FILE.test(`${id}.json`)) return null;
		try {
			return await read(fileOf(id), id);
		} catch (cause) {
			if (errno(cause) === null) throw cause;
			return { id, problem: `cannot be read: ${diskTrouble(cause)}`, cause };
		}
	};
	return {
		ids,
		async stamp() {
			const stamps = (await ids()).map(async (id) => `${id} ${await stampOf(fileOf(id))}`);
			return (await Promise.all(stamps)).join('\n');
		},
		load,
		async get(id) {
			const found = await load(id);
			if (!found) throw new AppError('not-found', 'There is no such snapshot.');
			if ('manifest' in found) return found;
			throw new AppError('conflict', `The snapshot’s list of files ${found.problem}.`, {
				code: 'snapshot-damaged',
				cause: found.cause
			});
		},
		async put(id, text, before = null) {
			let replaced = false;
			try {
				await writeAtomic(fileOf(id), text, PRIVATE_FILE, { onReplaced: () => (replaced = true) });
			} catch (error) {
				// Whoever is told that it failed must not find it done later.
				if (replaced) await takeBack(fileOf(id), before).catch(() => {});
				throw error;
			}
		},
		async remove(id) {
			await rm(fileOf(id), { force: true });
			await syncDir(dir);
		},
		sweep: (now) => sweepTemps(dir, now)
	};
}

const takeBack = (file: string, before: string | null) =>
	before === null ? rm(file, { force: true }) : writeAtomic(file, before);

async function read(file: string, id: string): Promise<Readable | Unreadable | null> {
	const handle = await openRegular(file);
	if (!handle) return (await lstat(file).catch(() => null)) && { id, problem: 'is not a file' };
	try {
		if ((await handle.stat()).size > MANIFEST_MAX_BYTES) return { id, problem: 'is far too large' };
		const text = await handle.readFile('utf8');
		const manifest = await decode(text, id);
		return typeof manifest === 'string' ? { id, problem: manifest } : { id, text, manifest };
	} finally {
		await handle.close();
	}
}

async function stampOf(file: string) {
	const stats = await lstat(file, { bigint: true }).catch(() => null);
	return stats && `${stats.mtimeNs} ${stats.ctimeNs} ${stats.size} ${stats.ino}`;
}

/** `20260102T030405Z-` and four digits. */
export const idAt = (at: Date, digits: string) =>
	`${at.toISOString().replace(/[-:]|\.\d+/g, '')}-${digits}`;
