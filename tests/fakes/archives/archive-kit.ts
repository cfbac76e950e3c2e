import { createHash } from 'node:crypto';
import {
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { create } from '../../../src/lib/server/storage/archive/create.ts';
import type { Created, Root, Selection } from '#storage/archive';
import { readBack } from '../../../src/lib/server/storage/archive/read.ts';

export const WORLD: Root[] = [{ path: 'world', world: 'world', skip: ['session.lock'] }];

export const FACTS = {
	...{ id: '20260102T030405Z-1a2b', createdAt: '2026-01-02T03:04:05.000Z' },
	...{ gameVersion: '1.21.1', worlds: ['world'], withMods: false }
};

export function tempDir() {
	const dir = mkdtempSync(path.join(tmpdir(), 'craftwarden-archive-'));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	return dir;
}

/** A server's folder with an empty world, and a place for archives beside it. */
export function setUp() {
	const home = tempDir();
	const serverDir = path.join(home, 'server');
	mkdirSync(path.join(serverDir, 'world'), { recursive: true });
	const archive = path.join(home, 'a.tar.zst');
	const pack = (roots = WORLD, never: string[] = []) => {
		rmSync(archive, { force: true });
		const job = { kind: 'create', serverDir, roots, never, out: archive } as const;
		return create({ ...job, spill: `${archive}.spill`, facts: FACTS }, () => {});
	};
	let count = 0;
	const unpack = async (made: Created, select: Selection = { all: true }) => {
		const dir = path.join(home, `restored-${++count}`);
		const { unpacked } = await readBack(
			{
				kind: 'read',
				file: archive,
				expected: expectedOf(made),
				into: { dir, select, owner: null }
			},
			() => {}
		);
		return { dir, unpacked };
	};
	return { home, serverDir, world: path.join(serverDir, 'world'), archive, pack, unpack };
}

export const expectedOf = ({ archiveBytes: bytes, manifestSha256, totals }: Created) => ({
	...{ bytes, manifestSha256, totals }
});

/** `mtime` in microseconds: finer than that Node cannot set it. */
type Look = { type: string; mode: number; content: string; mtime: number };

/** All that a tree is, by byte name. */
export function look(dir: string): Map<string, Look> {
	const found = new Map<string, Look>();
	const enter = (at: Buffer, name: string) => {
		const stats = lstatSync(at, { bigint: true });
		const type = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file';
		const content =
			type === 'file'
				? createHash('sha256').update(readFileSync(at)).digest('hex')
				: type === 'link'
					? readlinkSync(at, { encoding: 'buffer' }).toString('latin1')
					: '';
		const mtime = Number(stats.mtimeNs / 1000n);
		found.set(name, {
			type,
			mode: type === 'link' ? 0 : Number(stats.mode) & 0o7777,
			content,
			mtime
		});
		if (type !== 'folder') return;
		for (const child of readdirSync(at, { encoding: 'buffer' }))
			enter(Buffer.concat([at, Buffer.from('/'), child]), `${name}/${child.toString('latin1')}`);
	};
	enter(Buffer.from(dir), '');
	return found;
}
