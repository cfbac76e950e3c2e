import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AppError } from '../core/errors.ts';
import type { FileRead } from './stats-file.ts';
import type { WantedFile } from './stats-worker.ts';

/** Taking the results of a batch over must not hold up the event loop: some 2 ms. */
const BATCH = 200;
/** One is read while another's results are taken over. */
const AHEAD = 2;
/**
 * Reads many files, in order, in a thread that is gone when it resolves. It needs no limit of memory: the size of the
 * files has one, and a limit makes the garbage collector work twice as much.
 */
export async function readInThread<F extends WantedFile>(
	files: readonly F[],
	got: (file: F, read: FileRead) => void,
	signal: AbortSignal
): Promise<void> {
	let sent = 0;
	let done = 0;
	const worker = new Worker(workerFile(), { execArgv: [], env: {} });
	const end = () => void worker.terminate();
	const next = () => {
		const batch = files.slice(sent, sent + BATCH).map(({ file, kind }) => ({ file, kind }));
		sent += batch.length;
		if (batch.length > 0) worker.postMessage(batch);
		else if (done === files.length) end();
	};
	worker.on('message', (reads: FileRead[]) => {
		for (const read of reads) got(files[done++]!, read);
		next();
	});
	let cause: unknown = null;
	worker.on('error', (error) => (cause = error));
	const exited = new Promise((resolve) => worker.once('exit', resolve));
	signal.addEventListener('abort', end);
	if (signal.aborted) end();
	else for (let i = 0; i < AHEAD; i++) next();
	await exited;
	signal.removeEventListener('abort', end);
	if (signal.aborted) throw new AppError('busy', 'The dashboard is being stopped.');
	if (done < files.length) throw new Error('The thread that reads statistics ended', { cause });
}

/**
 * Node runs the source itself, also beside the build, which starts in the folder above `src`: a bundle would bring the
 * whole server into the thread.
 */
function workerFile() {
	const beside = fileURLToPath(new URL('stats-worker.ts', import.meta.url));
	return existsSync(beside) ? beside : path.resolve('src/lib/server/minecraft/stats-worker.ts');
}
