import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '#core/clock';
import { AppError, errno } from '#core/errors';
import { parseJson, readTextIfExists, writeAtomic } from '#core/files';
import type { Logger } from '#core/log';
import { bootId, processId, readArgv, readEnviron, statOf, type ProcessMark } from '#core/process';
import { openInput } from './console-input.ts';
import { boundOutput, openOutput } from './console-output.ts';
import { looksLikeGame } from './game-argv.ts';
import { spawnGame, type ProcessExit } from './spawn-game.ts';
import { folderId, processesIn, startTime, workingFolder } from './proc.ts';

export type ServerProcess = ProcessMark & {
	/** ISO 8601. */
	startedAt: string;
	argv: string[];
	/** Started by this installation. */
	ours: boolean;
};

export type { ProcessExit } from './spawn-game.ts';

export interface ProcessControl {
	/**
	 * The game's process in the folder: the recorded one if it is still the same, one that carries our launch mark,
	 * or one started by hand elsewhere. Null when there is none. Throws only on bugs.
	 */
	find(): Promise<ServerProcess | null>;
	/**
	 * Starts argv in the folder: in its own session, without a shell or a pipe held by us, with an input that never
	 * ends and output appended to `outputFile`; its identity is recorded before it resolves. `mark` goes into the environment, so that it is
	 * found after we are killed. `AppError('upstream')` when it cannot be started, `AppError('conflict')` when one is
	 * running already.
	 */
	launch(input: { argv: string[]; mark: string }): Promise<ServerProcess>;
	alive(process: ProcessMark): boolean;
	/**
	 * Checks the identity again right before; false when it no longer exists. Never signals an unrelated process.
	 * `AppError('conflict')` when it belongs to another user.
	 */
	signal(process: ProcessMark & { ours: boolean }, signal: 'SIGTERM' | 'SIGKILL'): boolean;
	/** Resolves when the process has ended (not its port). Rejects with the signal's reason. */
	ended(process: ProcessMark, signal?: AbortSignal): Promise<ProcessExit>;
	readonly outputFile: string;
	/** The machine's current boot. */
	readonly bootId: string;
	close(): void;
}

export type ProcessControlDeps = {
	serverDir: string;
	dataDir: string;
	clock: Clock;
	/** How the server would be started, to recognise one that was started by hand. */
	command: () => Promise<string[] | null>;
	/** The environment that the game inherits. */
	environment: NodeJS.ProcessEnv;
	log: Pick<Logger, 'warn'>;
};

const LOOK_EVERY_MS = 1000;
const ENDED_POLL_MS = 250;
const OUTPUT_CHECK_MS = 10_000;
const LAUNCH = 'CRAFTWARDEN_LAUNCH';
const INSTALLATION = 'CRAFTWARDEN_INSTALLATION';

const Recorded = z.object({
	pid: z.int().positive(),
	startTicks: z.int(),
	bootId: z.string(),
	startedAt: z.string(),
	argv: z.array(z.string()),
	ours: z.boolean()
});

