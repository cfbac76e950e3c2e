import { readFile, realpath, access, constants } from 'node:fs/promises';
import path from 'node:path';
import os from 'node:os';
import { within } from './sandbox.ts';

/** How the game is started in a copy of its folder. */
export type CopyCommand = {
	/** For a folder: absolute paths into the server's own folder are redirected into it. */
	argvIn(dir: string): string[];
	/** The real file of the program. */
	program: string;
	/** How much of the machine's memory the game may take. */
	heapBytes: number;
};

const ARGS_MAX_BYTES = 64 * 1024;
/** Options of the game itself that lead to the live world or port. */
const LIVE_OPTIONS = new Set(['--universe', '--world', '--port', '--serverId']);
const UNITS: Record<string, number> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** The command for copies of `serverDir`; a sentence when it cannot be pointed at a copy. */
export async function copyCommand(
	argv: string[],
	serverDir: string
): Promise<CopyCommand | string> {
	const [java = '', ...args] = argv;
	if (path.basename(java) !== 'java')
		return 'The start command is not plain Java, so it cannot be pointed at a copy of the server.';
	const target = targetAt(args);
	if (target < 0)
		return 'The start command names no jar and no file of arguments, so it cannot be pointed at a copy of the server.';
	const named = args.flatMap((arg, i) =>
		arg.startsWith('@') ? [arg.slice(1)] : args[i - 1] === '-jar' ? [arg] : []
	);
	const outside = named.find((file) => !within(path.resolve(serverDir, file), serverDir));
	if (outside !== undefined)
		return `The start command names ${path.basename(outside)} outside the server’s folder, so it cannot be pointed at a copy of it.`;
	const program = await findProgram(java);
	if (!program) return 'The Java of the start command was not found.';
	const jvmArgs = [...args.slice(0, target), '-XX:-AlwaysPreTouch'];
	const rest = withoutLive(args.slice(target));
	const files = named.filter((file) => !file.endsWith('.jar'));
	return {
		program,
		heapBytes: heapOf([...jvmArgs, ...(await argsIn(serverDir, files))]),
		argvIn: (dir) => [
			program,
			...[...jvmArgs, ...rest].map((arg) => arg.replaceAll(`${serverDir}/`, `${dir}/`))
		]
	};
}

/** Where the options for Java end: `-jar`, or the last argument file. */
function targetAt(args: string[]) {
	const jar = args.indexOf('-jar');
	return jar >= 0 ? jar : args.findLastIndex((arg) => /^@.*args\.txt$/.test(arg));
}

const withoutLive = (args: string[]) =>
	args.filter(
		(arg, i) =>
			!LIVE_OPTIONS.has(arg.split('=')[0]!) && !(LIVE_OPTIONS.has(args[i - 1] ?? '') && i > 0)
	);

async function findProgram(java: string): Promise<string | null> {
	const places = java.includes('/')
		? [java]
		: (process.env['PATH'] ?? '').split(':').map((dir) => path.join(dir, java));
	for (const place of places) {
		const isThere = await access(place, constants.X_OK).then(
			() => true,
			() => false
		);
		if (isThere) return realpath(place);
	}
	return null;
}

async function argsIn(serverDir: string, files: string[]) {
	const texts = await Promise.all(
		files.map((file) => readFile(path.resolve(serverDir, file), 'utf8').catch(() => ''))
	);
	return texts.flatMap((text) =>
		text
			.slice(0, ARGS_MAX_BYTES)
			.split('\n')
			.filter((line) => !line.trim().startsWith('#'))
			.flatMap((line) => line.trim().split(/\s+/))
	);
}

/** The last `-Xmx`, else the share of the machine's memory that Java takes by default. */
export function heapOf(args: string[], totalBytes = os.totalmem()): number {
	const last = (pattern: RegExp) => args.map((arg) => pattern.exec(arg)).findLast(Boolean);
	const xmx = last(/^(?:-Xmx|-XX:MaxHeapSize=)(\d+)([kmgt]?)$/i);
	if (xmx) return Number(xmx[1]) * (UNITS[xmx[2]!.toLowerCase()] ?? 1);
	const share = last(/^-XX:MaxRAMPercentage=([\d.]+)$/);
	return Math.ceil((totalBytes * (share ? Number(share[1]) : 25)) / 100);
}
