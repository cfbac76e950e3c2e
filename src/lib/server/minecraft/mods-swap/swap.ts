import { mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { AppError, errno } from '#core/errors';
import { onDisk, openRegular, syncDir } from '#core/files';
import { refusalOf, type Swap } from './check.ts';

/**
 * Exchanges files in `mods/`. Every action first checks what is already there, so that an interrupted one can be
 * repeated. `AppError('conflict')` when a file is not what was planned, `AppError('internal')` when the disk fails.
 */
export interface ModsSwap {
	/** Why these names cannot be touched, in a sentence; null when they can. */
	refusal(swap: Swap): Promise<string | null>;
	/** Copies incoming files next to their place, under hidden names that no loader reads; on disk when it resolves. */
	prepare(swap: Swap): Promise<void>;
	/** Only while the server is stopped, and after `prepare`. */
	exchange(swap: Swap): Promise<void>;
	/** Removes what `prepare` left. */
	tidy(): Promise<void>;
}

const TEMP = /^\.craftwarden-[0-9a-f]{32}\.tmp$/;
/** The game may run as another user of the same group. */
const JAR_MODE = 0o644;
const BLOCK_BYTES = 1 << 20;

export function createModsSwap({ dir }: { dir: string }): ModsSwap {
	const at = (name: string) => path.join(dir, name);
	const tempOf = ({ fileName, sha512 }: Swap['put'][number]) =>
		at(`.craftwarden-${sha256(`${fileName}\0${sha512}`).slice(0, 32)}.tmp`);
	const hashAt = (name: string) => hashOf(at(name));

	async function prepare({ put }: Swap) {
		await mkdir(dir, { recursive: true });
		for (const one of put) {
			if ((await hashAt(one.fileName)) === one.sha512) continue;
			if ((await hashOf(tempOf(one))) === one.sha512) continue;
			await rm(tempOf(one), { force: true });
			await copyChecked(one, tempOf(one));
		}
		await syncDir(dir);
	}

	/**
	 * Old ones are removed first: where names differ only by case, a disk may take them for one. They are in the
	 * snapshot.
	 */
	async function exchange(swap: Swap) {
		const { put, take } = swap;
		for (const { fileName, sha512 } of take)
			if (!(await isReplaced(fileName, swap))) await remove(fileName, sha512);
		for (const one of swap.rename) await move(one);
		for (const one of put) {
			const { fileName, sha512 } = one;
			if ((await hashAt(fileName)) === sha512) continue;
			const old = take.find((one) => one.fileName === fileName);
			await mustBe(fileName, old?.sha512 ?? null);
			await rename(tempOf(one), at(fileName));
		}
		await tidy();
		await syncDir(dir);
	}

	/** Something else stands, or will stand, under the name of a removed file. */
	async function isReplaced(name: string, { put, rename: renames }: Swap) {
		if (put.some(({ fileName }) => fileName === name)) return true;
		const moved = renames.find(({ to }) => to === name);
		return moved !== undefined && !(await exists(moved.from));
	}

	async function remove(name: string, sha512: string) {
		if (!(await exists(name))) return;
		await mustBe(name, sha512);
		await unlink(at(name));
	}

	async function move({ from, to, sha512 }: Swap['rename'][number]) {
		if (!(await exists(from))) return mustBe(to, sha512);
		await mustBe(from, sha512);
		if (await exists(to)) throw changed(to);
		await rename(at(from), at(to));
	}

	/** From the folder's own list: a disk that ignores case would find another name's file. */
	const exists = async (name: string) => (await readdir(dir)).includes(name);

	/** Null: the file must not exist. */
	async function mustBe(name: string, sha512: string | null) {
		const found = (await exists(name)) ? ((await hashAt(name)) ?? 'no file') : null;
		if (found !== sha512) throw changed(name);
	}

	async function tidy() {
		const names = await readdir(dir).catch((error) => {
			if (errno(error) === 'ENOENT') return [];
			throw error;
		});
		for (const name of names) if (TEMP.test(name)) await unlink(at(name));
	}

	return {
		refusal: (swap) => refusalOf(dir, swap),
		prepare: (swap) =>
			onDisk('The new files could not be put beside the old ones', () => prepare(swap)),
		exchange: (swap) => onDisk('The files could not be exchanged', () => exchange(swap)),
		tidy: () => onDisk('Temporary files could not be removed', tidy)
	};
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const changed = (name: string) =>
	new AppError(
		'conflict',
		`mods/${name} is not the file that was planned for: somebody changed it in the meantime.`,
		{ code: 'plan-changed' }
	);

/** Null when there is not a regular file. */
async function hashOf(file: string): Promise<string | null> {
	const handle = await openRegular(file);
	if (!handle) return null;
	try {
		const hash = createHash('sha512');
		const block = Buffer.alloc(BLOCK_BYTES);
		for (;;) {
			const { bytesRead } = await handle.read(block, 0, block.length, null);
			if (bytesRead === 0) return hash.digest('hex');
			hash.update(block.subarray(0, bytesRead));
		}
	} finally {
		await handle.close();
	}
}

/** Copies the bytes, never links: the folders may lie on different disks. */
async function copyChecked({ fileName, from, sha512 }: Swap['put'][number], to: string) {
	const source = await openRegular(from);
	if (!source) throw gone(fileName);
	try {
		const target = await open(to, 'wx', JAR_MODE);
		try {
			const hash = createHash('sha512');
			const block = Buffer.alloc(BLOCK_BYTES);
			for (;;) {
				const { bytesRead } = await source.read(block, 0, block.length, null);
				if (bytesRead === 0) break;
				hash.update(block.subarray(0, bytesRead));
				await target.writeFile(block.subarray(0, bytesRead));
			}
			if (hash.digest('hex') !== sha512) throw gone(fileName);
			await target.sync();
		} finally {
			await target.close();
		}
	} catch (error) {
		// The failure that led here is the one to report; leftovers are removed by the next run.
		await rm(to, { force: true }).catch(() => {});
		throw error;
	} finally {
		await source.close();
	}
}

const gone = (name: string) =>
	new AppError('conflict', `The download of ${name} is gone or damaged. Try again.`);
