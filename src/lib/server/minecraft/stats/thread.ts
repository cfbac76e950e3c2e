import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '#core/errors';
import { threadFile } from '#core/thread-file';
import type { FileRead } from './file.ts';
import { createUnpacker, type Packed } from './pack.ts';
import type { WantedFile } from './stats-worker.ts';

/** Applying the results of a batch must not hold up the event loop: some 2 ms. */
const BATCH = 200;
/** One is read while another's results are applied. */
const AHEAD = 2;
const THREADS_MAX = 2;
/** A second thread takes as long to start as this many files take to read. */
const WORTH_ANOTHER = 4_000;

/**
 * Reads many files in threads that have ended when it resolves. They need no memory limit: the size of the files has
 * one, and a limit makes the garbage collector work twice as much.
 */
export async function readInThreads<F extends WantedFile>(
	files: readonly F[],
	got: (file: F, read: FileRead) => void,
	signal: AbortSignal
): Promise<void> {
	let sent = 0;
	const take = () => files.slice(sent, (sent += BATCH));
	const wanted = Math.min(THREADS_MAX, availableParallelism());
	const threads = files.length > WORTH_ANOTHER ? wanted : 1;
	const ended = await Promise.allSettled(
		Array.from({ length: threads }, () => readInOne(take, got, signal))
	);
	if (signal.aborted) throw new AppError('busy', 'The dashboard is being stopped.');
	for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

async function readInOne<F extends WantedFile>(
	take: () => F[],
	got: (file: F, read: FileRead) => void,
	signal: AbortSignal
): Promise<void> {
	const waiting: F[][] = [];
	const { unpack } = createUnpacker();
	const worker = new Worker(threadFile('stats-worker', import.meta.url), { execArgv: [], env: {} });
	const end = () => void worker.terminate();
	const next = () => {
		const batch = take();
		if (batch.length > 0) {
			waiting.push(batch);
			worker.postMessage(batch.map(({ file, kind }) => ({ file, kind })));
		} else if (waiting.length === 0) end();
	};
	worker.on('message', (packed: Packed) => {
		const batch = waiting.shift()!;
		next();
		const reads = unpack(
			packed,
			batch.map(({ kind }) => kind)
		);
		for (const [i, read] of reads.entries()) got(batch[i]!, read);
	});
	let cause: unknown = null;
	worker.on('error', (error) => (cause = error));
	const exited = new Promise((resolve) => worker.once('exit', resolve));
	signal.addEventListener('abort', end);
	if (signal.aborted) end();
	else for (let i = 0; i < AHEAD; i++) next();
	await exited;
	signal.removeEventListener('abort', end);
	if (waiting.length > 0 && !signal.aborted)
		throw new Error('The thread that reads statistics ended', { cause });
}
