import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { parseProperties } from './properties.ts';
import { byVersion, findStartables, unusedInstaller, type Startable } from './server-files.ts';
import type { ServerFolder } from './server-folder.ts';
import type { Loader } from './server-jar.ts';
import { readStartScripts, type ScriptLine, type Scripts } from './start-script.ts';
import { stripCodes } from '#minecraft/text';

const USER_ARGS = '@user_jvm_args.txt';
const LAUNCHER_MAX_BYTES = 64 * 1024;
/** Which of several loaders in one folder counts when neither a script nor the log says. */
const ORDER: (Loader | null)[] = ['fabric', 'quilt', 'neoforge', 'forge', 'paper', 'vanilla', null];

/** `how` says in a sentence where the command comes from. */
export type StartCommand = { argv: string[]; how: string };
export type Clues = {
	/** Set by the owner; nothing needs to be detected. */
	command: StartCommand | null;
	javaHome: string | null;
	/** The program of the Java that fits a game version; null when none is known to. */
	javaFor?: (game: string) => Promise<string | null>;
	/** The loader that wrote the last log. */
	logged: Loader | null;
};
export type Start = {
	server: Startable | null;
	command: StartCommand | null;
	problem: string | null;
};

/** Works out how the server in a folder is started: `java` itself with an argument array, never a shell. */
export async function findStart(
	folder: ServerFolder,
	{ command, javaHome, javaFor, logged }: Clues
): Promise<Start> {
	const inFolder = (file: string) => path.relative(folder.dir, path.resolve(folder.dir, file));
	const words = (command?.argv ?? []).map((word) => inFolder(word.replace(/^@/, '')));
	const scripts = await readStartScripts(folder, await scriptsAmong(folder, words));
	const lines = scripts.lines.map((line) => ({ ...line, target: inFolder(line.target) }));
	const started = lines.map(({ target }) => target);
	const startables = await findStartables(folder, [...words, ...started]);
	// A jar that tells no loader may be anything (an agent, a wrapper): naming it in the command says nothing.
	const told = startables.flatMap(({ file, loader }) => (loader ? [file] : []));
	const own = words.filter((word) => told.includes(word));
	const server = choose(startables, [...own, ...started], logged);
	const failed = (problem: string) => ({ server, command: null, problem: stripCodes(problem) });
	const done = (argv: string[], notes: (string | null)[]) => {
		const how = `${stripCodes(notes.filter(Boolean).join(', '))}.`;
		return { server, command: { argv, how }, problem: null };
	};

	if (command) return { server, command, problem: null };
	if (!server) return failed(await nothingFound(folder));
	const problem = await missingGameJar(folder, server);
	if (problem) return failed(problem);
	const line = lines.find(({ target }) => target === server.file);
	const jvmArgs = await jvmArgsFor(folder, server, line);
	const java =
		line && line.java !== 'java'
			? line.java
			: await findJava(javaHome, () => fitting(server, javaFor));
	const start = server.kind === 'args' ? [`@${server.file}`] : ['-jar', server.file];
	return done(
		[java, ...jvmArgs, ...start, 'nogui'],
		[
			found(server),
			optionsFrom(jvmArgs, line),
			line ? null : notFollowed({ ...scripts, lines }),
			others(server, startables)
		]
	);
}

/** Files of the folder itself that a command names and that may be scripts. */
async function scriptsAmong(folder: ServerFolder, words: string[]) {
	const names = await folder.names('');
	return words.filter((word) => names.includes(word) && !word.endsWith('.jar'));
}

/** What the owner's script passes to Java; without a script, what the installer of Forge and NeoForge would pass. */
async function jvmArgsFor(folder: ServerFolder, { kind }: Startable, line: ScriptLine | undefined) {
	const args = line?.jvmArgs ?? (kind === 'args' ? [USER_ARGS] : []);
	const present = await folder.exists(USER_ARGS.slice(1));
	return args.filter((arg) => arg !== USER_ARGS || present);
}

/**
 * Picks one of several: the one that the owner's own command or script starts, else the loader that wrote the last
 * log, else by a fixed order; of one loader the newest. A vanilla jar never wins over a loader: a modded world opened
 * without its mods loses what they made.
 */
function choose(startables: Startable[], named: string[], logged: Loader | null) {
	const modded = startables.filter(({ loader }) => loader !== 'vanilla');
	const candidates = [...(modded.length ? modded : startables)].sort(
		(a, b) => ORDER.indexOf(a.loader) - ORDER.indexOf(b.loader) || byVersion(a, b)
	);
	for (const name of named) {
		const own = candidates.find(({ file }) => file === name);
		if (own) return own;
	}
	const wrote = logged && candidates.find(({ loader }) => loader === logged);
	return wrote || (candidates[0] ?? null);
}

const fitting = async ({ gameVersion }: Startable, javaFor: Clues['javaFor']) =>
	(gameVersion && (await javaFor?.(gameVersion))) || 'java';

async function findJava(javaHome: string | null, otherwise: () => Promise<string>) {
	if (!javaHome) return otherwise();
	const java = path.join(javaHome, 'bin', 'java');
	return access(java, constants.X_OK).then(() => java, otherwise);
}

/** The older launchers of Fabric and Quilt start a vanilla jar next to them. */
async function missingGameJar(folder: ServerFolder, { file, loader }: Startable) {
	if (!/^(?:fabric|quilt)-server-launch(?:\.jar)?$/.test(file)) return null;
	const settings = `${loader}-server-launcher.properties`;
	const bytes = await folder.bytes(settings, LAUNCHER_MAX_BYTES);
	const jar = (bytes && parseProperties(bytes).get('serverJar')) || 'server.jar';
	if (path.isAbsolute(jar) || (await folder.exists(jar))) return null;
	return `${file} needs the game’s own ${jar.slice(0, 80)} beside it, which is missing. Put it there (Mojang offers it for each version of the game), correct serverJar in ${settings}, or set SERVER_COMMAND.`;
}

async function nothingFound(folder: ServerFolder) {
	const installer = await unusedInstaller(folder);
	if (installer)
		return `${installer} is in ${folder.dir}, but the server that it installs is not: run the installer, or set SERVER_COMMAND.`;
	return `No server was found in ${folder.dir}. Copy yours there: Fabric, Quilt, Forge, NeoForge, Paper and vanilla are recognised by their files. For anything else set SERVER_COMMAND.`;
}

function found({ kind, loader, brand, loaderVersion, file }: Startable) {
	if (kind === 'args') return `${brand} ${loaderVersion} found in libraries`;
	const launcher = loader === 'fabric' || loader === 'quilt' ? 'launcher ' : '';
	return `${brand ?? 'Server'} ${launcher}jar found: ${file}`;
}

function optionsFrom(jvmArgs: string[], line: ScriptLine | undefined) {
	if (!jvmArgs.length) return null;
	const file = jvmArgs.every((arg) => arg === USER_ARGS) ? USER_ARGS.slice(1) : line?.script;
	return `with the Java options of ${file}`;
}

function notFollowed({ lines: [other], unusual: [unusual] }: Scripts) {
	if (other)
		return `${other.script} is not followed because it starts ${other.target.slice(0, 80)}`;
	return unusual ? `${unusual} and is not followed` : null;
}

function others(server: Startable, startables: Startable[]) {
	const files = startables.flatMap((one) =>
		one === server || one.loader === 'vanilla' ? [] : [one.file]
	);
	return files.length ? `also there: ${files.slice(0, 3).join(', ').slice(0, 200)}` : null;
}
