import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { createLineSplitter, diskFailure, PRIVATE_FILE } from '#core/files';
import { bootId, processId } from '#core/process';
import { readStat } from '#core/process';
import { shortage } from './shortage.ts';
import { starvedMs } from './starved.ts';

/** How a boot went, as far as its process shows it. */
export type BootResult = {
	end: 'stayed' | 'exited' | 'timeout' | 'not-started' | BootTrouble;
	/** From its start to its ready line; null when there was none. */
	readyMs: number | null;
	exit: Exit | null;
	/** The newest lines that it printed. */
	output: string[];
	/** Why it was not started, if known. */
	why?: string;
};

type Exit = { code: number | null; signal: string | null };

/** What ended a boot from outside: `filled` is its own doing, the others are ours or the machine's. */
export type BootTrouble = 'filled' | 'no-room' | 'no-memory' | 'starved';

export type BootOptions = {
	argv: string[];
	cwd: string;
	environment: Record<string, string>;
	/** Where the process is recorded, so that a later process of ours can end it. */
	dir: string;
	isReady: (line: string) => boolean;
	/** Polled now and then; ends the boot. */
	trouble: () => Promise<BootTrouble | null>;
	/** Every line as it comes. */
	tell: (line: string) => void;
	/**
	 * It has to be ready within this time. What others kept it waiting for a processor comes on top, up to as much
	 * again: it has the lowest priority.
	 */
	limitMs: number;
	/** And to stay alive for this long. */
	holdMs: number;
	signal: AbortSignal;
	clock: Clock;
	starved?: typeof starvedMs;
};

const LINES = 500;
const POLL_MS = 50;
const LOOK_MS = 1000;
/** How long its last words may take to get here on a busy machine. */
const DRAIN_MS = 5000;
/** How long it may take to save its small world. */
const STOP_MS = 20_000;
/** Lines passed on per second; the rest is kept only among the newest. */
const TOLD_PER_SECOND = 50;
export const PROCESS_FILE = 'process';

/** Starts the game, watches it until it has proven itself or failed, and ends it with everything it has started. */
export async function bootOnce(options: BootOptions): Promise<BootResult> {
	const { clock, signal } = options;
	signal.throwIfAborted();
	const beganMs = clock.monotonicMs();
	const child = await start(options).catch(notStarted);
	if ('end' in child) return child;
	const output = listen(child, options, () => clock.monotonicMs() - beganMs);
	const ended = new Promise<Exit>((resolve) =>
		child.once('exit', (code, signal) => resolve({ code, signal }))
	);
	let exit: Exit | null = null;
	void ended.then((how) => (exit = how));
	try {
		await writeDown(child.pid!, options.dir);
		const end = await watch(options, { pid: child.pid!, output, beganMs, exitOf: () => exit });
		if (end === 'stayed') await stop(child, ended, options);
		return { end, readyMs: output.readyMs(), exit, output: output.lines() };
	} catch (error) {
		if (shortage(error)) return notStarted(error);
		throw error;
	} finally {
		killAll(child);
		await ended;
		child.stdout.destroy();
		child.stderr.destroy();
	}
}

/** With too many open files, a process that could not be started has no pipes either. */
async function start({ argv: [file = '', ...args], cwd, environment }: BootOptions) {
	const child = spawn(file, args, { cwd, env: environment, detached: true, stdio: 'pipe' });
	const failed = new Promise<never>((_, reject) => child.once('error', reject));
	return child.pid ? child : failed;
}

const notStarted = (cause: unknown): BootResult => ({
	...{ end: 'not-started', readyMs: null, exit: null, output: [] },
	why: shortage(cause) ?? (cause instanceof Error ? cause.message : String(cause))
});

type Seen = {
	pid: number;
	output: ReturnType<typeof listen>;
	beganMs: number;
	exitOf: () => Exit | null;
};

async function watch(
	options: BootOptions,
	{ pid, output, beganMs, exitOf }: Seen
): Promise<BootResult['end']> {
	const { clock, signal, limitMs, holdMs, starved = starvedMs } = options;
	let lookMs = clock.monotonicMs() + LOOK_MS;
	for (;;) {
		const now = clock.monotonicMs();
		const readyMs = output.readyMs();
		if (exitOf()) {
			await output.drained();
			return 'exited';
		}
		if (readyMs !== null && now - beganMs - readyMs >= holdMs) return 'stayed';
		if (readyMs === null && now - beganMs >= limitMs) {
			const late = tooLate(now - beganMs, limitMs, starved(pid, now - beganMs));
			if (late) return late;
		}
		if (now >= lookMs) {
			const trouble = await options.trouble();
			if (trouble) return trouble;
			lookMs = clock.monotonicMs() + LOOK_MS;
		}
		await clock.sleep(POLL_MS, signal);
	}
}

/** What it was kept waiting comes on top of its limit, up to as much again; then nobody knows. */
function tooLate(elapsedMs: number, limitMs: number, waitedMs: number) {
	if (elapsedMs - Math.min(waitedMs, limitMs) < limitMs) return null;
	return waitedMs >= limitMs ? 'starved' : 'timeout';
}

/** Reads its output as fast as it comes, and keeps only the newest lines. */
function listen(
	child: ChildProcess,
	{ isReady, tell, clock }: BootOptions,
	elapsedMs: () => number
) {
	const kept: string[] = [];
	let readyMs: number | null = null;
	let [second, told] = [0, 0];
	const take = (line: string) => {
		kept.push(line);
		if (kept.length > 2 * LINES) kept.splice(0, kept.length - LINES);
		if (readyMs === null && isReady(line)) readyMs = elapsedMs();
		const now = Math.floor(clock.monotonicMs() / 1000);
		if (now !== second) [second, told] = [now, 0];
		if (told++ < TOLD_PER_SECOND) tell(line);
	};
	const closed = [child.stdout!, child.stderr!].map((stream) => {
		const splitter = createLineSplitter();
		stream.on('data', (bytes: Buffer) => splitter.push(bytes).forEach(take));
		stream.on('error', () => {});
		return new Promise<void>((resolve) =>
			stream.once('close', () => {
				splitter.flush().forEach(take);
				resolve();
			})
		);
	});
	child.stdin!.on('error', () => {}); // it may have closed its input
	return {
		lines: () => kept.slice(-LINES),
		readyMs: () => readyMs,
		/** All its output has arrived, unless something that it left behind keeps the pipe open. */
		drained: () =>
			deadline(
				{ ms: DRAIN_MS, clock },
				() => Promise.all(closed),
				() => {}
			)
	};
}

async function stop(child: ChildProcess, ended: Promise<unknown>, { clock, signal }: BootOptions) {
	child.stdin!.write('stop\n');
	await deadline(
		{ ms: STOP_MS, clock, signal },
		() => ended,
		() => {}
	);
}

/** In a sandbox, its outermost process: everything in it ends with that one. */
export function killAll({ pid }: { pid?: number | undefined }) {
	if (pid) kill(-pid);
}

/** A process, or with a minus sign its group. */
export function kill(pid: number) {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// It has ended.
	}
}

async function writeDown(pid: number, dir: string) {
	const stat = readStat(pid);
	if (!stat) return;
	const id = processId({ bootId: bootId(), pid, startTicks: stat.startTicks });
	await writeFile(path.join(dir, PROCESS_FILE), id, { mode: PRIVATE_FILE }).catch((cause) => {
		if (shortage(cause)) throw cause;
		throw diskFailure('The trial boot could not be started', cause);
	});
	try {
		// This changes nothing unless memory is short; then the trial is killed first.
		writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
	} catch {
		// It has ended, or the kernel does not let us.
	}
}
