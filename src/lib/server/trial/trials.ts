import { randomBytes } from 'node:crypto';
import { copyFile, lstat, readdir, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { AppError } from '#core/errors';
import { copyTree, diskFailure, ensureDir, exists, readTextIfExists, readTree } from '#core/files';
import { lazy } from '#core/lazy';
import type { Clock } from '#core/clock';
import type { Logger, Mask } from '#core/log';
import { markOf, pids, processLives, readEnviron } from '#core/process';
import { createSerial } from '#core/serial';
import { openCrashEvidence, diagnose, READY_LINE } from '#minecraft/diagnosis';
import { stripCodes } from '#minecraft/text';
import {
	bootOnce,
	kill,
	killAll,
	PROCESS_FILE,
	type BootResult,
	type BootTrouble
} from './boot.ts';
import { findOut, type Can } from './can.ts';
import { copyCommand, type CopyCommand } from './command.ts';
import {
	DOWNLOADED,
	freeBytes,
	GROWTH_MAX_BYTES,
	makeCopy,
	planCopy,
	removeCopy,
	roomProblem,
	sizeOf,
	type Copy,
	type TrialGame,
	type TrialJar
} from './copy.ts';
import { freeMemory as readFreeMemory, memoryProblem } from './memory.ts';
import { ALWAYS_HIDDEN, sandboxArgs, within } from './sandbox.ts';
import { secretsIn } from './secrets.ts';
import { shortage } from './shortage.ts';
import { judge, type TrialVerdict } from './verdict.ts';

/**
 * Boots a set of jars on a copy of the server, beside the running one and isolated from it, and reports how that went.
 * Nothing of the server is ever changed or stopped, and nothing is left behind, not even by a kill at any moment,
 * once `sweep` has run.
 */
export interface Trials {
	/** Why nothing can be booted here now, in a sentence; null when it can. With jars, their size counts too. */
	problem(jars?: TrialJar[], game?: TrialGame): Promise<string | null>;
	/** What people should know although it can; null when there is nothing. */
	note(): Promise<string | null>;
	/** One started process is one boot. One at a time. `AppError` when it cannot even be tried. */
	boot(jars: TrialJar[], how: BootHow): Promise<TrialVerdict>;
	/**
	 * Runs a launcher that downloads its game at the first start: in an empty folder of its own, in the sandbox but with
	 * the network, without mods and without the agreement to the EULA, so that the game ends before it makes a world.
	 * Returns why the game is not complete, in a sentence, or null when it is. `AppError` when it cannot even be tried.
	 */
	complete(launcher: Launcher, how: Omit<BootHow, 'game'>): Promise<string | null>;
	/**
	 * How long a boot may take to get ready, and how long one usually takes; null while no boot was good. `holdMs`: for how
	 * long it is watched then. `wholeMs`: the duration of a whole boot, as far as it can be estimated.
	 */
	times(): Promise<{ limitMs: number; usualMs: number | null; holdMs: number; wholeMs: number }>;
	/** Ends and removes what dead processes left behind. Only while nothing boots here. */
	sweep(): Promise<void>;
}

export type BootHow = {
	signal: AbortSignal;
	/** Lines of its output as they come, masked; a flood is thinned out. */
	tell?: (line: string) => void;
	/** Boots this game instead of the present one. */
	game?: TrialGame;
};

export type Launcher = {
	jar: string;
	/** The path of the program. */
	java: string;
	/** An existing folder that receives the game and its libraries. */
	into: string;
};

export type TrialsDeps = {
	clock: Clock;
	/** Hides known secrets, and those found in the copied configuration. */
	mask: (found: string[]) => Promise<Mask>;
	serverDir: string;
	/** Copies are in its folder `trials`. */
	dataDir: string;
	/** What must be hidden from the game in the sandbox, besides the usual places; files such as `.env`. */
	hidden: { dirs: string[]; files: string[] };
	/** Read-only in the sandbox, wherever they are. */
	needed?: string[];
	/** Why nothing of the game can be started here, whatever the machine offers; null when it can. */
	elsewhere?: string | null;
	/** How the server is started. */
	installation: () => Promise<{ command: string[] | null; worldDir: string; supported: boolean }>;
	/** For a command that needs nothing from the server's folder: the demo's own game. */
	portable?: { heapBytes: number } | null;
	/** Passed on to the game; nothing else of ours is. */
	environment: Record<string, string>;
	/** Works without a sandbox where there is none: only for our own jars. */
	trusted: boolean;
	/** Memory of the running server; null when none runs. */
	liveBytes: () => Promise<number | 'unknown' | null>;
	/** How long recent good boots took to get ready. */
	history: { read(): Promise<number[]>; add(readyMs: number): Promise<void> };
	/** The longest that a boot may take, and the shortest limit. */
	limits: { maxMs: number; minMs: number; holdMs: number };
	log: Logger;
	can?: () => Promise<Can>;
	freeMemory?: () => number | null;
	growthMaxBytes?: number;
};

const LEAST_FREE = { disk: 256 * 2 ** 20, memory: 192 * 2 ** 20 };
const SLOWER = 3;
/** A launcher downloads some hundred files and may have to remap the game. */
const COMPLETE_LIMIT_MS = 10 * 60_000;
const LAUNCHER_HEAP_MAX_BYTES = 2 ** 30;
const SAID_MAX = 200;
/** They may be links into a hidden folder. */
const NETWORK_FILES = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'];
const KEPT_ENVIRONMENT = ['PATH', 'LANG', 'LC_ALL', 'TZ'];

export function createTrials(deps: TrialsDeps): Trials {
	const { serverDir, dataDir, clock, limits, freeMemory = readFreeMemory } = deps;
	const root = path.join(dataDir, 'trials');
	const can = lazy(deps.can ?? findOut);
	const inTurn = createSerial();

	async function command(game?: TrialGame): Promise<CopyCommand | string> {
		const { command: usual, supported } = await deps.installation();
		const argv = deps.portable ? usual : (game?.command ?? usual);
		if (!argv) return 'It is not known how the server is started.';
		if (!supported) return 'Trial boots are made for Fabric, Quilt, Forge and NeoForge only.';
		if (!deps.portable) return copyCommand(argv, serverDir);
		const { heapBytes } = deps.portable;
		return { program: argv[0]!, heapBytes, argvIn: () => argv };
	}

	const problem = (jars?: TrialJar[], game?: TrialGame) =>
		problemWith(jars, game).catch((error) => {
			const short = shortage(error);
			if (short) return `Trial boots are not possible at the moment: ${short}.`;
			if (error instanceof AppError && error.kind === 'conflict') return error.message;
			throw error;
		});

	async function problemWith(jars: TrialJar[] = [], game?: TrialGame): Promise<string | null> {
		if (deps.elsewhere) return deps.elsewhere;
		const sandbox = (await can()).problem;
		if (sandbox && !deps.trusted) return sandbox;
		const start = await command(game);
		if (typeof start === 'string') return start;
		const live = await deps.liveBytes();
		const { heapBytes } = start;
		const liveMayGrow = live === null ? 0 : heapBytes - (live === 'unknown' ? 0 : live);
		const short = memoryProblem(freeMemory(), { heapBytes, liveMayGrow: Math.max(0, liveMayGrow) });
		if (short) return short;
		const javaHome = homeOf(start.program);
		if (!deps.portable && hiddenDirs(deps).some((dir) => within(dir, javaHome)))
			return `Java lies in ${javaHome}, which also holds what a trial boot must not see.`;
		const shared = !sandbox;
		await ensureDir(root);
		return roomProblem(await plan(game), root, shared ? 0 : await sizeOfJars(jars));
	}

	const plan = async (game?: TrialGame) =>
		planCopy(
			serverDir,
			[(await deps.installation()).worldDir, ...hiddenDirs(deps), ...deps.hidden.files],
			game
		);

	/** A machine that runs short of something proves nothing. */
	const enough = <T>(made: Promise<T>) =>
		made.catch((cause) => {
			const short = shortage(cause);
			if (!short) throw cause;
			throw new AppError('conflict', `The trial boot could not be made: ${short}.`, { cause });
		});

	async function boot(jars: TrialJar[], how: BootHow): Promise<TrialVerdict> {
		const { game } = how;
		return inFolder(jars, game, async (dir) => {
			const start = (await command(game)) as CopyCommand;
			const share = (await can()).problem === null;
			const planned = await plan(game);
			const copy = await makeCopy(planned, {
				...{ dir, jars, share, signal: how.signal },
				port: await freePort()
			});
			const mask = await deps.mask(await secretsIn(copy.dir, planned.files));
			return bootCopy(start, copy, { ...how, mask });
		});
	}

	/** Works in a folder that is always removed afterwards; the next call removes what a kill has left. */
	async function inFolder<T>(
		jars: TrialJar[],
		game: TrialGame | undefined,
		act: (dir: string) => Promise<T>
	): Promise<T> {
		await sweep();
		const why = await problem(jars, game);
		if (why) throw new AppError('conflict', why);
		const dir = path.join(await realpath(root), randomBytes(8).toString('hex'));
		try {
			return await act(dir);
		} finally {
			await removeCopy(dir).catch((cause) =>
				deps.log.error('A copy of the server could not be removed', { cause })
			);
		}
	}

	const complete: Trials['complete'] = async ({ jar, java, into }, how) => {
		// The demo's game is a program of ours, with nothing to download.
		if (deps.portable) return null;
		return inFolder([], undefined, async (base) => {
			const [dir, tmp] = [path.join(base, 'server'), path.join(base, 'tmp')];
			for (const one of [dir, tmp]) await ensureDir(one);
			await copyFile(jar, path.join(dir, path.basename(jar)));
			const { heapBytes } = (await command()) as CopyCommand;
			const heap = Math.ceil(Math.min(heapBytes, LAUNCHER_HEAP_MAX_BYTES) / 2 ** 20);
			const program = await realpath(java);
			const argv = [program, `-Xmx${heap}M`, '-jar', path.basename(jar), 'nogui'];
			const start = { program, heapBytes, argvIn: () => argv };
			const mask = await deps.mask([]);
			const { result, show } = await watched(
				start,
				{ dir, tmp, readOnly: [] },
				{ ...how, mask },
				{
					network: true,
					isReady: () => false,
					limits: { limitMs: COMPLETE_LIMIT_MS, holdMs: 0 }
				}
			);
			const { end, exit, output } = result;
			// The game itself writes this file, once everything that it needs is there.
			const isThere = await exists(path.join(dir, 'eula.txt'));
			if (end !== 'exited' || exit?.code !== 0 || !isThere) {
				const said = show(output.findLast((line) => line.trim()) ?? 'nothing').slice(0, SAID_MAX);
				return `The launcher did not download the game. The last line that it printed: “${said}”.`;
			}
			await keepDownloads(dir, into, how.signal);
			return null;
		});
	};

	async function bootCopy(start: CopyCommand, copy: Copy, how: Masked): Promise<TrialVerdict> {
		const { limitMs } = await times();
		const began = clock.now();
		const beganMs = clock.monotonicMs();
		const { result, show } = await watched(start, copy, how, {
			isReady: (line) => READY_LINE.test(line),
			limits: { limitMs, holdMs: limits.holdMs }
		});
		const left = await leftBehind(copy.dir, began);
		const verdict = judge(
			{
				result: { ...ofSandbox(result), output: result.output.map(show) },
				log: left.log.map(show),
				crashReport: left.crashReport && show(left.crashReport),
				limitMs,
				durationMs: clock.monotonicMs() - beganMs
			},
			diagnose
		);
		if (verdict.verdict === 'good' && verdict.readyMs !== null)
			await deps.history
				.add(verdict.readyMs)
				.catch((cause) => deps.log.warn('The duration of a boot could not be saved', { cause }));
		return verdict;
	}

	type Masked = BootHow & { mask: Mask };
	type Watching = {
		isReady: (line: string) => boolean;
		limits: { limitMs: number; holdMs: number };
		network?: boolean;
	};

	async function watched(
		start: CopyCommand,
		copy: Copy,
		how: Masked,
		{ isReady, limits, network = false }: Watching
	) {
		const show = (line: string) => how.mask(stripCodes(line)).replaceAll(copy.dir, serverDir);
		const result = await bootOnce({
			...(await argvFor(start, copy, network)),
			dir: path.dirname(copy.dir),
			trouble: await troubleIn(copy),
			tell: (line) => how.tell?.(show(line)),
			...{ isReady, ...limits, signal: how.signal, clock }
		});
		return { result, show };
	}

	/** The command line in and around the sandbox. */
	async function argvFor(start: CopyCommand, copy: Copy, network: boolean) {
		const { problem: none, gently } = await can();
		const argv = start.argvIn(copy.dir);
		const kept = KEPT_ENVIRONMENT.flatMap((name) => {
			const value = process.env[name];
			return value ? [[name, value] as const] : [];
		});
		const environment = { ...Object.fromEntries(kept), ...deps.environment, HOME: copy.dir };
		if (none)
			return {
				argv: [...gently, ...argv],
				cwd: copy.dir,
				environment: { ...environment, TMPDIR: copy.tmp }
			};
		const hidden = {
			dirs: await existing([...ALWAYS_HIDDEN, ...hiddenDirs(deps)]),
			files: await existing(deps.hidden.files)
		};
		const program = deps.portable ? start.program : homeOf(start.program);
		const needed = await existing([
			...[program, ...(deps.needed ?? [])],
			...(network ? [...NETWORK_FILES, path.join(program, 'lib/security/cacerts')] : [])
		]);
		const args = sandboxArgs({
			...{ dir: copy.dir, tmp: copy.tmp, hidden, environment, network },
			readOnly: [...needed.map((file) => ({ from: file, to: file })), ...copy.readOnly]
		});
		return { argv: [...gently, 'bwrap', ...args, ...argv], cwd: '/', environment };
	}

	async function troubleIn(copy: Copy): Promise<() => Promise<BootTrouble | null>> {
		const whole = path.dirname(copy.dir);
		const most = (await sizeOf(whole)) + (deps.growthMaxBytes ?? GROWTH_MAX_BYTES);
		return async () => {
			if ((await sizeOf(whole)) > most) return 'filled';
			const disk = await freeBytes(whole);
			if (disk !== null && disk < LEAST_FREE.disk) return 'no-room';
			const memory = freeMemory();
			return memory !== null && memory < LEAST_FREE.memory ? 'no-memory' : null;
		};
	}

	async function times() {
		// A boot beyond the limit was kept waiting for a processor, so it is not typical.
		const usualMs = median((await deps.history.read()).filter((ms) => ms <= limits.maxMs));
		const wanted = usualMs === null ? limits.maxMs : Math.max(limits.minMs, SLOWER * usualMs);
		const limitMs = Math.min(wanted, limits.maxMs);
		const { holdMs } = limits;
		return { usualMs, limitMs, holdMs, wholeMs: (usualMs ?? limitMs) + holdMs };
	}

	async function sweep() {
		for (const name of await readdir(root).catch(() => [])) {
			const dir = path.join(root, name);
			await endLeftOver(dir);
			await removeCopy(dir).catch((cause) =>
				deps.log.warn('A copy of the server could not be removed', { cause })
			);
		}
	}

	return {
		problem,
		async note() {
			const sandbox = await can().catch(() => null);
			if (!deps.trusted || !sandbox?.problem) return null;
			return 'This is the demo, and there is no sandbox here: its trial boots run without one.';
		},
		boot: (jars, how) => inTurn.run(() => enough(boot(jars, how))),
		complete: (launcher, how) => inTurn.run(() => enough(complete(launcher, how))),
		times,
		sweep: () => inTurn.run(sweep)
	};
}

const hiddenDirs = ({ serverDir, dataDir, hidden }: TrialsDeps) => [
	serverDir,
	dataDir,
	...hidden.dirs
];

/** `…/bin/java` → `…` */
const homeOf = (program: string) => path.dirname(path.dirname(program));

/** The real paths of those that exist. */
async function existing(files: string[]): Promise<string[]> {
	const real = await Promise.all(files.map((file) => realpath(file).catch(() => null)));
	return [...new Set(real.filter((file) => file !== null))];
}

const sizeOfJars = async (jars: TrialJar[]) => {
	const sizes = await Promise.all(
		jars.map((jar) =>
			lstat(jar.path).then(
				({ size }) => size,
				() => 0
			)
		)
	);
	return sizes.reduce((sum, size) => sum + size, 0);
};

/** The message is the sandbox's, not the game's: the game was never started. */
function ofSandbox(result: BootResult): BootResult {
	const isSandbox =
		result.end === 'exited' &&
		result.output.length > 0 &&
		result.output.every((line) => /^(?:bwrap|nice|ionice|choom): /.test(line));
	return isSandbox ? { ...result, end: 'not-started' } : result;
}

/** Copies all or nothing: half a library would be taken for a whole one. */
async function keepDownloads(dir: string, into: string, signal: AbortSignal) {
	try {
		for (const name of DOWNLOADED) {
			const from = path.join(dir, name);
			if (await isFolder(from))
				await copyTree(from, path.join(into, name), await readTree(from), { signal });
		}
	} catch (cause) {
		for (const name of DOWNLOADED)
			await rm(path.join(into, name), { recursive: true, force: true }).catch(() => {});
		throw signal.aborted ? cause : diskFailure('The game could not be saved', cause);
	}
}

/** A folder that the game has replaced by a link is not read: it may lead anywhere. */
const isFolder = (dir: string) =>
	lstat(dir).then(
		(found) => found.isDirectory(),
		() => false
	);

async function leftBehind(dir: string, began: Date) {
	const evidence = openCrashEvidence({ serverDir: dir, output: async () => [] });
	const run = { since: began.toISOString(), mark: null };
	return {
		log: (await isFolder(path.join(dir, 'logs'))) ? await evidence.log(run) : [],
		crashReport: (await isFolder(path.join(dir, 'crash-reports')))
			? await evidence.crashReport(run)
			: null
	};
}

async function endLeftOver(dir: string) {
	const id = (await readTextIfExists(path.join(dir, PROCESS_FILE)).catch(() => null))?.trim();
	const mark = id ? markOf(id) : null;
	if (mark && processLives(id!)) killAll({ pid: mark.pid });
	// One that was not written down yet is known by its home; whoever just looks around in there has another.
	const home = `HOME=${await realpath(dir).catch(() => dir)}`;
	for (const pid of pids()) if (readEnviron(pid)?.some((one) => within(one, home))) kill(pid);
}

/** Without a network of its own, it must not meet the live server. */
const freePort = () =>
	new Promise<number>((resolve, reject) => {
		const server = createServer().once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const { port } = server.address() as { port: number };
			server.close(() => resolve(port));
		});
	});

function median(all: number[]): number | null {
	const sorted = all.toSorted((a, b) => a - b);
	return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
