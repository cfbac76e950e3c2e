import { constants } from 'node:fs';
import {
	chmod,
	copyFile,
	lstat,
	mkdir,
	readdir,
	readFile,
	realpath,
	rm,
	stat,
	statfs,
	writeFile
} from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import { diskFailure, ensureDir, gigabytes, PRIVATE_DIR, PRIVATE_FILE } from '#core/files';
import { editProperties } from '#minecraft/folder';
import { shortage } from './shortage.ts';

/** A jar of the set to boot: its name in `mods/`, and where it is now. */
export type TrialJar = { fileName: string; path: string };

/** Another game than the one in the server's folder. */
export type TrialGame = {
	/** The folder of its jars, libraries and caches, with nothing else that matters. */
	dir: string;
	/** What it replaces besides libraries and caches: a path in the server's folder. */
	instead: string;
	/** How it would be started in the server's folder. */
	command: string[];
};

/** What goes into a copy, from the server's folder and from another game's; `root` is one of the two. */
export type CopyPlan = {
	serverDir: string;
	/** Absolute paths that are never copied, such as worlds and our own folders. */
	apart: Set<string>;
	/** Relative paths: really copied, because mods write there. */
	files: { root: string; file: string; bytes: number }[];
	dirs: string[];
	/** Relative paths of what is only read: jars of the loader and the game, libraries. */
	shared: { root: string; name: string }[];
	bytes: number;
};

/** Everything a boot may leave on the disk besides the copy: a world, logs, caches. */
export const GROWTH_MAX_BYTES = 2 * 2 ** 30;
const DISK_RESERVE_BYTES = 512 * 2 ** 20;

const FILES_MAX = 100_000;
const DEPTH_MAX = 24;
/** A larger folder at the root is data, not configuration. */
const FOLDER_MAX_BYTES = 256 * 2 ** 20;
const CONFIGURATION = new Set([
	'config',
	'defaultconfigs',
	'kubejs',
	'scripts',
	'mods',
	'patchouli_books'
]);
/** Written by the loader at every start, so it cannot be shared. */
const LOADER_CACHES = new Set(['.fabric', '.quilt']);
const SHARED = new Set(['libraries', 'versions']);
/** What a launcher downloads, and what it builds from that. */
export const DOWNLOADED = [...SHARED, ...LOADER_CACHES];
const LEFT_OUT = new Set([
	'logs',
	'crash-reports',
	'backups',
	'simplebackups',
	'debug',
	'usercache.json',
	// A container's image writes the console's password into these.
	'.rcon-cli.env',
	'.rcon-cli.yaml'
]);
const SETTINGS = 'server.properties';
const WORLD = 'probe';

/** Determines what would be copied; nothing is written. `apart`: absolute paths that are never included, at any depth. */
export async function planCopy(
	serverDir: string,
	apart: string[],
	game?: TrialGame
): Promise<CopyPlan> {
	const never = new Set(apart.map((one) => path.resolve(one)));
	if (!game) return planFolder(serverDir, never, () => true);
	const isOfGame = (name: string) => DOWNLOADED.includes(name);
	const own = await planFolder(
		game.dir,
		new Set(),
		(name) => isOfGame(name) || name.endsWith('.jar')
	);
	const names = new Set([game.instead, ...own.shared.map(({ name }) => name)]);
	const plan = await planFolder(serverDir, never, (name) => !isOfGame(name) && !names.has(name));
	return {
		...plan,
		files: [...plan.files, ...own.files],
		dirs: [...plan.dirs, ...own.dirs],
		shared: [...plan.shared, ...own.shared],
		bytes: plan.bytes + own.bytes
	};
}

