import type { BigIntStats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { errno } from '#core/errors';
import { bytesOf, nameOf, placeOf, ROOTS, STAGING, type Name } from './names.ts';
import { eachOf, fingerprint, naming } from './read.ts';

const LANES = 16;
/** What a restored file must not bring back: permission to run as another user. */
const FILE_MODE = 0o1777;
const DIR_MODE = 0o7777;

type Owned = { name: Name; uid: number; gid: number };
export type FoundDir = Owned & { kind: 'dir'; mode: number };
export type FoundFile = Owned & {
	kind: 'file';
	mode: number;
	size: number;
	mtimeMs: number;
	/** How it is recognised without reading it; null when it is too fresh. */
	seen: string | null;
};
/** `target` has one character per byte, as names have. */
export type FoundLink = Owned & { kind: 'link'; target: string };
/** Not looked into: a FIFO, socket or device, or (`apart`) something that is not configuration. */
export type FoundOther = { name: Name; kind: 'left'; why: string; apart: boolean };
export type Found = FoundDir | FoundFile | FoundLink | FoundOther;

export type Tree = {
	/** Parents before their content. */
	entries: Map<Name, Found>;
	/** Folders of ours that a killed process left in a root. */
	staging: Name[];
};

/** What is under the covered roots right now. `apart`: names that are not looked into. Links are never followed. */
export async function walk(serverDir: string, apart: ReadonlySet<Name>): Promise<Tree> {
	const tree: Tree = { entries: new Map(), staging: [] };
	let level: Name[] = [...ROOTS];
	while (level.length > 0) {
		const found = await eachOf(level, LANES, (name) => look(serverDir, name, apart));
		const dirs: Name[] = [];
		for (const one of found) {
			if (!one) continue;
			tree.entries.set(one.name, one);
			if (one.kind === 'dir') dirs.push(one.name);
		}
		const inside = await eachOf(dirs, LANES, (dir) => namesIn(serverDir, dir));
		level = inside.flat().filter((name) => {
			const [root, base, ...deeper] = name.split('/');
			const ours = ROOTS.includes(root!) && deeper.length === 0 && STAGING.test(base!);
			if (ours) tree.staging.push(name);
			return !ours;
		});
	}
	return tree;
}

const namesIn = (serverDir: string, dir: Name) =>
	naming(dir, async () => {
		const names = await readdir(placeOf(serverDir, dir), { encoding: 'buffer' }).catch(ifThere);
		return (names ?? []).map((base) => `${dir}/${nameOf(base)}`).sort();
	});

/** Null when it is gone. */
const look = (serverDir: string, name: Name, apart: ReadonlySet<Name>) =>
	naming(name, async (): Promise<Found | null> => {
		if (apart.has(name))
			return { kind: 'left', name, why: 'it does not belong to the mods', apart: true };
		const stats = await lstat(placeOf(serverDir, name), { bigint: true }).catch(ifThere);
		if (!stats) return null;
		if (stats.isSymbolicLink()) {
			const target = await readlink(placeOf(serverDir, name), 'buffer').catch(ifThere);
			return target && { kind: 'link', ...owned(name, stats), target: nameOf(target) };
		}
		return found(name, stats);
	});

/** What a name stands for that is not a link. */
export function found(name: Name, stats: BigIntStats): Exclude<Found, FoundLink> {
	const mode = Number(stats.mode);
	if (stats.isDirectory()) return { kind: 'dir', ...owned(name, stats), mode: mode & DIR_MODE };
	if (!stats.isFile())
		return { kind: 'left', name, why: 'it is not a file, folder or link', apart: false };
	return {
		kind: 'file',
		...owned(name, stats),
		mode: mode & FILE_MODE,
		size: Number(stats.size),
		mtimeMs: Number(stats.mtimeNs / 1000n) / 1000,
		seen: fingerprint(stats)
	};
}

const owned = (name: Name, { uid, gid }: BigIntStats): Owned => ({
	name,
	uid: Number(uid),
	gid: Number(gid)
});

function ifThere(error: unknown): null {
	if (['ENOENT', 'ENOTDIR', 'EINVAL'].includes(errno(error) ?? '')) return null;
	throw error;
}

/** A link's text in the form the disk needs. */
export const targetOf = ({ target }: { target: string }) => bytesOf(target);
