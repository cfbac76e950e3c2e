import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { WorldName } from '#schemas/backup';
import type { Root } from '#storage/archive';

/**
 * Configuration as the loaders and their mods keep it, and Bukkit's plugins, whose configuration is mixed with their
 * data. Each folder is archived whole, because a restore replaces it whole.
 */
const CONFIG_FOLDERS = ['config', 'defaultconfigs', 'kubejs', 'scripts', 'plugins'];
const MODS = 'mods';
const FILES = [
	...['server.properties', 'eula.txt', 'server-icon.png', 'user_jvm_args.txt', 'variables.txt'],
	...['ops.json', 'whitelist.json', 'banned-players.json', 'banned-ips.json', 'usercache.json'],
	...['bukkit.yml', 'spigot.yml', 'paper.yml', 'commands.yml', 'permissions.yml', 'help.yml'],
	'fabric-server-launcher.properties'
];
const WORLDS_MAX = 200;

export type World = {
	name: string;
	/** Relative to the server's folder. */
	path: string;
};
export type Sources = {
	/** The server's own first, then the others: Paper's Nether and End, and worlds of plugins. */
	worlds: World[];
	roots: Root[];
};

/** What belongs in a backup of this server. */
export async function findSources(
	{ serverDir, worldDir }: { serverDir: string; worldDir: string },
	withMods: boolean
): Promise<Sources> {
	const own = path.relative(serverDir, worldDir);
	const entries = await readdir(serverDir, { withFileTypes: true });
	const folders = new Set(entries.filter((one) => one.isDirectory()).map(({ name }) => name));
	const files = new Set(entries.filter((one) => one.isFile()).map(({ name }) => name));
	const worlds = await findWorlds(serverDir, own, entries);
	const taken = [...worlds.map((world) => world.path), own];
	const free = (name: string) =>
		folders.has(name) && !taken.some((one) => one === name || one.startsWith(`${name}/`));
	const roots: Root[] = [
		...worlds.map((world) => ({ path: world.path, world: world.name, skip: ['session.lock'] })),
		...CONFIG_FOLDERS.filter(free).map((name) => ({ path: name, world: null })),
		...(withMods ? [MODS].filter(free).map((name) => ({ path: name, world: null })) : []),
		...FILES.filter((name) => files.has(name)).map((name) => ({ path: name, world: null }))
	];
	return { worlds, roots };
}

async function findWorlds(serverDir: string, own: string, entries: Dirent[]): Promise<World[]> {
	const isFolder = (relative: string) =>
		lstat(path.join(serverDir, relative)).then(
			(stats) => stats.isDirectory(),
			() => false
		);
	const found: World[] = (await isFolder(own)) ? [{ name: path.basename(own), path: own }] : [];
	for (const entry of entries) {
		const { name } = entry;
		if (found.length >= WORLDS_MAX) break;
		// 26.1 leaves the world from before its upgrade under such a name.
		const unfit = !entry.isDirectory() || name.startsWith('.') || name.endsWith(' OUTDATED');
		if (unfit || !WorldName.safeParse(name).success || name === own) continue;
		if (own.startsWith(`${name}/`) || found.some((world) => world.name === name)) continue;
		const ofPaper = name === `${own}_nether` || name === `${own}_the_end`;
		if (ofPaper || (await isWorld(serverDir, name))) found.push({ name, path: name });
	}
	return found;
}

const isWorld = (serverDir: string, name: string) =>
	lstat(path.join(serverDir, name, 'level.dat')).then(
		(stats) => stats.isFile(),
		() => false
	);
