import { cleanVersion, compareVersions, readServerJar, type Loader } from './server-jar.ts';
import type { ServerFolder } from './server-folder.ts';

const ARGS_MAX_BYTES = 256 * 1024;
/** The most jars in one folder that are looked into. */
const JARS_MAX = 16;

/** Something in the folder that starts a server. */
export type Startable = {
	/** The jar's name, or the path of `unix_args.txt`. */
	file: string;
	kind: 'jar' | 'args';
	/** Null when the jar does not say. */
	loader: Loader | null;
	/** As people call it: `Fabric`, `Purpur`. */
	brand: string | null;
	loaderVersion: string | null;
	gameVersion: string | null;
};

/** Where Forge and NeoForge put what `run.sh` passes to Java, one folder for each version. */
const LIBRARIES: { dir: string; loader: Loader; brand: string }[] = [
	{ dir: 'libraries/net/neoforged/neoforge', loader: 'neoforge', brand: 'NeoForge' },
	{ dir: 'libraries/net/neoforged/forge', loader: 'neoforge', brand: 'NeoForge' },
	{ dir: 'libraries/net/minecraftforge/forge', loader: 'forge', brand: 'Forge' }
];

const JAR_NAMES: { pattern: RegExp; loader: Loader; brand?: string }[] = [
	{
		pattern: /^fabric-server-mc\.(?<game>.+)-loader\.(?<version>.+)-launcher\.[^-]+\.jar$/,
		loader: 'fabric'
	},
	{ pattern: /^fabric-server-launch(?:\.jar)?$/, loader: 'fabric' },
	{ pattern: /^quilt-server-launch\.jar$/, loader: 'quilt' },
	{ pattern: /^forge-(?<game>[^-]+)-(?<version>[^-]+)(?:-[^-]+){0,2}\.jar$/, loader: 'forge' },
	...['Paper', 'Purpur', 'Folia', 'Pufferfish', 'Spigot', 'CraftBukkit'].map((brand) => ({
		pattern: new RegExp(
			`^${brand}(?:-(?<game>\\d[\\w.]*(?:-(?:pre|rc)-?\\d+)?)(?:-(?<version>[\\w.]+))?)?\\.jar$`,
			'i'
		),
		loader: 'paper' as const,
		brand
	})),
	{ pattern: /^(?:minecraft_)?server(?:\.(?<game>\d[\w.-]*))?\.jar$/, loader: 'vanilla' }
];

export const BRANDS: Record<Loader, string> = {
	fabric: 'Fabric',
	quilt: 'Quilt',
	neoforge: 'NeoForge',
	forge: 'Forge',
	paper: 'Paper',
	vanilla: 'Vanilla'
};

/** Files that belong to a loader but start no server. */
const NO_SERVER = /-(?:installer|shim|client|sources|javadoc)\b|^fabric-installer/;

/**
 * Everything in the folder that starts a server. `named` are files that the owner's own command or script names: they
 * are looked into whatever they are called, and passed over when they are no jar.
 */
export async function findStartables(folder: ServerFolder, named: string[]): Promise<Startable[]> {
	const names = await folder.names('');
	const jars = names.filter(
		(name) =>
			!NO_SERVER.test(name) &&
			(named.includes(name) || JAR_NAMES.some(({ pattern }) => pattern.test(name)))
	);
	const found = await Promise.all([
		...LIBRARIES.map((library) => argsFiles(folder, library)),
		...jars.slice(0, JARS_MAX).map((name) => jar(folder, name))
	]);
	return found.flat();
}

/** An unused installer: the most common reason why nothing can be started. */
export const unusedInstaller = async (folder: ServerFolder) =>
	(await folder.names('')).find((name) => /installer[\w.+-]*\.jar$/.test(name)) ?? null;

async function jar(folder: ServerFolder, name: string): Promise<Startable[]> {
	const facts = await readServerJar(folder, name);
	if (!facts || facts.starter) return [];
	const named = JAR_NAMES.find(({ pattern }) => pattern.test(name));
	if (!facts.readable && !named) return [];
	const loader = facts.loader ?? named?.loader ?? null;
	// A name may be misleading (a launcher renamed to server.jar): then only the content counts.
	const trusted = named?.loader === loader ? named : undefined;
	const said = trusted?.pattern.exec(name)?.groups;
	return [
		{
			file: name,
			kind: 'jar',
			loader,
			brand: trusted?.brand ?? (loader && BRANDS[loader]),
			loaderVersion: facts.loaderVersion ?? cleanVersion(said?.version),
			gameVersion: facts.gameVersion ?? cleanVersion(said?.game)
		}
	];
}

async function argsFiles(
	folder: ServerFolder,
	{ dir, loader, brand }: (typeof LIBRARIES)[number]
): Promise<Startable[]> {
	const installed = (await folder.names(dir)).map(async (version): Promise<Startable[]> => {
		const file = `${dir}/${version}/unix_args.txt`;
		const args = (await folder.bytes(file, ARGS_MAX_BYTES))?.toString('utf8');
		if (args === undefined || !cleanVersion(version)) return [];
		return [{ file, kind: 'args', loader, brand, ...versionsOf(dir, version, args) }];
	});
	return (await Promise.all(installed)).flat();
}

/** Forge's folders have names like `1.20.1-47.2.4`. NeoForge's number implies the game's: `21.1.172` is for 1.21.1. */
function versionsOf(dir: string, version: string, args: string) {
	const argument = (name: string) =>
		cleanVersion(new RegExp(`^--fml\\.${name}[ =](\\S{1,60})`, 'm').exec(args)?.[1]);
	const [, game, own] = (dir.endsWith('/forge') && /^([\d.]+)-(.+)$/.exec(version)) || [];
	return {
		loaderVersion: argument('neoForgeVersion') ?? argument('forgeVersion') ?? own ?? version,
		gameVersion:
			argument('mcVersion') ?? (dir.endsWith('/forge') ? game : gameOfNeoForge(version)) ?? null
	};
}

/** `21.1.172` → 1.21.1, `26.2.0.4-beta` → 26.2. */
export function gameOfNeoForge(version: string) {
	const [major, minor, patch, build] = version.replace(/-.*/, '').split('.').map(Number);
	if (major === undefined || minor === undefined || [major, minor].some(Number.isNaN)) return null;
	if (build === undefined) return minor === 0 ? `1.${major}` : `1.${major}.${minor}`;
	return patch === 0 ? `${major}.${minor}` : `${major}.${minor}.${patch}`;
}

/** Of two of the same loader, the newer one first. */
export const byVersion = (a: Startable, b: Startable) =>
	compareVersions(b.gameVersion ?? '', a.gameVersion ?? '') ||
	compareVersions(b.loaderVersion ?? '', a.loaderVersion ?? '');
