import { access, constants, lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import { eulaAccepted } from './eula.ts';
import { gameVersionAround, versionsInLog } from './game-version.ts';
import { parseProperties, PROPERTIES_MAX_BYTES, type Properties } from './properties.ts';
import { serverFolder, type ServerFolder } from './server-folder.ts';
import { BRANDS } from './server-files.ts';
import type { Loader } from './server-jar.ts';
import { findStart, type StartCommand } from './start-command.ts';
import { plainText, stripCodes } from '#minecraft/text';

const LOCAL_HOST = '127.0.0.1';
const GAME_PORT = 25565;
const RCON_PORT = 25575;
const WORLD = 'world';
/** Stands for a world that is refused: this folder does not exist, so that no other world is taken for it. */
const NO_WORLD = '.no-world';
const SETTINGS = 'server.properties';
const MOTD_MAX_CHARS = 500;

/** What the files of a server folder say; null where they do not say. */
export type Installation = {
	loader: Loader | null;
	loaderVersion: string | null;
	gameVersion: string | null;
	/** For people, e.g. `Fabric 0.16.9`. */
	software: string | null;
	/**
	 * Absolute, always below the server folder. It need not exist yet, and never does when level-name points outside.
	 */
	worldDir: string;
	/** Plain text, formatting removed. */
	motd: string | null;
	maxPlayers: number | null;
	/** The address to ask: a server that listens on all addresses is asked on this machine. */
	game: { host: string; port: number; statusEnabled: boolean };
	/** Enabled only when the game would really listen: switched on, with a password and a valid port. */
	rcon: { enabled: boolean; host: string; port: number; password: string | null };
	/** The folder contains something that looks like a server. */
	found: boolean;
	/** Whether the game would start without asking for the EULA. */
	eula: boolean;
	/** Null when the server cannot be started; `problem` then says why. */
	command: StartCommand | null;
	/**
	 * One sentence for the page. When there is a command, it is about something else in the folder that needs
	 * attention.
	 */
	problem: string | null;
};

export type InstallationOverrides = {
	/** SERVER_COMMAND, or the demo's own. */
	command: StartCommand | null;
	rcon: { host: string | null; port: number | null; password: string | null };
	/** Its `bin/java` is used if it exists; taken from the environment when left out. */
	javaHome?: string | null;
	/** Where there is no such: the program of the Java that fits a game version. */
	javaFor?: (game: string) => Promise<string | null>;
};

export interface InstallationReader {
	/** Reads the folder, or answers from memory while nothing in it has changed. */
	read(): Promise<Installation>;
	/** Something outside the folder has changed: a Java was installed. */
	forget(): void;
}

/** Reads a server folder once. Odd content never throws; `AppError` when the folder itself cannot be read. */
export const readInstallation = (dir: string, overrides: InstallationOverrides) =>
	readFolder(serverFolder(path.resolve(dir)), overrides);

/** Cheap enough for every page: some 20 `stat` calls while nothing changes. */
export function createInstallationReader(
	dir: string,
	overrides: InstallationOverrides
): InstallationReader {
	let last: { folder: ServerFolder; installation: Installation } | null = null;
	let reading: Promise<Installation> | null = null;

	const refresh = async () => {
		if (last && (await last.folder.unchanged())) return last.installation;
		const folder = serverFolder(path.resolve(dir));
		last = null;
		last = { folder, installation: await readFolder(folder, overrides) };
		return last.installation;
	};
	return {
		read() {
			reading ??= refresh().finally(() => (reading = null));
			return reading;
		},
		forget: () => void (last = null)
	};
}

async function readFolder(
	folder: ServerFolder,
	overrides: InstallationOverrides
): Promise<Installation> {
	await checkReadable(folder.dir);
	const { properties, problem: unreadable } = await readSettings(folder);
	const world = await findWorld(folder, properties.get('level-name') || WORLD);
	const logged = await versionsInLog(folder);
	const start = await findStart(folder, {
		command: overrides.command,
		javaHome:
			overrides.javaHome === undefined ? (process.env.JAVA_HOME ?? null) : overrides.javaHome,
		javaFor: overrides.javaFor,
		logged: logged.loader
	});
	const { server } = start;
	const loader = server ? server.loader : logged.loader;
	const version = server?.loaderVersion ?? (loader === logged.loader ? logged.loaderVersion : null);
	return {
		loader,
		loaderVersion: version,
		gameVersion:
			server?.gameVersion ??
			(await gameVersionAround(folder, { ...logged, loader }, world.relative)),
		software: softwareName(server?.brand ?? (loader && BRANDS[loader]), loader, version),
		worldDir: path.join(folder.dir, world.relative),
		motd: plainText(properties.get('motd'), MOTD_MAX_CHARS) || null,
		maxPlayers: wholeNumber(properties.get('max-players'), 0, 2 ** 31 - 1),
		game: gameAddress(properties, overrides.rcon),
		rcon: rconAccess(properties, overrides.rcon),
		found: server !== null,
		eula: await eulaAccepted(folder, start.command?.argv ?? []),
		command: start.command,
		problem: start.problem ?? unreadable ?? world.problem
	};
}

async function checkReadable(dir: string) {
	const unreadable = (why: string, cause?: unknown) =>
		new AppError('internal', `The server folder ${dir} ${why}`, { cause, code: 'server-folder' });
	const stats = await stat(dir).catch((cause) => {
		if (errno(cause) === 'ENOENT') throw unreadable('does not exist. Check SERVER_DIR.', cause);
		throw unreadable('cannot be reached. Check SERVER_DIR and its permissions.', cause);
	});
	if (!stats.isDirectory()) throw unreadable('is not a folder. Check SERVER_DIR.');
	await access(dir, constants.R_OK | constants.X_OK).catch((cause) => {
		throw unreadable('cannot be read. Give this user the right to read it.', cause);
	});
}

async function readSettings(folder: ServerFolder) {
	const bytes = await folder.bytes(SETTINGS, PROPERTIES_MAX_BYTES);
	const problem = folder.denied(SETTINGS)
		? `${SETTINGS} cannot be read: give this user the right to read it.`
		: null;
	return { properties: parseProperties(bytes ?? Buffer.alloc(0)), problem };
}

/** The world's folder, relative to the server's. A path that leads outside, by name or through a link, is refused. */
async function findWorld(folder: ServerFolder, name: string) {
	const outside = {
		relative: NO_WORLD,
		problem: `level-name in ${SETTINGS} leads out of the server folder (${stripCodes(name).slice(0, 60)}), so the world is not read there. Move it into the server folder.`
	};
	const relative = path.normalize(name).replace(/\/+$/, '');
	const leaves = relative === '..' || relative.startsWith('../');
	if (name.includes('\0') || path.isAbsolute(name) || relative === '.' || leaves) return outside;
	await folder.exists(relative);
	const root = await realpath(folder.dir);
	const real = await realOfExisting(path.join(root, relative));
	if (real === null || !(real + path.sep).startsWith(root + path.sep) || real === root)
		return outside;
	return { relative, problem: null };
}

/**
 * Where a path really leads, as far as it exists; null when that cannot be determined (a loop of links, no
 * permission).
 */
async function realOfExisting(file: string): Promise<string | null> {
	try {
		return await realpath(file);
	} catch (error) {
		// A link to nothing may lead anywhere tomorrow.
		const link = await lstat(file).then(
			(stats) => stats.isSymbolicLink(),
			() => false
		);
		if (errno(error) !== 'ENOENT' || link) return null;
		const parent = await realOfExisting(path.dirname(file));
		return parent && path.join(parent, path.basename(file));
	}
}

/** A console on another host than this one is a game on that host too. */
function gameAddress(properties: Properties, overrides: InstallationOverrides['rcon']) {
	return {
		host: overrides.host ?? reachable(properties.get('server-ip')),
		port: wholeNumber(properties.get('server-port'), 1, 65535) ?? GAME_PORT,
		statusEnabled: isTrue(properties.get('enable-status') ?? 'true')
	};
}

function rconAccess(properties: Properties, overrides: InstallationOverrides['rcon']) {
	const configured = properties.get('rcon.port');
	const port =
		overrides.port ?? (configured === null ? RCON_PORT : wholeNumber(configured, 1, 65535));
	const password = overrides.password || properties.get('rcon.password') || null;
	return {
		enabled: isTrue(properties.get('enable-rcon')) && password !== null && port !== null,
		host: overrides.host ?? reachable(properties.get('server-ip')),
		port: port ?? RCON_PORT,
		password
	};
}

/** The address to connect to for an address that the server listens on. */
const reachable = (ip: string | null) => {
	const host = ip?.trim() ?? '';
	return /^[\w.:-]{1,255}$/.test(host) && host !== '0.0.0.0' && host !== '::' ? host : LOCAL_HOST;
};

const isTrue = (value: string | null) => value?.trim().toLowerCase() === 'true';

function wholeNumber(value: string | null, min: number, max: number) {
	const number = /^\s*\d{1,10}\s*$/.test(value ?? '') ? Number(value) : NaN;
	return number >= min && number <= max ? number : null;
}

function softwareName(brand: string | null, loader: Loader | null, version: string | null) {
	if (!brand || !version) return brand;
	return loader === 'paper' ? `${brand} build ${version}` : `${brand} ${version}`;
}
