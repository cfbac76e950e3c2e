import {
	closeSync,
	fchmodSync,
	fchownSync,
	ftruncateSync,
	futimesSync,
	lchownSync,
	lutimesSync,
	mkdirSync,
	openSync,
	symlinkSync,
	writeSync,
	chmodSync,
	utimesSync
} from 'node:fs';
import { PRIVATE_DIR, PRIVATE_FILE } from '#core/files';
import { fromText, toBytes } from './bytes.ts';
import type { ReadJob, Selection } from './jobs.ts';
import type { Entry } from './tar.ts';

/** Writes entries into a new folder of our own; the reader has checked their names and their order. */
export type Unpacker = {
	/** Null when it was not requested. */
	begin(entry: Entry): { write(part: Buffer): void; end(): void } | null;
	/** How many files were written. */
	end(): number;
	close(): void;
};

/** At least this many zeros become a hole in the file. */
const HOLE_MIN = 4096;
/** Data arrives in larger portions than the size of a hole. */
const STEP = 128 * 1024;
const ZEROS = Buffer.alloc(STEP);

export function openUnpacker({ dir, select, owner }: NonNullable<ReadJob['into']>): Unpacker {
	const wanted = matcher(select);
	const at = (path: string) => Buffer.concat([Buffer.from(`${dir}/`), toBytes(path)]);
	const seen: Entry[] = [];
	const made = new Set<string>();
	let files = 0;
	let open: number | null = null;
	mkdirSync(dir, { mode: PRIVATE_DIR });

	/** A folder's own permissions and time come last: until then we write in it. */
	const settle = (folder: Entry) => {
		if (!made.delete(folder.path)) return;
		const place = at(folder.path);
		chmodSync(place, folder.mode);
		utimesSync(place, seconds(folder), seconds(folder));
	};
	const leave = (path: string) => {
		while (seen.length > 0 && !path.startsWith(`${seen.at(-1)!.path}/`)) settle(seen.pop()!);
	};
	/** The parent folders, each once, though only one file in them may be requested. */
	const makeFolders = () => {
		for (const folder of seen) {
			if (made.has(folder.path)) continue;
			mkdirSync(at(folder.path), { mode: PRIVATE_DIR });
			if (owner) lchownSync(at(folder.path), owner.uid, owner.gid);
			made.add(folder.path);
		}
	};

	return {
		begin(entry) {
			leave(entry.path);
			if (entry.type === 'folder') seen.push(entry);
			if (!wanted(entry)) return null;
			makeFolders();
			if (entry.type === 'file') {
				files++;
				const file = openFile(at(entry.path), entry, owner);
				open = file.fd;
				return {
					write: file.write,
					end() {
						file.end();
						open = null;
					}
				};
			}
			if (entry.type === 'link') {
				symlinkSync(toBytes(entry.target), at(entry.path));
				if (owner) lchownSync(at(entry.path), owner.uid, owner.gid);
				lutimesSync(at(entry.path), seconds(entry), seconds(entry));
			}
			return null;
		},
		end() {
			leave('');
			return files;
		},
		close() {
			if (open !== null) closeSync(open);
		}
	};
}

const seconds = ({ mtimeNs }: Entry) => Number(mtimeNs / 1000n) / 1e6;

function openFile(place: Buffer, entry: Entry, owner: { uid: number; gid: number } | null) {
	const fd = openSync(place, 'wx', PRIVATE_FILE);
	let position = 0;
	return {
		fd,
		write(whole: Buffer) {
			for (let at = 0; at < whole.length; at += STEP) {
				const part = whole.subarray(at, at + STEP);
				const hole = part.length >= HOLE_MIN && part.equals(ZEROS.subarray(0, part.length));
				if (!hole)
					for (let from = 0; from < part.length;)
						from += writeSync(fd, part, from, part.length - from, position + from);
				position += part.length;
			}
		},
		end() {
			ftruncateSync(fd, entry.size);
			if (owner) fchownSync(fd, owner.uid, owner.gid);
			fchmodSync(fd, entry.mode);
			futimesSync(fd, seconds(entry), seconds(entry));
			closeSync(fd);
		}
	};
}

function matcher(select: Selection): (entry: Entry) => boolean {
	if ('all' in select) return () => true;
	if ('below' in select) {
		const paths = select.below.map(fromText);
		return ({ path }) => paths.some((one) => path === one || path.startsWith(`${one}/`));
	}
	const folders = new Set(select.folders.map(fromText));
	const prefixes = select.prefixes.map(fromText);
	return ({ path, type }) => {
		const cut = path.lastIndexOf('/');
		const name = path.slice(cut + 1);
		return (
			type === 'file' &&
			folders.has(path.slice(0, cut)) &&
			prefixes.some((one) => name.startsWith(one))
		);
	};
}