async function planFolder(
	serverDir: string,
	apart: Set<string>,
	wanted: (name: string) => boolean
): Promise<CopyPlan> {
	const plan: CopyPlan = { serverDir, apart, files: [], dirs: [], shared: [], bytes: 0 };
	for (const name of (await readdir(serverDir)).sort()) {
		if (LEFT_OUT.has(name) || name.startsWith('.craftwarden') || !wanted(name)) continue;
		const absolute = path.join(serverDir, name);
		if (plan.apart.has(path.resolve(absolute)) || (await isWorld(absolute))) continue;
		const found = await stat(absolute).catch(() => null);
		if (SHARED.has(name) || (found?.isFile() && name.endsWith('.jar')))
			plan.shared.push({ root: serverDir, name });
		else if (found?.isFile()) addFile(plan, name, found.size);
		else if (found?.isDirectory()) await addFolder(plan, name);
	}
	return plan;
}

const isWorld = (dir: string) =>
	lstat(path.join(dir, 'level.dat')).then(
		() => true,
		() => false
	);

function addFile(plan: CopyPlan, file: string, bytes: number) {
	if (plan.files.length >= FILES_MAX)
		throw new AppError('conflict', 'The server’s folder holds too many files for a copy of it.');
	plan.files.push({ root: plan.serverDir, file, bytes });
	plan.bytes += bytes;
}

/** All of a folder or nothing: half of it would be worse than none. */
async function addFolder(plan: CopyPlan, name: string) {
	const within: CopyPlan = { ...plan, files: [], dirs: [], shared: [], bytes: 0 };
	await walk(within, name, name === 'mods');
	const isData = !CONFIGURATION.has(name) && !LOADER_CACHES.has(name);
	if (isData && within.bytes > FOLDER_MAX_BYTES) return;
	for (const { file, bytes } of within.files) addFile(plan, file, bytes);
	plan.dirs.push(...within.dirs);
}

/** Links to folders are not followed below the root: they may lead anywhere, or in circles. */
async function walk(plan: CopyPlan, dir: string, isMods: boolean, depth = 0): Promise<void> {
	plan.dirs.push(dir);
	const entries = await readdir(path.join(plan.serverDir, dir), { withFileTypes: true });
	for (const entry of entries) {
		const file = path.join(dir, entry.name);
		if (plan.apart.has(path.resolve(plan.serverDir, file))) continue;
		if (isMods && /\.jar(\.disabled)?$/.test(entry.name)) continue;
		if (entry.isDirectory() && depth < DEPTH_MAX) await walk(plan, file, false, depth + 1);
		else if (entry.isFile() || entry.isSymbolicLink()) {
			const found = await stat(path.join(plan.serverDir, file)).catch(() => null);
			if (found?.isFile()) addFile(plan, file, found.size);
		}
	}
}

/** Why there is no space for it, in a sentence; null when there is. */
export async function roomProblem(plan: CopyPlan, dir: string, jarBytes: number) {
	const needs = plan.bytes + jarBytes + GROWTH_MAX_BYTES + DISK_RESERVE_BYTES;
	const free = await freeBytes(dir);
	if (free === null)
		return 'The free disk space for the dashboard’s data cannot be read, so nothing is started beside the server.';
	if (free >= needs) return null;
	return `There is not enough room for a trial boot: it needs ${gigabytes(needs)} where the dashboard keeps its data, and ${gigabytes(free)} are free.`;
}

export const freeBytes = (dir: string) =>
	statfs(dir).then(
		({ bavail, bsize }) => bavail * bsize,
		() => null
	);

export type Copy = {
	/** The game's folder. */
	dir: string;
	/** Its temporary files. */
	tmp: string;
	/** Read-only, for the sandbox: what was not copied. */
	readOnly: { from: string; to: string }[];
};

type How = {
	/** A folder of its own, which must not exist. */
	dir: string;
	jars: TrialJar[];
	/** False: there is no sandbox that shares files read-only, so everything is copied. */
	share: boolean;
	port: number;
	signal: AbortSignal;
};

