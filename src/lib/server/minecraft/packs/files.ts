import { createHash } from 'node:crypto';
import { open, readdir, readlink, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import { openRegular } from '#core/files';
import { fileSource, openZip, type NoZip, type Unreadable, type ZipListed } from '#minecraft/zip';
import { leaves, oddPath, quoted, twinsAmong } from './paths.ts';

export type PackFile = {
	/** Plain and relative, with slashes. */
	path: string;
	size: number;
};
export type LeftOut = { fileName: string; why: string };

/** The files of a pack, in an archive or in a folder; links and odd names are left out already. */
export interface PackFiles {
	readonly files: PackFile[];
	readonly leftOut: LeftOut[];
	/** Null when it is not there, or larger. */
	read(path: string, maxBytes: number): Promise<Buffer | null>;
	/** Writes a copy that is whole, and answers its SHA-512. `to` must not exist. `AppError('invalid')`. */
	copy(path: string, to: string, signal: AbortSignal): Promise<string>;
	close(): Promise<void>;
}

/** As many as a server may have. */
const FILES_MAX = 40_000;
/** Of an archive, unpacked. */
const UNPACKED_MAX_BYTES = 16 * 2 ** 30;
const FILE_MODE = 0o644;
const CHUNK_BYTES = 1 << 20;

const NO_ZIP: Record<NoZip, string> = {
	empty: 'The file is empty.',
	'not-a-zip': 'The file is no zip archive.',
	truncated: 'The archive is cut off: it was not copied or downloaded to its end.',
	zip64:
		'The archive uses the format for more than 4 GB or 65,535 files (zip64). Unpack it on this machine, and import the folder.'
};
const BROKEN: Record<Unreadable, string> = {
	'too-large': 'is larger than it says',
	encrypted: 'is encrypted',
	damaged: 'is damaged'
};

/** `AppError('invalid')`: no archive, or one that means harm. */
export async function zipFiles(file: string): Promise<PackFiles> {
	const handle = await openRegular(file);
	if (!handle)
		throw new AppError('not-found', 'The archive is not there any more. Choose it again.');
	try {
		const zip = await openZip(await fileSource(handle));
		if (typeof zip === 'string') throw new AppError('invalid', NO_ZIP[zip]);
		const { kept, leftOut } = sorted(zip.list());
		const damaged = (name: string, why: Unreadable) =>
			new AppError('invalid', `${quoted(name)} in the archive ${BROKEN[why]}.`);
		return {
			files: [...kept.values()].map(({ name, size }) => ({ path: name, size })),
			leftOut,
			async read(name, maxBytes) {
				const entry = kept.get(name);
				if (!entry || entry.size > maxBytes) return null;
				const parts: Buffer[] = [];
				const why = await zip.extract(entry, async (chunk) => void parts.push(chunk));
				if (why) throw damaged(name, why);
				return Buffer.concat(parts);
			},
			async copy(name, to, signal) {
				const entry = kept.get(name);
				if (!entry) throw changed(name);
				return written(to, async (write) => {
					const why = await zip.extract(entry, async (chunk) => {
						signal.throwIfAborted();
						await write(chunk);
					});
					if (why) throw damaged(name, why);
				});
			},
			close: () => handle.close()
		};
	} catch (error) {
		await handle.close();
		throw error;
	}
}

/** What can be taken, by path. Whatever leads out of its folder condemns the whole archive. */
function sorted(entries: ZipListed[]) {
	const kept = new Map<string, ZipListed>();
	const leftOut: LeftOut[] = [];
	if (entries.length > FILES_MAX)
		throw new AppError('invalid', `The archive holds more than ${FILES_MAX} files.`);
	let bytes = 0;
	const names: string[] = [];
	for (const entry of entries) {
		const { name } = entry;
		const harm = leaves(name);
		if (harm)
			throw new AppError('invalid', `The archive is not taken: of ${quoted(name)} in it, ${harm}.`);
		if (entry.folder && !entry.special) continue;
		bytes += entry.size;
		const why = entry.special ? 'It is a link, not a file.' : oddPath(name);
		if (why) leftOut.push({ fileName: quoted(name).slice(1, -1), why });
		else {
			kept.set(name, entry);
			names.push(name);
		}
	}
	const twins = twinsAmong(names);
	if (twins)
		throw new AppError(
			'invalid',
			`The archive is not taken: ${quoted(twins[0])} and ${quoted(twins[1])} in it are one file, or one lies in the other.`
		);
	if (bytes > UNPACKED_MAX_BYTES)
		throw new AppError('invalid', 'The archive would unpack to more than 16 GB.');
	return { kept, leftOut };
}

/** A folder of this machine. Nothing is followed that leads out of it. */
export async function folderFiles(dir: string): Promise<PackFiles> {
	const root = await realpath(dir);
	const files: PackFile[] = [];
	const leftOut: LeftOut[] = [];
	await visit('');

	async function visit(relative: string): Promise<void> {
		const entries = await readdir(path.join(root, relative), { withFileTypes: true }).catch(
			(error) => {
				if (errno(error) === 'ENOENT') return [];
				leftOut.push({ fileName: `${relative}/`, why: 'It cannot be read.' });
				return [];
			}
		);
		for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
			const name = relative ? `${relative}/${entry.name}` : entry.name;
			const isFile = entry.isFile();
			const why = isFile || entry.isDirectory() ? oddPath(name) : 'It is a link or no plain file.';
			if (files.length > FILES_MAX)
				throw new AppError('invalid', `The folder holds more than ${FILES_MAX} files.`);
			if (why) leftOut.push({ fileName: quoted(name).slice(1, -1), why });
			else if (isFile) files.push({ path: name, size: (await sizeOf(name)) ?? 0 });
			else await visit(name);
		}
	}

	async function sizeOf(name: string): Promise<number | null> {
		return opened(name, async (handle) => (await handle.stat()).size);
	}

	/** Null when it is gone, is no plain file, or lies elsewhere by now. */
	async function opened<T>(name: string, use: (handle: FileHandle) => Promise<T>) {
		const handle = await openRegular(path.join(root, name)).catch(() => null);
		if (!handle) return null;
		try {
			const real = await readlink(`/proc/self/fd/${handle.fd}`);
			return real.startsWith(`${root}/`) ? await use(handle) : null;
		} finally {
			await handle.close();
		}
	}

	return {
		files,
		leftOut,
		read: (name, maxBytes) =>
			opened(name, async (handle) =>
				(await handle.stat()).size > maxBytes ? null : handle.readFile()
			),
		async copy(name, to, signal) {
			const sum = await opened(name, (handle) =>
				written(to, async (write) => {
					const buffer = Buffer.alloc(CHUNK_BYTES);
					for (let at = 0; ;) {
						signal.throwIfAborted();
						const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
						if (bytesRead === 0) return;
						await write(buffer.subarray(0, bytesRead));
						at += bytesRead;
					}
				})
			);
			if (sum === null) throw changed(name);
			return sum;
		},
		close: async () => {}
	};
}

async function written(
	to: string,
	fill: (write: (chunk: Buffer) => Promise<void>) => Promise<void>
) {
	const hash = createHash('sha512');
	const handle = await open(to, 'wx', FILE_MODE);
	try {
		await fill(async (chunk) => {
			hash.update(chunk);
			await handle.writeFile(chunk);
		});
	} finally {
		await handle.close();
	}
	return hash.digest('hex');
}

const changed = (name: string) =>
	new AppError(
		'conflict',
		`${quoted(name)} has changed since it was looked at. Plan the import again.`,
		{
			code: 'plan-changed'
		}
	);

/** Those below one folder, which becomes their top. */
export function within(all: PackFiles, top: string): PackFiles {
	if (top === '') return all;
	const prefix = `${top}/`;
	const below = <T extends { path: string }>(one: T) =>
		one.path.startsWith(prefix) ? [{ ...one, path: one.path.slice(prefix.length) }] : [];
	return {
		files: all.files.flatMap(below),
		leftOut: all.leftOut,
		read: (name, maxBytes) => all.read(prefix + name, maxBytes),
		copy: (name, to, signal) => all.copy(prefix + name, to, signal),
		close: () => all.close()
	};
}
