import fs from 'node:fs';
import path from 'node:path';
import { readZipEntry } from './zip.ts';

/** What the folder is first laid out with. */
const SEEDED = { game: '1.21.1', loader: '0.16.9' };

/** What each game writes into its worlds; those of the years to come are made up. */
const DATA_VERSIONS: Record<string, number> = {
	'1.16.5': 2586,
	'1.17.1': 2730,
	'1.18.2': 2975,
	'1.19.2': 3120,
	'1.20.1': 3465,
	'1.20.2': 3578,
	'1.20.4': 3700,
	'1.20.6': 3839,
	'1.21': 3953,
	'1.21.1': 3955,
	'1.21.3': 4082,
	'1.21.4': 4189,
	'1.21.5': 4325,
	'1.21.8': 4440,
	'1.21.10': 4556,
	'1.21.11': 4671,
	'26.1': 4786,
	'26.1.2': 4790,
	'26.2': 4900
};

/** Every game is this one program: which it is said to be stands in what is started, or in the folder's launcher. */
function versionIn(dir: string, args: string[]): { game: string; loader: string } {
	const jar = args.includes('-jar') ? args[args.indexOf('-jar') + 1] : launcherIn(dir);
	const listed = args.find((arg) => /^@.*unix_args\.txt$/.test(arg))?.slice(1);
	const told = jar
		? entryOf(path.resolve(dir, jar))
		: listed
			? textOf(path.resolve(dir, listed))
			: '';
	const game = /^game-version=(\S+)|"id":"([^"]+)"|--fml\.mcVersion (\S+)/m.exec(told);
	const loader = /^fabric-loader-version=(\S+)/m.exec(told)?.[1];
	return {
		game: game?.[1] ?? game?.[2] ?? game?.[3] ?? SEEDED.game,
		loader: loader ?? SEEDED.loader
	};
}

/** The name of the jar that Fabric's launcher is; several prove nothing. */
export function launcherIn(dir: string): string | null {
	const found = namesIn(dir).filter((name) => /^fabric-server-mc\..+\.jar$/.test(name));
	return found.length === 1 ? found[0]! : null;
}

function namesIn(dir: string) {
	try {
		return fs.readdirSync(dir);
	} catch {
		return [];
	}
}

function entryOf(jar: string) {
	try {
		const entry = readZipEntry(jar, 'install.properties') ?? readZipEntry(jar, 'version.json');
		return entry?.toString() ?? '';
	} catch {
		return '';
	}
}

function textOf(file: string) {
	try {
		return fs.readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}

const here = versionIn(process.cwd(), process.argv.slice(2));

export const GAME_VERSION = here.game;
export const LOADER_VERSION = here.loader;
export const DATA_VERSION = DATA_VERSIONS[here.game] ?? DATA_VERSIONS[SEEDED.game]!;
