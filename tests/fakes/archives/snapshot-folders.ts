import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock, type Clock } from '#core/clock';
import { createLock } from '#core/lock';
import { createSnapshotStore } from '#storage/snapshots';

/** A store on real folders: `server` and `snapshots` in `dir`. */
export function openStore(dir: string, facts: { clock?: Clock; apart?: string[] } = {}) {
	const { clock = systemClock, apart = [] } = facts;
	const [serverDir, snapshotDir] = [path.join(dir, 'server'), path.join(dir, 'snapshots')];
	const warnings: string[] = [];
	const store = createSnapshotStore({
		serverDir,
		dir: snapshotDir,
		lock: createLock(path.join(snapshotDir, 'store.lock'), clock),
		clock,
		apart: async () => apart.map((name) => path.join(serverDir, name)),
		warn: (message) => void warnings.push(message)
	});
	return { store, serverDir, snapshotDir, warnings };
}

/** Files by name with their content; a name that ends in `/` is an empty folder. */
export async function plant(dir: string, files: Record<string, string | Uint8Array>) {
	for (const [name, content] of Object.entries(files)) {
		const file = path.join(dir, name);
		await mkdir(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
		if (!name.endsWith('/')) await writeFile(file, content);
	}
}

/** Everything in a folder, written down independently of the store: kind, rights and content by name. */
export async function picture(dir: string, under = ''): Promise<Record<string, string>> {
	const seen: Record<string, string> = {};
	const place = (name: string) => Buffer.concat([Buffer.from(`${dir}/`), latin(name)]);
	const names = await readdir(place(under), { encoding: 'buffer' });
	for (const base of names.map((each) => each.toString('latin1')).sort()) {
		const name = under ? `${under}/${base}` : base;
		const stats = await lstat(place(name));
		const mode = (stats.mode & 0o7777).toString(8);
		if (stats.isSymbolicLink())
			seen[name] = `-> ${(await readlink(place(name), 'buffer')).toString('latin1')}`;
		else if (stats.isFile()) seen[name] = `${mode} ${sha256(await readFile(place(name)))}`;
		else seen[name] = stats.isDirectory() ? `${mode} folder` : 'special';
		if (stats.isDirectory()) Object.assign(seen, await picture(dir, name));
	}
	return seen;
}

/** How many objects there are, and their bytes. */
export async function stored(snapshotDir: string) {
	const dir = path.join(snapshotDir, 'objects');
	if (!existsSync(dir)) return { count: 0, bytes: 0, files: [] as string[] };
	const names = await readdir(dir, { recursive: true, withFileTypes: true });
	const files = names
		.filter((one) => one.isFile())
		.map((one) => path.join(one.parentPath, one.name));
	const sizes = await Promise.all(files.map(async (file) => (await lstat(file)).size));
	return { count: files.length, bytes: sizes.reduce((a, b) => a + b, 0), files };
}

const latin = (name: string) => Buffer.from(name, 'latin1');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
