import path from 'node:path';
import { openRegular } from '#core/files';
import { parseLogLine } from '#minecraft/log-format';
import { levelVersion } from './nbt.ts';
import { cleanVersion, readServerJar, type Loader } from './server-jar.ts';
import type { ServerFolder } from './server-folder.ts';

const LOG_HEAD_BYTES = 64 * 1024;
const MESSAGE_MAX_CHARS = 4096;
const LEVEL_MAX_BYTES = 8 << 20;

export type Versions = {
	loader: Loader | null;
	loaderVersion: string | null;
	gameVersion: string | null;
};

/**
 * What the first lines of `logs/latest.log` say about the server that wrote it. After midnight a log begins in the
 * middle of a run and does not say.
 */
export async function versionsInLog(folder: ServerFolder): Promise<Versions> {
	const head = (await folder.head('logs/latest.log', LOG_HEAD_BYTES))?.toString('utf8') ?? '';
	const messages = head
		.split('\n')
		.flatMap((line) => parseLogLine(line)?.message.slice(0, MESSAGE_MAX_CHARS) ?? []);
	for (const read of [loadingLine, modLauncherLine, paperLine, startingLine])
		for (const message of messages) {
			const versions = read(message);
			if (versions) return versions;
		}
	return found(null);
}

function loadingLine(message: string) {
	const [, game, name, version] =
		/^Loading Minecraft (\S{1,60}) with (Fabric|Quilt) Loader (\S{1,60})/.exec(message) ?? [];
	return game ? found(name === 'Quilt' ? 'quilt' : 'fabric', version, game) : null;
}

function modLauncherLine(message: string) {
	if (!message.startsWith('ModLauncher running: args [')) return null;
	const argument = (key: string) =>
		new RegExp(`--fml\\.${key}, ([^,\\]]{1,60})`).exec(message)?.[1];
	const neo = argument('neoForgeVersion');
	return found(neo ? 'neoforge' : 'forge', neo ?? argument('forgeVersion'), argument('mcVersion'));
}

function paperLine(message: string) {
	const game = /^This server is running \S{1,60} version .{1,120}?\(MC: ([^)]{1,60})\)/.exec(
		message
	);
	return game && found('paper', undefined, game[1]);
}

function startingLine(message: string) {
	const game = /^Starting minecraft server version (\S{1,60})/.exec(message);
	return game && found(null, undefined, game[1]);
}

const found = (loader: Loader | null, version?: string, game?: string): Versions => ({
	loader,
	loaderVersion: cleanVersion(version),
	gameVersion: cleanVersion(game)
});

/**
 * The game's version, from the files around the server, the most reliable first. Never guessed: null when nothing
 * says.
 */
export async function gameVersionAround(folder: ServerFolder, logged: Versions, worldDir: string) {
	const beside = ['fabric', 'quilt'].includes(logged.loader ?? '')
		? await readServerJar(folder, 'server.jar')
		: null;
	return (
		beside?.gameVersion ??
		only(await folder.names('libraries/net/fabricmc/intermediary'), /^(?!0\.0\.0$)(.+)$/) ??
		logged.gameVersion ??
		only(await folder.names('.fabric/server'), /^(.+)-server\.jar$/) ??
		only(await folder.names('versions'), /^(\d.*)$/) ??
		(await versionOfWorld(folder, worldDir))
	);
}

/** Two versions side by side (one left from before an update) prove nothing. */
function only(names: string[], pattern: RegExp) {
	const versions = names.flatMap((name) => cleanVersion(pattern.exec(name)?.[1]) ?? []);
	return versions.length === 1 ? versions[0]! : null;
}

async function versionOfWorld(folder: ServerFolder, worldDir: string) {
	const level = await folder.bytes(`${worldDir}/level.dat`, LEVEL_MAX_BYTES);
	return level && cleanVersion(await levelVersion(level));
}

/** The version that a world was last saved with; null when its level.dat does not say. */
export async function worldVersion(worldDir: string): Promise<string | null> {
	const handle = await openRegular(path.join(worldDir, 'level.dat'));
	if (!handle) return null;
	try {
		const { size } = await handle.stat();
		if (size > LEVEL_MAX_BYTES) return null;
		return cleanVersion(await levelVersion(await handle.readFile()));
	} finally {
		await handle.close();
	}
}
