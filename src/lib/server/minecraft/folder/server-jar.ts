import { readManifest, readZipEntries } from '#minecraft/zip';
import { parseProperties } from './properties.ts';
import type { ServerFolder } from './server-folder.ts';

const ENTRY_MAX_BYTES = 64 * 1024;

export type Loader = 'vanilla' | 'fabric' | 'quilt' | 'forge' | 'neoforge' | 'paper';

/** What a jar says about itself; null where it does not say. */
export type JarFacts = {
	loader: Loader | null;
	loaderVersion: string | null;
	gameVersion: string | null;
	/** The data version of the worlds that it saves; only a game's own jar says it. */
	dataVersion: number | null;
	/** NeoForge's substitute for `run.sh`: it only starts what `unix_args.txt` describes. */
	starter: boolean;
	/** False for what cannot be opened as a jar: a damaged one, a script. */
	readable: boolean;
};

const UNREADABLE: JarFacts = {
	...{ loader: null, loaderVersion: null, gameVersion: null, dataVersion: null },
	...{ starter: false, readable: false }
};

/** Packages of main classes, the more specific first. */
const MAIN_CLASSES: [prefix: string, loader: Loader][] = [
	['net.fabricmc.', 'fabric'],
	['org.quiltmc.', 'quilt'],
	['net.minecraftforge.', 'forge'],
	['cpw.mods.', 'forge'],
	['net.neoforged.', 'neoforge'],
	['io.papermc.', 'paper'],
	['com.destroystokyo.', 'paper'],
	['org.bukkit.', 'paper'],
	['net.minecraft.', 'vanilla']
];

/** Looks into a jar of the server folder; null when there is no such file. */
export async function readServerJar(folder: ServerFolder, name: string): Promise<JarFacts | null> {
	const wanted = ['META-INF/MANIFEST.MF', 'version.json', 'install.properties'];
	return folder.withFile(name, async (handle) => {
		const entries = await readZipEntries(handle, wanted, ENTRY_MAX_BYTES);
		if (!entries) return UNREADABLE;
		const install = entries.get('install.properties');
		if (install) return fabricLauncher(install);
		const manifest = readManifest(entries.get('META-INF/MANIFEST.MF'));
		const main = manifest.get('Main-Class') ?? '';
		return {
			loader: MAIN_CLASSES.find(([prefix]) => main.startsWith(prefix))?.[1] ?? null,
			dataVersion: null,
			...versionsOnClassPath(manifest.get('Class-Path') ?? ''),
			...gameVersionOf(entries.get('version.json')),
			starter: main.startsWith('net.neoforged.serverstarterjar'),
			readable: true
		};
	});
}

function fabricLauncher(install: Buffer): JarFacts {
	const properties = parseProperties(install);
	return {
		loader: 'fabric',
		loaderVersion: cleanVersion(properties.get('fabric-loader-version')),
		gameVersion: cleanVersion(properties.get('game-version')),
		dataVersion: null,
		starter: false,
		readable: true
	};
}

/** The older launchers of Fabric and Quilt name their libraries, which name the versions. */
function versionsOnClassPath(classPath: string) {
	const version = (library: string) =>
		cleanVersion(new RegExp(`/${library}/([^/ ]{1,60})/`).exec(classPath)?.[1]);
	const game = version('intermediary') ?? version('hashed');
	return {
		loaderVersion: version('quilt-loader') ?? version('fabric-loader'),
		// From 26.1 on the game needs no mapping, and the placeholder has this version.
		gameVersion: game === '0.0.0' ? null : game
	};
}

function gameVersionOf(json: Buffer | undefined) {
	if (!json) return {};
	try {
		const facts = JSON.parse(json.toString('utf8')) as Record<string, unknown>;
		const gameVersion = cleanVersion(facts['id']) ?? cleanVersion(facts['name']);
		const data = facts['world_version'];
		const dataVersion = typeof data === 'number' && Number.isSafeInteger(data) ? data : null;
		return gameVersion ? { gameVersion, dataVersion } : {};
	} catch {
		// Not the version.json of a game: it proves nothing.
		return {};
	}
}

/** A version as games and loaders name them (`1.21.1`, `26.1-snapshot-3`, `0.16.9`); null when it is anything else. */
export const cleanVersion = (value: unknown) =>
	typeof value === 'string' && /^[A-Za-z0-9][\w.+-]{0,59}$/.test(value) ? value : null;

/** Orders versions by their numbers: `1.21.10` after `1.21.9`, and a release after its betas. */
export function compareVersions(a: string, b: string) {
	const [left, right] = [a, b].map((version) => version.split(/[.+-]/));
	for (let i = 0; i < Math.max(left!.length, right!.length); i++) {
		const [x, y] = [rank(left![i]), rank(right![i])];
		if (x !== y) return x - y;
	}
	return a < b ? -1 : a > b ? 1 : 0;
}

const rank = (part: string | undefined) =>
	part === undefined ? -1 : /^\d+$/.test(part) ? Number(part) : -2;
