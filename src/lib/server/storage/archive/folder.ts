import { lstatSync, readFileSync } from 'node:fs';
import { readdir, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { BackupId } from '#schemas/backup';
import { AppError, errno } from '#core/errors';
import {
	diskAdvice,
	diskTrouble,
	exists,
	onDisk,
	sweepTemps,
	syncDir,
	writeAtomic
} from '#core/files';
import { createSerial } from '#core/serial';
import { checkFolder, checkMarker } from './folder-checks.ts';
import { Sidecar } from './sidecar.ts';

export type { Sidecar } from './sidecar.ts';

/** One backup as the folder shows it: without a sidecar it was never finished, or is not readable by us. */
export type Stored =
	| { id: string; state: 'sealed'; sidecar: Sidecar }
	| { id: string; state: 'partial' | 'broken'; bytes: number; problem: string };

/** Archives and what is known about them, in BACKUP_DIR. Files without one of our names are left alone. */
export interface BackupFolder {
	readonly dir: string;
	/** Where an archive is written, and where it is in the end. */
	paths(id: string): { partial: string; spill: string; archive: string };
	/** Checks that archives can be put here; `AppError('conflict')` says why not. `sources`: what gets archived. */
	prepare(sources: string[]): Promise<{ freeBytes: number }>;
	/** Newest first. An empty list when there is no such folder yet. */
	list(): Promise<Stored[]>;
	/** Makes the archive a backup: renamed and described, on disk when it resolves. May be repeated. */
	seal(sidecar: Sidecar): Promise<void>;
	/** One at a time. Null when there is no such backup. */
	update(id: string, change: (sidecar: Sidecar) => Sidecar): Promise<Sidecar | null>;
	/** The description goes first: without it, it is not a backup. */
	remove(id: string): Promise<void>;
	/** Removes what was written of an archive that never became a backup. */
	discard(id: string): Promise<void>;
}

const ARCHIVE = /^(\d{8}T\d{6}Z-[0-9a-f]{4})\.(tar\.zst|json|partial|spill)$/;
const SIDECAR_MAX_BYTES = 1 << 20;
const AT_ONCE = 50;

type Deps = {
	dir: string;
	/** Remembers the marker of the folder used last. */
	memoryFile: string;
};

export function createBackupFolder({ dir, memoryFile }: Deps): BackupFolder {
	const cache = new Map<string, { mark: string; sidecar: Sidecar | null }>();
	const writing = createSerial();
	const at = (id: string, ending: string) => path.join(dir, `${BackupId.parse(id)}.${ending}`);
	const sidecarOf = (id: string) => at(id, 'json');

	/** Read synchronously: a thousand small files through the thread pool would cost four times as much. */
	function read(id: string): Sidecar | null {
		const stats = look(sidecarOf(id));
		if (!stats || stats.size > SIDECAR_MAX_BYTES) return null;
		const mark = `${stats.ino}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}`;
		const known = cache.get(id);
		if (known?.mark === mark) return known.sidecar;
		const text = textOf(sidecarOf(id));
		// One that cannot be read now is listed as such, beside the others, and tried again the next time.
		if (text === null) return null;
		const sidecar = parse(text, id);
		cache.set(id, { mark, sidecar });
		return sidecar;
	}

	function describe(id: string, endings: Set<string>): Stored | null {
		const archived = endings.has('tar.zst');
		const sidecar = endings.has('json') ? read(id) : null;
		if (sidecar && archived) return { id, state: 'sealed', sidecar };
		if (archived || endings.has('partial')) {
			const stats = look(at(id, archived ? 'tar.zst' : 'partial'));
			if (!stats) return null;
			const state = archived ? 'broken' : 'partial';
			const problem = archived ? NO_SIDECAR : 'It was never finished.';
			return { id, state, bytes: stats.size, problem };
		}
		if (!sidecar) return null;
		return { id, state: 'broken', bytes: 0, problem: 'Its archive is missing.' };
	}

	const write = (sidecar: Sidecar) =>
		onDisk('The backup’s description could not be written', () =>
			writeAtomic(sidecarOf(sidecar.id), `${JSON.stringify(Sidecar.parse(sidecar))}\n`)
		);

	return {
		dir,
		paths: (id) => ({
			partial: at(id, 'partial'),
			spill: at(id, 'spill'),
			archive: at(id, 'tar.zst')
		}),
		async prepare(sources) {
			await checkFolder(dir, sources);
			await checkMarker(dir, memoryFile);
			await sweepTemps(dir, new Date());
			const { bavail, bsize } = await statfs(dir);
			return { freeBytes: bavail * bsize };
		},
		async list() {
			const names = await readdir(dir).catch((error) => {
				if (errno(error) === 'ENOENT') return [];
				throw new AppError(
					'internal',
					`The folder with the backups, ${dir}, cannot be read: ${diskTrouble(error)}. ${diskAdvice(error) ?? ''}`.trim(),
					{ cause: error }
				);
			});
			const found = new Map<string, Set<string>>();
			for (const name of names) {
				const [, id, ending] = ARCHIVE.exec(name) ?? [];
				if (!id || !ending) continue;
				found.set(id, (found.get(id) ?? new Set()).add(ending));
			}
			for (const id of cache.keys()) if (!found.has(id)) cache.delete(id);
			const ids = [...found.keys()].sort().reverse();
			const stored: Stored[] = [];
			for (const [i, id] of ids.entries()) {
				if (i % AT_ONCE === AT_ONCE - 1) await turn(); // others have requests, too
				const one = describe(id, found.get(id)!);
				if (one) stored.push(one);
			}
			return stored;
		},
		async seal(sidecar) {
			const { partial, archive } = this.paths(sidecar.id);
			await onDisk('The archive could not be put in its place', async () => {
				await rename(partial, archive).catch(async (error) => {
					if (errno(error) !== 'ENOENT' || !(await exists(archive))) throw error;
				});
				await syncDir(dir);
			});
			await writing
				.run(() => write(sidecar))
				.catch(async (error) => {
					// Its last fsync may have failed: whoever is told of a failure must not find a backup.
					await rm(sidecarOf(sidecar.id), { force: true }).catch(() => {});
					throw error;
				});
		},
		update: (id, change) =>
			writing.run(async () => {
				const sidecar = read(id);
				if (!sidecar || !(await exists(at(id, 'tar.zst')))) return null;
				const changed = change(structuredClone(sidecar));
				await write(changed);
				return changed;
			}),
		remove: (id) =>
			writing.run(async () => {
				for (const ending of ['json', 'tar.zst', 'partial', 'spill'])
					await onDisk('The backup could not be deleted', () =>
						rm(at(id, ending), { force: true })
					);
				await syncDir(dir);
			}),
		discard: (id) =>
			writing.run(async () => {
				const unfinished = !(await exists(sidecarOf(id)));
				for (const ending of unfinished ? ['partial', 'spill', 'tar.zst'] : ['partial', 'spill'])
					await rm(at(id, ending), { force: true });
			})
	};
}

const NO_SIDECAR = 'Its description is missing or damaged.';

/** For a regular file, never the target of a link. */
function look(file: string) {
	try {
		const stats = lstatSync(file);
		return stats.isFile() ? stats : null;
	} catch {
		return null;
	}
}

function textOf(file: string): string | null {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return null;
	}
}

function parse(text: string, id: string): Sidecar | null {
	try {
		const sidecar = Sidecar.parse(JSON.parse(text));
		return sidecar.id === id ? sidecar : null;
	} catch {
		return null;
	}
}