export function createProcessControl(deps: ProcessControlDeps): ProcessControl {
	const { serverDir, dataDir, clock, command, environment, log } = deps;
	const recordFile = path.join(dataDir, 'process.json');
	const outputFile = path.join(dataDir, 'console', 'server.log');
	const boot = bootId();
	const installation = createHash('sha256')
		.update(`${path.resolve(dataDir)}\0${path.resolve(serverDir)}`)
		.digest('hex')
		.slice(0, 16);
	/** Exits of our own child processes, by identity. */
	const children = new Map<string, Promise<ProcessExit>>();
	const closing = new AbortController();
	let adopted: ServerProcess | null = null;
	let lookedAtMs = -Infinity;
	/** Callers in the meantime wait for it: not found yet does not mean gone. */
	let looking: Promise<ServerProcess | null> | null = null;

	const isSame = (process: ProcessMark, checkFolder: boolean) => {
		const stat = statOf(process);
		if (!stat) return null;
		const folder = checkFolder ? workingFolder(process.pid) : null;
		return folder === null || folder === folderId(serverDir) ? stat : null;
	};

	async function recorded(): Promise<ServerProcess | null> {
		// Unreadable is as bad as damaged: the mark in the environment finds what we started.
		const text = await readTextIfExists(recordFile).catch(() => null);
		const parsed = Recorded.safeParse(parseJson(text));
		return parsed.success && isSame(parsed.data, true) ? parsed.data : null;
	}

	async function scan(): Promise<ServerProcess | null> {
		const folder = folderId(serverDir);
		const candidates = folder ? processesIn(folder) : [];
		if (candidates.length === 0) return null;
		const known = await command();
		const ranked = candidates
			.map((stat) => ({ stat, ...judge(stat.pid, stat.session, known) }))
			.filter(({ rank }) => rank > 0)
			.sort((a, b) => b.rank - a.rank);
		const best = ranked[0];
		if (!best) return null;
		const { stat, argv, ours } = best;
		const { pid, startTicks } = stat;
		const startedAt = startTime(startTicks, clock.now()).toISOString();
		return { pid, startTicks, bootId: boot, startedAt, argv, ours };
	}

	/**
	 * The one we started comes before a java that shares our mark or stands alone, and that before any mere
	 * resemblance.
	 */
	function judge(pid: number, session: number, known: string[] | null) {
		const argv = readArgv(pid);
		const ours = readEnviron(pid)?.includes(`${INSTALLATION}=${installation}`) ?? false;
		const alike = looksLikeGame(argv, known);
		if (ours && session === pid) return { argv, ours, rank: 3 };
		return { argv, ours, rank: alike ? (ours || looksLikeGame(argv, null) ? 2 : 1) : 0 };
	}

	async function find(fresh = false): Promise<ServerProcess | null> {
		if (adopted && isSame(adopted, true)) return adopted;
		// A start script that has just ended may have left its java running: probe at once.
		const lost = adopted !== null;
		if (looking) {
			const found = await looking;
			if (found || !fresh) return found;
		} else if (!fresh && !lost && clock.monotonicMs() - lookedAtMs < LOOK_EVERY_MS) return null;
		const mine = look().finally(() => looking === mine && (looking = null));
		return (looking = mine);
	}

	async function look(): Promise<ServerProcess | null> {
		lookedAtMs = clock.monotonicMs();
		adopted = await recorded();
		if (adopted) return adopted;
		adopted = await scan();
		// If it cannot be recorded (a full disk), its mark finds it again.
		if (adopted?.ours) await record(adopted).catch(() => {});
		return adopted;
	}

	async function launch({ argv, mark }: { argv: string[]; mark: string }): Promise<ServerProcess> {
		const running = await find(true);
		if (running)
			throw new AppError('conflict', `The server is already running as process ${running.pid}.`);
		if (folderId(serverDir) === null)
			throw new AppError(
				'upstream',
				`The server’s folder ${serverDir} does not exist. Check SERVER_DIR.`
			);
		const env = { ...environment, [LAUNCH]: mark, [INSTALLATION]: installation };
		const output = await openOutput(outputFile);
		const input = await endlessInput();
		try {
			const startedAt = clock.now().toISOString();
			const child = await spawnGame(argv, { cwd: serverDir, env }, [input?.fd, output.fd]);
			const started = { ...child.identity, bootId: boot, startedAt, argv, ours: true };
			children.clear();
			children.set(processId(started), child.exit);
			adopted = started; // known before it is recorded: a kill may come in between
			await record(started);
			return started;
		} finally {
			await output.close();
			await input?.close();
		}
	}

	/** Null when none can be created here: most games do without. */
	const endlessInput = () =>
		openInput(path.join(dataDir, 'console', 'input')).catch((cause) => {
			const why = 'The server starts without an input, because mkfifo could not make one';
			log.warn(`${why}: a start script that reads its console would end at once`, { cause });
			return null;
		});

	async function record(process: ServerProcess) {
		await writeAtomic(recordFile, JSON.stringify(process)).catch((cause) => {
			const why = `The server was started as process ${process.pid}, but ${recordFile} could not be written.`;
			throw new AppError('internal', `${why} Check the disk.`, { cause });
		});
	}

	function signal(process: ProcessMark & { ours: boolean }, name: 'SIGTERM' | 'SIGKILL'): boolean {
		const stat = isSame(process, true);
		if (!stat) return false;
		// A start script and its java end together, but only a group created by our own launch is ours to signal.
		const ownGroup = process.ours && stat.group === process.pid && stat.session === process.pid;
		return send(ownGroup ? -process.pid : process.pid, name);
	}

	async function ended(process: ProcessMark, abort?: AbortSignal): Promise<ProcessExit> {
		const child = children.get(processId(process));
		if (child) return abortable(child, abort);
		while (isSame(process, false)) await clock.sleep(ENDED_POLL_MS, abort);
		return { code: null, signal: null };
	}

	const guard = setInterval(() => {
		// A full disk is reported elsewhere; the next round tries again.
		boundOutput(outputFile).catch(() => {});
	}, OUTPUT_CHECK_MS).unref();
	closing.signal.addEventListener('abort', () => clearInterval(guard));

	return {
		find: () => find(),
		launch,
		alive: (process) => isSame(process, false) !== null,
		signal,
		ended,
		outputFile,
		bootId: boot,
		close: () => closing.abort()
	};
}

function send(target: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
	try {
		return process.kill(target, signal);
	} catch (cause) {
		if (errno(cause) === 'ESRCH') return false;
		throw new AppError(
			'conflict',
			`Process ${Math.abs(target)} belongs to another user. Stop it as that user, or run the dashboard as the same user.`,
			{ cause }
		);
	}
}

/** Settles as the promise does, or rejects with the signal's reason when that comes first. */
function abortable<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return promise;
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) return abort();
		signal.addEventListener('abort', abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}