/** Makes the copy. Never a hard link: a game may write into files that it should only read. */
export async function makeCopy(
	plan: CopyPlan,
	{ dir, jars, share, port, signal }: How
): Promise<Copy> {
	const [game, tmp] = [path.join(dir, 'server'), path.join(dir, 'tmp')];
	try {
		await ensureDir(tmp);
		await ensureDir(game);
		for (const one of [...plan.dirs, 'mods'])
			await mkdir(path.join(game, one), { recursive: true, mode: PRIVATE_DIR });
		for (const { root, file } of plan.files) {
			signal.throwIfAborted();
			await clone(path.join(root, file), path.join(game, file));
		}
		const rest = [
			...plan.shared.map(({ root, name }) => ({
				from: path.join(root, name),
				to: path.join(game, name)
			})),
			...jars.map((jar) => ({ from: jar.path, to: path.join(game, 'mods', jar.fileName) }))
		];
		await writeSettings(plan.serverDir, game, port);
		const real = await Promise.all(
			rest.map(async ({ from, to }) => ({ from: await realpath(from), to }))
		);
		if (!share) for (const { from, to } of real) await cloneAll(from, to, signal);
		return { dir: await realpath(game), tmp: await realpath(tmp), readOnly: share ? real : [] };
	} catch (cause) {
		if (signal.aborted) throw signal.reason;
		if (shortage(cause)) throw cause;
		throw diskFailure('The copy for a trial boot could not be made', cause);
	}
}

/** Gone since the folder was read: the game does without it, or the boot shows it. */
async function clone(from: string, to: string) {
	await copyFile(from, to, constants.COPYFILE_FICLONE).catch((error) => {
		if (!['ENOENT', 'EACCES'].includes(errno(error) ?? '')) throw error;
	});
	await chmod(to, PRIVATE_FILE).catch(() => {});
}

async function cloneAll(from: string, to: string, signal: AbortSignal): Promise<void> {
	signal.throwIfAborted();
	const found = await stat(from);
	if (!found.isDirectory()) return clone(from, to);
	await mkdir(to, { recursive: true, mode: PRIVATE_DIR });
	for (const name of await readdir(from))
		await cloneAll(path.join(from, name), path.join(to, name), signal);
}

/** The live server's own, without its secrets, and with a world that is created in seconds. */
async function writeSettings(serverDir: string, game: string, port: number) {
	const bytes = await readFile(path.join(serverDir, SETTINGS)).catch(() => Buffer.alloc(0));
	const settings = editProperties(bytes, {
		'server-ip': '127.0.0.1',
		'server-port': String(port),
		'enable-rcon': 'false',
		'rcon.password': '',
		'enable-query': 'false',
		'query.port': String(port),
		'management-server-enabled': 'false',
		'management-server-secret': '',
		'management-server-tls-keystore-password': '',
		'level-name': WORLD,
		'level-type': 'minecraft:flat',
		'generate-structures': 'false',
		'view-distance': '2',
		'simulation-distance': '2',
		'max-players': '0',
		'white-list': 'true',
		'sync-chunk-writes': 'false',
		'max-tick-time': '600000',
		'resource-pack': ''
	});
	await writeFile(path.join(game, SETTINGS), settings, { mode: PRIVATE_FILE });
}

/** Bytes on the disk below a folder. */
export async function sizeOf(dir: string): Promise<number> {
	let bytes = 0;
	for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => [])) {
		const file = path.join(dir, entry.name);
		if (entry.isDirectory()) bytes += await sizeOf(file);
		else
			bytes += await lstat(file).then(
				({ blocks }) => blocks * 512,
				() => 0
			);
	}
	return bytes;
}

/** Removes it whatever the game did to it; links are removed, never followed. */
export async function removeCopy(dir: string): Promise<void> {
	const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 3 });
	await remove().catch(async () => {
		await unlock(dir);
		await remove();
	});
}

/** Folders that the game has closed even to its own user. */
async function unlock(dir: string): Promise<void> {
	await chmod(dir, PRIVATE_DIR).catch(() => {});
	for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => []))
		if (entry.isDirectory()) await unlock(path.join(dir, entry.name));
}
