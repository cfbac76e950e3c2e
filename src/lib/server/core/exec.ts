import { spawn, type ChildProcess } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { AppError } from './errors.ts';

export type RunResult = { stdout: string; stderr: string; exitCode: number };
export type RunOptions = {
	cwd?: string;
	timeoutMs?: number;
	env?: NodeJS.ProcessEnv;
	/**
	 * Written to the program's standard input, which is closed otherwise. If we are killed while writing a text, the
	 * rest is lost and the program takes that for its end; an open file is available as a whole.
	 */
	input?: string | FileHandle;
	/** Characters kept of each output stream; the rest is read and dropped. */
	maxOutput?: number;
	signal?: AbortSignal;
	/** How long the group may take to clean up after a SIGTERM before it is killed. Default 0. */
	graceMs?: number;
	/** The encoding of standard input and output; `latin1` keeps every byte. */
	encoding?: 'utf8' | 'latin1';
	/** Exit codes that are an answer, not a failure; `any` also accepts death by a signal, whose code is -1. */
	okCodes?: number[] | 'any';
};
export type Run = (file: string, args: string[], options?: RunOptions) => Promise<RunResult>;

/** How long a child that left the group of a killed program may keep the output open. */
const DRAIN_MS = 1000;

/**
 * The only way this program runs another one to completion: no shell, an argument array, always a time limit; the
 * whole process group is killed when the time is over or the caller aborts.
 */
export const run: Run = (file, args, options = {}) => {
	const { cwd, env, timeoutMs = 60_000, maxOutput = 1 << 20, okCodes = [0], input = '' } = options;
	const { promise, resolve, reject } = Promise.withResolvers<RunResult>();
	const fail = (message: string, kind: 'upstream' | 'timeout', cause?: unknown) =>
		reject(new AppError(kind, message, { cause }));
	const notStarted = (cause: unknown) => fail(`${file} could not be started`, 'upstream', cause);
	if (options.signal?.aborted) return Promise.reject(options.signal.reason);

	let child: ChildProcess;
	try {
		const stdin = typeof input === 'string' ? 'pipe' : input.fd;
		child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
	} catch (cause) {
		notStarted(cause);
		return promise;
	}
	child.on('error', notStarted);
	const { encoding = 'utf8', graceMs = 0 } = options;
	const stdout = collect(child.stdout, maxOutput, encoding);
	const stderr = collect(child.stderr, maxOutput, encoding);
	child.stdin?.on('error', () => {}); // a program may exit without reading its input
	if (typeof input === 'string') child.stdin?.end(input, encoding);

	const limit = watchLimits(child, { timeoutMs, graceMs, signal: options.signal });
	child.on('error', limit.lift);
	child.on('close', (code) => {
		limit.lift();
		const result = { stdout: stdout(), stderr: stderr(), exitCode: code ?? -1 };
		if (limit.passed === 'time')
			fail(`${file} did not finish within ${timeoutMs} ms`, 'timeout', result.stderr);
		else if (limit.passed === 'abort') reject(options.signal?.reason);
		else if (okCodes === 'any' || okCodes.includes(result.exitCode)) resolve(result);
		else fail(`${file} failed with exit code ${result.exitCode}`, 'upstream', result.stderr);
	});
	return promise;
};

/** Kills the program's group when its time is up or the caller gives up. */
function watchLimits(
	child: ChildProcess,
	{ timeoutMs, graceMs, signal }: { timeoutMs: number; graceMs: number; signal?: AbortSignal }
) {
	let drain: NodeJS.Timeout | undefined;
	const kill = () => {
		killGroup(child, 'SIGKILL');
		drain = setTimeout(() => {
			child.stdout?.destroy();
			child.stderr?.destroy();
		}, DRAIN_MS);
	};
	const end = (why: 'time' | 'abort') => {
		if (limit.passed) return;
		limit.passed = why;
		if (!graceMs) return kill();
		killGroup(child, 'SIGTERM');
		drain = setTimeout(kill, graceMs);
	};
	const timer = setTimeout(() => end('time'), timeoutMs);
	const onAbort = () => end('abort');
	signal?.addEventListener('abort', onAbort, { once: true });
	const limit = {
		passed: null as 'time' | 'abort' | null,
		lift() {
			clearTimeout(timer);
			clearTimeout(drain);
			signal?.removeEventListener('abort', onAbort);
		}
	};
	return limit;
}

function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL') {
	try {
		if (child.pid) process.kill(-child.pid, signal);
	} catch {
		// It ended by itself in the meantime.
	}
}

/** Streams are null when the program never started (too many open files). */
function collect(stream: NodeJS.ReadableStream | null, max: number, encoding: 'utf8' | 'latin1') {
	let text = '';
	stream?.setEncoding(encoding);
	stream?.on('error', () => {});
	stream?.on('data', (chunk: string) => {
		if (text.length < max) text += chunk.slice(0, max - text.length);
	});
	return () => text;
}
