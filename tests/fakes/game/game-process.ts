import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	writeFileSync
} from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** How the fake game behaves; read from `game.json` in its folder when it starts. */
export type GameScript = {
	/** Until the ready line; null: never. */
	bootMs?: number | null;
	/** Until it ends after being told to stop; null: it ignores that. */
	stopMs?: number | null;
	/** Ends by itself right after the boot, or instead of it when `bootMs` is null. */
	exit?: { code: number; log?: string[]; output?: string; crashReport?: string };
};

const SELF = fileURLToPath(import.meta.url);
const BEAT_MS = 5;

/** A folder with a game in it: a real process that writes a log and obeys SIGTERM and a file named `command`. */
export type GameFolder = {
	dir: string;
	/** Starts it without a shell. */
	argv: string[];
	/** A stand-in named `java`, for servers that are started by hand. */
	java: string;
	script(script: GameScript): Promise<void>;
	/** `stop`, `exit <code>`, or a line for the log after `log `. */
	command(line: string): Promise<void>;
	log(): string;
	/** How often a game was started here. */
	starts(): number;
	dispose(): Promise<void>;
};

export async function createGameFolder(): Promise<GameFolder> {
	const game = gameFolderAt(await mkdtemp(path.join(tmpdir(), 'craftwarden-game-')));
	await writeFile(
		game.java,
		`#!${process.execPath}\nimport(${JSON.stringify(SELF)}).then((m) => m.play());\n`
	);
	await chmod(game.java, 0o755);
	await game.script({});
	return game;
}

/** The one that another process has created. */
export function gameFolderAt(dir: string): GameFolder {
	const java = path.join(dir, 'java');
	const read = (name: string) =>
		existsSync(path.join(dir, name)) ? readFileSync(path.join(dir, name), 'utf8') : '';
	return {
		dir,
		argv: [java, '-jar', 'server.jar', 'nogui'],
		java,
		script: (script) => writeFile(path.join(dir, 'game.json'), JSON.stringify(script)),
		async command(line) {
			await writeFile(path.join(dir, 'command.new'), line);
			renameSync(path.join(dir, 'command.new'), path.join(dir, 'command'));
		},
		log: () => read('logs/latest.log'),
		starts: () => read('starts').length,
		async dispose() {
			for (const pid of read('pids').split('\n').filter(Boolean)) endGame(Number(pid), dir);
			await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
		}
	};
}

/** Only what still runs in this same folder. */
function endGame(pid: number, dir: string) {
	try {
		if (readlinkSync(`/proc/${pid}/cwd`) === dir) process.kill(pid, 'SIGKILL');
	} catch {
		// It has ended.
	}
}

/** Runs inside the game's own process, in its folder. */
export function play() {
	appendFileSync('starts', '.');
	appendFileSync('pids', `${process.pid}\n`);
	const {
		bootMs = 20,
		stopMs = 20,
		exit
	} = JSON.parse(readFileSync('game.json', 'utf8')) as GameScript;
	mkdirSync('logs', { recursive: true });
	if (existsSync('logs/latest.log')) renameSync('logs/latest.log', `logs/old-${process.pid}.log`);
	const line = (message: string, thread = 'Server thread') =>
		appendFileSync('logs/latest.log', `[10:00:00] [${thread}/INFO]: ${message}\n`);
	let stopping = false;

	const stop = (code: number) => {
		if (stopMs === null || stopping) return;
		stopping = true;
		line('Stopping server');
		setTimeout(() => {
			line('ThreadedAnvilChunkStorage: All dimensions are saved');
			// What was still sent to it is not for the next one.
			rmSync('command', { force: true });
			process.exit(code);
		}, stopMs);
	};
	const fail = () => {
		if (!exit) return;
		for (const text of exit.log ?? []) line(text);
		if (exit.output) process.stderr.write(exit.output);
		if (exit.crashReport) {
			mkdirSync('crash-reports', { recursive: true });
			writeFileSync('crash-reports/crash-2026-01-01_10.00.00-server.txt', exit.crashReport);
		}
		process.exit(exit.code);
	};
	process.on('SIGTERM', () => stop(143));
	setInterval(() => {
		if (!existsSync('command')) return;
		const [word, ...rest] = readFileSync('command', 'utf8').trim().split(' ');
		rmSync('command');
		if (word === 'stop') {
			line('Stopping the server');
			stop(0);
		} else if (word === 'log') line(rest.join(' '));
		else if (word === 'exit') process.exit(Number(rest[0]));
	}, BEAT_MS);

	console.log('The game prints to its console.');
	line('Starting minecraft server version 1.21.1');
	if (bootMs === null) return fail();
	setTimeout(() => {
		line('Done (0.020s)! For help, type "help"');
		fail();
	}, bootMs);
}
