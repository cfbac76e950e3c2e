/** What the stand-in for Java does when it is started in the folder. */
export type Behaviour = {
	/** When the ready line comes; null: never. */
	readyAfterMs?: number | null;
	/** Printed at once, to the output only (as the JVM does), instead of a server's start. */
	output?: string[];
	/** Written to the log and printed after the start lines; with `exitCode` it then ends. */
	log?: string[];
	/** Ends with this code instead of staying alive. */
	exitCode?: number;
	/** With `exitCode`: becomes ready first, and writes `log` and ends when SIGHUP tells it to. */
	exitLater?: boolean;
	/** How long it takes to end after SIGTERM; null: it does not. */
	stopAfterMs?: number | null;
	/** Put into `crash-reports/` before it ends. */
	crashReport?: string;
};
/** One start of the stand-in; `files` are what its input, output and error output lead to. */
export type Start = {
	argv: string[];
	cwd: string;
	pid: number;
	parent: number;
	session: number;
	files: string[];
	env: Record<string, string>;
};

/** Where it records how it was started, and where it reads how to behave, both in the server's folder. */
export const STARTS = 'stand-in-starts.jsonl';
export const BEHAVIOUR = 'stand-in.json';

/**
 * Plain JavaScript of the stand-in: it records how it was started, then behaves a little like a server.
 * SIGUSR2 is the command `stop`, for a test that plays its RCON.
 */
export const STAND_IN_JAVA = String.raw`
const fs = require('node:fs');
if (process.argv.includes('-version')) {
	process.stderr.write('openjdk version "25.0.1" 2025-10-21\n');
	process.exit(0);
}
const cwd = process.cwd();
const behaviour = fs.existsSync('${BEHAVIOUR}') ? JSON.parse(fs.readFileSync('${BEHAVIOUR}')) : {};
const { readyAfterMs = 20, output, log = [], exitCode, exitLater, stopAfterMs = 10, crashReport } = behaviour;
const stamp = () => new Date().toISOString().slice(11, 19);
// A console that nobody reads any more does not end a real server either.
process.stdout.on('error', () => {});
const say = (message, thread = 'Server thread/INFO') => {
	const line = /^\[|^\s|^[a-z.]+Exception/.test(message) ? message : '[' + stamp() + '] [' + thread + ']: ' + message;
	fs.appendFileSync('logs/latest.log', line + '\n');
	process.stdout.write(line + '\n');
};
const end = (code) => {
	if (crashReport) {
		fs.mkdirSync('crash-reports', { recursive: true });
		fs.writeFileSync('crash-reports/crash-' + new Date().toISOString().replace(/[:T]/g, '.').slice(0, 19) + '-server.txt', crashReport);
	}
	process.exit(code);
};
let stopping = false;
const stop = (code) => {
	if (stopAfterMs === null || stopping) return;
	stopping = true;
	say('Stopping server');
	setTimeout(() => {
		say('ThreadedAnvilChunkStorage: All dimensions are saved');
		end(code);
	}, stopAfterMs);
};
const session = Number(fs.readFileSync('/proc/self/stat', 'latin1').split(') ').pop().split(' ')[3]);
const files = [0, 1, 2].map((fd) => fs.readlinkSync('/proc/self/fd/' + fd));
const { pid, ppid: parent, env } = process;
fs.appendFileSync('${STARTS}', JSON.stringify({ argv: process.argv.slice(2), cwd, pid, parent, session, files, env }) + '\n');
if (output) {
	for (const line of output) process.stderr.write(line + '\n');
	if (exitCode !== undefined) end(exitCode);
}
process.on('SIGTERM', () => stop(143));
process.on('SIGINT', () => stop(130));
process.on('SIGUSR2', () => {
	say('Stopping the server');
	stop(0);
});
fs.mkdirSync('logs', { recursive: true });
// As the game's own log4j does: the log of the run before is put aside, never emptied.
if (fs.existsSync('logs/latest.log')) fs.renameSync('logs/latest.log', 'logs/' + Date.now() + '-1.log');
say('Starting minecraft server version 1.21.1');
const lastWords = () => {
	for (const line of log) say(line);
	if (exitCode !== undefined) end(exitCode);
};
if (exitLater) process.on('SIGHUP', lastWords);
else lastWords();
if (readyAfterMs !== null) setTimeout(() => say('Done (0.020s)! For help, type "help"'), readyAfterMs);
let typed = '';
process.stdin.on('error', () => {});
process.stdin.on('data', (chunk) => {
	typed += chunk;
	if (/^stop$/m.test(typed)) stop(0);
});
setInterval(() => {}, 60_000);
`;
