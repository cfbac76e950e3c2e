import { VersionName } from '#schemas/software/software';
import { gameOfNeoForge } from '#minecraft/folder';
import type { PackFile } from './files.ts';

/** What one file of a pack tells of the server that it was made for. */
export type Clue = {
	/** `quilt`, too, which is refused in words. */
	loader: string | null;
	loaderVersion: string | null;
	gameVersion: string | null;
};

/** A version as games and loaders write it; null when it is anything else. */
export const versionOf = (text: string | undefined): string | null =>
	VersionName.safeParse(text).data ?? null;

const LOADERS = ['fabric', 'quilt', 'neoforge', 'forge'];
const clue = (
	loader: string | undefined,
	loaderVersion: string | undefined,
	gameVersion: string | undefined
): Clue | null => {
	const name =
		loader
			?.toLowerCase()
			.replace(/[^a-z]/g, '')
			.replace(/loader$/, '') ?? null;
	const known = name !== null && LOADERS.includes(name) ? name : null;
	const version = versionOf(
		gameVersion ? loaderVersion?.replace(`${gameVersion}-`, '') : loaderVersion
	);
	const told = versionOf(gameVersion);
	const game = told ?? (known === 'neoforge' && version ? gameOfNeoForge(version) : null);
	return known || game ? { loader: known, loaderVersion: version, gameVersion: game } : null;
};

/** What an installer has laid out in `libraries/`: the newest, when there are several. */
export function installedIn(files: PackFile[]): Clue | null {
	const pattern =
		/^libraries\/net\/(neoforged|minecraftforge)\/(neoforge|forge)\/([^/]+)\/(?:unix|win)_args\.txt$/;
	const found = files.flatMap(({ path }) => {
		const [, group, name, version] = pattern.exec(path) ?? [];
		if (!group || !version) return [];
		const [, game, own] = (name === 'forge' && /^([\d.]+)-(.+)$/.exec(version)) || [];
		return clue(group === 'neoforged' ? 'neoforge' : 'forge', own ?? version, game) ?? [];
	});
	return found.at(-1) ?? null;
}

/** Installers and jars whose names tell what they are. */
export function namedIn(names: string[]): Clue | null {
	for (const name of names) {
		const found = inText(name);
		if (found) return found;
	}
	return null;
}

/** `variables.txt` of ServerPackCreator, and scripts that set the same. */
export function variables(text: string): Clue | null {
	const value = (...names: string[]) =>
		names
			.map(
				(name) =>
					// Never two gaps in a row: a hostile file of blanks would take forever.
					new RegExp(
						`^[ \\t]*(?:(?:set|export)[ \\t]+)?"?${name}[ \\t]*[=:][ \\t]*["']?([\\w.+-]+)`,
						'im'
					).exec(text)?.[1]
			)
			.find(Boolean);
	const game = value('MINECRAFT_VERSION', 'MC_VERSION', 'MCVER', 'mcVersion');
	const neoforge = value('NEOFORGE_VERSION', 'NEOFORGE_VER');
	if (neoforge) return clue('neoforge', neoforge, game);
	const forge = value('FORGE_VERSION', 'FORGEVER');
	// Some write both versions into one.
	const [, both, own] = /^(1\.[\d.]+)-(.+)$/.exec(forge ?? '') ?? [];
	if (forge) return clue('forge', own ?? forge, game ?? both);
	const fabric = value('FABRIC_VERSION', 'FABRIC_LOADER_VERSION');
	if (fabric) return clue('fabric', fabric, game);
	const loader = value('MODLOADER', 'LOADER', 'loaderType');
	const version = value('MODLOADER_VERSION', 'LOADER_VERSION', 'loaderVersion');
	return clue(loader, version, game);
}

/** `server-setup-config.yaml` of ServerStarter. */
export function serverStarter(text: string): Clue | null {
	const value = (name: string) =>
		new RegExp(
			`^[ \\t]*${name}[ \\t]*:[ \\t]*["']?([^"'#\\s]{1,300})["']?[ \\t]*(?:#.*)?\\r?$`,
			'm'
		).exec(text)?.[1];
	const url = value('installerUrl') ?? '';
	const loader = /fabric|quilt|neoforge/i.exec(url)?.[0] ?? 'forge';
	return clue(loader, value('loaderVersion'), value('mcVersion'));
}

/** `manifest.json` of CurseForge: `forge-47.2.0`. */
export function curseForge(text: string): Clue | null {
	try {
		const { minecraft } = JSON.parse(text) as {
			minecraft?: { version?: unknown; modLoaders?: { id?: unknown; primary?: unknown }[] };
		};
		if (!minecraft || !Array.isArray(minecraft.modLoaders)) return null;
		const { id } =
			minecraft.modLoaders.find(({ primary }) => primary) ?? minecraft.modLoaders[0] ?? {};
		const [, loader, version] = /^([a-z]+)-(.+)$/i.exec(String(id)) ?? [];
		const game = typeof minecraft.version === 'string' ? minecraft.version : undefined;
		return clue(loader, version, game);
	} catch {
		return null; // another kind of manifest
	}
}

/** What scripts start and download, and what names of jars say. */
export function inText(text: string): Clue | null {
	const V = '(\\d[\\w.+]*(?:-(?:beta|pre\\d*|rc\\d*))?)';
	const find = (pattern: string) => new RegExp(pattern, 'i').exec(text);
	const neoforge =
		find(`neoforge-${V}-(?:installer|server)`) ?? find(`net/neoforged/neoforge/${V}/`);
	if (neoforge) return clue('neoforge', neoforge[1], undefined);
	const old = find(`net/neoforged/forge/(1\\.20\\.1)-${V}/`);
	if (old) return clue('neoforge', old[2], old[1]);
	const forge =
		find(`net/minecraftforge/forge/(1\\.[\\d.]+)-${V}/`) ??
		find(`forge-(1\\.[\\d.]+)-${V}(?:-installer|-universal|-server|-shim)?\\.jar`);
	if (forge) return clue('forge', forge[2], forge[1]);
	const fabric = find(`fabric-server-mc\\.${V}-loader\\.${V}-launcher`);
	if (fabric) return clue('fabric', fabric[2], fabric[1]);
	return /quilt-server-launch/i.test(text) ? clue('quilt', undefined, undefined) : null;
}

/** The largest heap that a text gives to Java, in MB. */
export function memoryIn(text: string): number | null {
	const found = [...text.matchAll(/(?:-Xmx|maxRam\s*:\s*["']?)(\d{1,6})\s*([gm])/gi)].map(
		([, digits, unit]) => Number(digits) * (unit!.toLowerCase() === 'g' ? 1024 : 1)
	);
	return found.length ? Math.max(...found) : null;
}
