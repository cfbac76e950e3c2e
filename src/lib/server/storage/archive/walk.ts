import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readdirSync,
	readlinkSync,
	type BigIntStats
} from 'node:fs';
import { errno } from '#core/errors';
import {
	asText,
	fromBytes,
	fromText,
	isSafePath,
	shown,
	staysInside,
	toBytes,
	walkKey
} from './bytes.ts';
import type { Root } from './jobs.ts';

/** A path below the server's folder, and an address that leads to it through no link. */
export type Found = {
	/** Byte string, relative to the server's folder. */
	path: string;
	at: Buffer;
	stats: BigIntStats;
	type: 'file' | 'folder' | 'link';
	target: string;
	world: string | null;
};
export type Visit = (found: Found) => Promise<void> | void;

const DEPTH_MAX = 128;

type Walk = {
	serverDir: string;
	roots: Root[];
	/** Folders that are never entered, wherever they are. */
	never: string[];
	warn: (sentence: string) => void;
	visit: Visit;
};

/**
 * Walks the roots in the order of an archive, each folder before its content. Folders are opened without following
 * links and their content is accessed through the open folder, so that nobody can redirect it.
 */
export async function walk({ serverDir, roots, never, warn, visit }: Walk): Promise<void> {
	const closed = new Set(never.flatMap((dir) => idOf(dir) ?? []));
	const told = new Set<string>();
	const sorted = [...roots].sort((a, b) =>
		walkKey(fromText(a.path)) < walkKey(fromText(b.path)) ? -1 : 1
	);
	// The only place where a link is followed: it is the person's own choice.
	const top = openSync(serverDir, constants.O_RDONLY | constants.O_DIRECTORY);
	try {
		for (const root of sorted) await enter(root);
	} finally {
		closeSync(top);
	}

	async function enter(root: Root) {
		const parts = fromText(root.path).split('/');
		const fds: number[] = [];
		try {
			for (const [i, part] of parts.entries()) {
				const path = parts.slice(0, i + 1).join('/');
				const parent = fds.at(-1) ?? top;
				if (i === parts.length - 1) return await look(root, parent, path, part, 0);
				// The folders above a world: only the folders themselves.
				const at = child(parent, part);
				if (!told.has(path)) await visit(folder(path, at, root.world));
				told.add(path);
				fds.push(openFolder(at));
			}
		} catch (error) {
			gone(error, parts.join('/'));
		} finally {
			fds.forEach((fd) => closeSync(fd));
		}
	}

	async function look(root: Root, parent: number, path: string, name: string, depth: number) {
		const at = child(parent, name);
		let stats: BigIntStats;
		try {
			stats = lstatSync(at, { bigint: true });
		} catch (error) {
			return gone(error, path);
		}
		if (!isSafePath(path)) return warn(`${shown(path)} was left out: its path is too long.`);
		const found = { path, at, stats, target: '', world: root.world };
		if (stats.isFile()) return visit({ ...found, type: 'file' });
		if (stats.isDirectory()) return descend(root, { ...found, type: 'folder' }, depth);
		if (!stats.isSymbolicLink())
			return warn(`${shown(path)} was left out: it is neither a file nor a folder.`);
		const target = readLink(at);
		if (target === null) return gone(null, path);
		if (staysInside(path, target)) return visit({ ...found, type: 'link', target });
		warn(`${shown(path)} was left out: it is a link that leads elsewhere (${shown(target)}).`);
	}

	async function descend(root: Root, found: Found, depth: number) {
		if (closed.has(`${found.stats.dev}:${found.stats.ino}`))
			return warn(`${shown(found.path)} was left out: it belongs to Craftwarden.`);
		if (depth > DEPTH_MAX) return warn(`${shown(found.path)} was left out: it lies too deep.`);
		let fd: number;
		let names: string[];
		try {
			fd = openFolder(found.at);
		} catch (error) {
			return gone(error, found.path);
		}
		try {
			await visit(found);
			names = readdirSync(inside(fd), { encoding: 'buffer' }).map(fromBytes).sort();
			for (const name of names) {
				const text = asText(name);
				if (depth === 0 && text !== null && root.skip?.includes(text)) continue;
				await look(root, fd, `${found.path}/${name}`, name, depth + 1);
			}
		} catch (error) {
			gone(error, found.path);
		} finally {
			closeSync(fd);
		}
	}

	/** Files that vanish or may not be read are reported; real failures are thrown. */
	function gone(error: unknown, path: string) {
		const code = errno(error);
		if (error === null || ['ENOENT', 'ENOTDIR', 'ELOOP', 'ESTALE'].includes(code ?? ''))
			return warn(`${shown(path)} vanished before it could be read.`);
		if (code === 'EACCES' || code === 'EPERM')
			return warn(`${shown(path)} was left out: permission was denied.`);
		throw error;
	}
}

const folder = (path: string, at: Buffer, world: string | null): Found => ({
	...{ path, at, world, type: 'folder', target: '' },
	stats: lstatSync(at, { bigint: true })
});

const openFolder = (at: Buffer) =>
	openSync(at, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
const inside = (fd: number) => Buffer.from(`/proc/self/fd/${fd}`);
const child = (fd: number, name: string) =>
	Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), toBytes(name)]);

function readLink(at: Buffer): string | null {
	try {
		return fromBytes(readlinkSync(at, { encoding: 'buffer' }));
	} catch (error) {
		if (errno(error) === 'ENOENT' || errno(error) === 'EINVAL') return null;
		throw error;
	}
}

function idOf(dir: string): string | null {
	try {
		const fd = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY);
		const { dev, ino } = fstatSync(fd, { bigint: true });
		closeSync(fd);
		return `${dev}:${ino}`;
	} catch {
		return null; // then it cannot be in the way either
	}
}
