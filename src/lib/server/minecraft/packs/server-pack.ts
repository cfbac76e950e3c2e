import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { ServerLoader } from '#schemas/software/software';
import { createInstallationReader } from '#minecraft/folder';
import {
	curseForge,
	installedIn,
	inText,
	memoryIn,
	namedIn,
	serverStarter,
	variables,
	type Clue
} from './clues.ts';
import type { PackFiles } from './files.ts';
import { sortOut, type Pack } from './pack.ts';
import { ruledOut } from './rules.ts';

const TEXT_MAX_BYTES = 64 << 10;
const TEXTS_MAX = 24;
const TEXT = /^(?:.*\.(?:sh|bat|cmd|ps1)|variables\.txt|settings\.cfg|user_jvm_args\.txt)$/i;
const STARTER = /^server-setup-config\.ya?ml$/i;
/** What is looked into, of jars whose names say nothing. */
const JARS_MAX = 4;
const JAR_MAX_BYTES = 300 << 20;

/** A step of the search: what kind of pack it would be, and what it says. */
type Found = { kind: string; clue: Clue };

/**
 * The files of a server that somebody packed. Its scripts are read, never run; the loader is not taken from it, only
 * its version. `AppError('invalid')` says what is missing.
 */
export async function readServerPack(files: PackFiles, scratch: string): Promise<Pack> {
	const top = files.files.map(({ path }) => path).filter((name) => !name.includes('/'));
	const texts = await textsOf(files, top);
	const found = await search(files, top, texts, scratch);
	const { loader, gameVersion, loaderVersion, kind } = together(found);
	const mods = files.files.filter(({ path }) => /^mods\/[^/]+\.jar$/i.test(path));
	requireMods(mods.length, loader, texts);
	const { kept, leftOut } = sortOut(files.files, ruledOut);
	const memory = [...texts.values()].flatMap((text) => memoryIn(text) ?? []);
	return {
		kind,
		...{ name: null, version: null, loader, loaderVersion, gameVersion },
		memoryMb: memory.length ? Math.max(...memory) : null,
		downloads: [],
		puts: kept.map(({ path, size }) => ({ from: path, path, size })),
		leftOut: [...leftOut, ...files.leftOut],
		notes: loaderVersion
			? []
			: [
					'The pack does not say which version of its loader it needs: the newest stable one is taken.'
				]
	};
}

async function textsOf(files: PackFiles, top: string[]) {
	const wanted = top.filter(
		(name) => TEXT.test(name) || STARTER.test(name) || name === 'manifest.json'
	);
	const texts = new Map<string, string>();
	for (const name of wanted.slice(0, TEXTS_MAX)) {
		const bytes = await files.read(name, TEXT_MAX_BYTES);
		if (bytes) texts.set(name, bytes.toString('utf8'));
	}
	return texts;
}

async function search(
	files: PackFiles,
	top: string[],
	texts: Map<string, string>,
	scratch: string
): Promise<Found[]> {
	const told = (kind: string, clue: Clue | null) => (clue ? [{ kind, clue }] : []);
	const some = (kind: string, names: string[], read: (text: string) => Clue | null) =>
		names.flatMap((name) => told(kind, read(texts.get(name) ?? '')));
	const names = [...texts.keys()];
	const scripts = names.filter((name) => TEXT.test(name));
	const creator = names.filter((name) => /^variables\.txt$/i.test(name));
	const found = [
		...told('a server pack with its loader installed', installedIn(files.files)),
		...some('a server pack of ServerPackCreator', creator, variables),
		...some(
			'a server pack of ServerStarter',
			names.filter((name) => STARTER.test(name)),
			serverStarter
		),
		...told(
			'a server pack with an installer',
			namedIn(top.filter((name) => /installer.*\.jar$/i.test(name)))
		),
		...told('a server pack', namedIn(top.filter((name) => /\.jar$/i.test(name)))),
		...some('a server pack with start scripts', scripts, (text) => inText(text) ?? variables(text)),
		...some(
			'a server pack of CurseForge',
			names.filter((name) => name === 'manifest.json'),
			curseForge
		)
	];
	const isKnown = found.some(({ clue }) => clue.loader && clue.gameVersion);
	return isKnown ? found : [...found, ...(await insideJars(files, top, scratch))];
}

/** Jars that are called anything tell what they are by what is in them. */
async function insideJars(files: PackFiles, top: string[], scratch: string): Promise<Found[]> {
	const dir = await mkdtemp(path.join(scratch, '.jars-'));
	try {
		const jars = files.files.filter(
			({ path, size }) => top.includes(path) && /\.jar$/i.test(path) && size <= JAR_MAX_BYTES
		);
		for (const { path: name } of jars.slice(0, JARS_MAX))
			await files.copy(name, path.join(dir, name), new AbortController().signal);
		const { loader, loaderVersion, gameVersion } = await createInstallationReader(dir, {
			...{ command: null, javaHome: null },
			rcon: { host: null, port: null, password: null }
		}).read();
		const clue = { loader, loaderVersion, gameVersion };
		return loader || gameVersion ? [{ kind: 'a server', clue }] : [];
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}

/** The first that names a loader; what it does not say, another one may. */
function together(found: Found[]) {
	const first = found.find(({ clue }) => clue.loader) ?? null;
	const same = found.filter(({ clue }) => !clue.loader || clue.loader === first?.clue.loader);
	const gameVersion = same.map(({ clue }) => clue.gameVersion).find(Boolean);
	const loaderVersion = same.map(({ clue }) => clue.loaderVersion).find(Boolean) ?? null;
	if (!first)
		throw new AppError(
			'invalid',
			'This looks like a server, but neither a script nor a jar in it says which loader it is for. Set up a server of the right kind here, then add the mods.'
		);
	const { kind, clue } = first;
	if (clue.loader === 'quilt')
		throw new AppError(
			'invalid',
			'This pack is made for Quilt, and servers with Quilt cannot be set up here yet.'
		);
	const loader = ServerLoader.safeParse(clue.loader);
	if (!loader.success || !gameVersion)
		throw new AppError(
			'invalid',
			`This is ${kind}, but nothing in it says for which version of Minecraft it is. Ask those who made it.`
		);
	return { kind, loader: loader.data, loaderVersion, gameVersion };
}

/** A pack whose script would fetch the mods has none. */
function requireMods(count: number, loader: string, texts: Map<string, string>) {
	if (count > 0 || loader === 'vanilla' || loader === 'paper') return;
	const fetches =
		[...texts.keys()].some((name) => STARTER.test(name)) || texts.has('manifest.json');
	throw new AppError(
		'invalid',
		fetches
			? 'The mods are missing in this pack: a script in it would download them, and scripts of packs are never run here. Look for the same pack on Modrinth, or for a server pack that holds its mods.'
			: 'The mods are missing in this pack: there is no jar in its folder mods. Look for the server pack, or create an empty server with this loader and add them.'
	);
}
