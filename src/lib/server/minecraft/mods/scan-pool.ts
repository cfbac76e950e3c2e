import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { threadFile } from '#core/thread-file';
import type { FromWorker, ScannedFile } from './scan-worker.ts';

/** A second thread takes 40 ms to start: not worth it for fewer files. */
const BYTES_PER_THREAD = 64 << 20;
const THREADS_MAX = 2;
const MEMORY_MAX_MB = 256;
/** The time limit for the metadata of one jar; honest ones take a few milliseconds. */
const READING_MS = 30_000;

/** The result for a file; `failed` when reading it killed its thread, or did not end. */
export type ScanResult = ScannedFile | 'failed';

/**
 * Reads these files of a folder in threads that have ended when it resolves. A file that kills its thread or keeps it
 * busy is `failed`, and the others are read by a new one.
 */
export async function scanFiles(input: {
	dir: string;
	files: { name: string; size: number }[];
	clock: Clock;
	signal: AbortSignal;
}): Promise<Map<string, ScanResult>> {
	const results = new Map<string, ScanResult>();
	const queue = input.files.map(({ name }) => name);
	const bytes = input.files.reduce((sum, { size }) => sum + size, 0);
	const threads = Math.min(
		THREADS_MAX,
		availableParallelism(),
		queue.length,
		Math.ceil(bytes / BYTES_PER_THREAD) || 1
	);
	const work = async () => {
		while (queue.length > 0) await runThread({ ...input, queue, results });
	};
	await Promise.all(Array.from({ length: threads }, work));
	if (input.signal.aborted) throw new AppError('busy', 'The dashboard is being stopped.');
	return results;
}

type Run = {
	dir: string;
	clock: Clock;
	signal: AbortSignal;
	queue: string[];
	results: Map<string, ScanResult>;
};

/** One thread, for as many files as it survives. */
async function runThread({ dir, clock, signal, queue, results }: Run) {
	if (signal.aborted) return void queue.splice(0);
	const worker = new Worker(threadFile('scan-worker', import.meta.url), {
		workerData: { dir },
		resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
		execArgv: [],
		env: {}
	});
	const end = () => void worker.terminate();
	signal.addEventListener('abort', end);
	let started = false;
	let current: string | undefined;
	let reading = new AbortController();
	const next = () => {
		current = queue.shift();
		if (current === undefined) end();
		else worker.postMessage(current);
	};
	worker.on('message', (message: FromWorker) => {
		if (message.state === 'ready') {
			started = true;
			return;
		}
		if (message.state === 'reading') {
			clock.sleep(READING_MS, reading.signal).then(end, () => {});
			return;
		}
		reading.abort();
		reading = new AbortController();
		results.set(current!, message.file);
		next();
	});
	let cause: unknown = null;
	worker.on('error', (error) => (cause = error));
	const exited = new Promise((resolve) => worker.once('exit', resolve));
	next();
	await exited;
	reading.abort();
	signal.removeEventListener('abort', end);
	if (signal.aborted) return void queue.splice(0);
	// It did not even begin: no file is to blame, and another thread would not begin either.
	if (!started) throw new Error('The thread that reads mods did not start', { cause });
	if (current !== undefined) results.set(current, 'failed');
}
