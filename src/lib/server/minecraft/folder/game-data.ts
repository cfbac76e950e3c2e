import path from 'node:path';
import type { Installation } from './installation.ts';
import { parseProperties } from './properties.ts';
import { serverFolder, type ServerFolder } from './server-folder.ts';
import { readServerJar, type JarFacts } from './server-jar.ts';

const LAUNCHER_MAX_BYTES = 64 * 1024;
/** How many version folders, and jars in each, are searched. */
const LOOKED_AT_MAX = 8;

/** The game that a start command would run; null where the files do not say. */
export type GameData = { version: string | null; dataVersion: number | null };

/** Reads the jars themselves: somebody may have put one there by hand. */
export async function readGameData(
	dir: string,
	installation: Pick<Installation, 'command' | 'gameVersion'>
): Promise<GameData> {
	const folder = serverFolder(path.resolve(dir));
	const started = startedJar(folder, installation.command?.argv ?? []);
	const own = started ? await readServerJar(folder, await gameJarOf(folder, started)) : null;
	if (own && own.dataVersion !== null) return toData(own);
	const launcher = started ? await readServerJar(folder, started) : null;
	const version = launcher?.gameVersion ?? installation.gameVersion;
	if (version === null) return { version, dataVersion: null };
	for (const name of await unpackedJars(folder, version)) {
		const facts = await readServerJar(folder, name);
		if (facts && facts.gameVersion === version && facts.dataVersion !== null) return toData(facts);
	}
	return { version, dataVersion: null };
}

const toData = ({ gameVersion, dataVersion }: JarFacts): GameData => ({
	version: gameVersion,
	dataVersion
});

/** The jar that the command starts, relative to the folder. */
function startedJar(folder: ServerFolder, argv: string[]): string | null {
	const jar = argv[argv.indexOf('-jar') + 1];
	return argv.includes('-jar') && jar
		? path.relative(folder.dir, path.resolve(folder.dir, jar))
		: null;
}

/** The older launchers of Fabric and Quilt start a vanilla jar next to them. */
async function gameJarOf(folder: ServerFolder, jar: string) {
	const loader = /^(fabric|quilt)-server-launch\.jar$/.exec(jar)?.[1];
	if (!loader) return jar;
	const bytes = await folder.bytes(`${loader}-server-launcher.properties`, LAUNCHER_MAX_BYTES);
	return (bytes && parseProperties(bytes).get('serverJar')) || 'server.jar';
}

/** Where launchers and installers put the game's own jar. */
async function unpackedJars(folder: ServerFolder, version: string): Promise<string[]> {
	const libraries = 'libraries/net/minecraft/server';
	const ours = (await folder.names(libraries))
		.filter((name) => name === version || name.startsWith(`${version}-`))
		.slice(0, LOOKED_AT_MAX);
	const inLibraries = ours.map(async (name) =>
		(await folder.names(`${libraries}/${name}`))
			.filter((jar) => jar.endsWith('.jar'))
			.slice(0, LOOKED_AT_MAX)
			.map((jar) => `${libraries}/${name}/${jar}`)
	);
	return [
		`.fabric/server/${version}-server.jar`,
		`versions/${version}/server-${version}.jar`,
		'server.jar',
		...(await Promise.all(inLibraries)).flat()
	];
}
