import { fork, type ChildProcess } from 'node:child_process';
import { AppError, type SystemCode } from '#core/errors';
import { diskTrouble } from '#core/files';
import type { Job, Message, Order, Result } from './jobs.ts';

const STDERR_MAX = 4000;

export type JobOptions = {
	signal?: AbortSignal;
	progress?: (bytes: number) => void;
	begun?: (job: RunningJob) => void;
};
export type RunningJob = {
	/** Pauses the job for this long, from now on. */
	rest(ms: number): void;
	/** Aborted when the job has ended, however it did. */
	ended: AbortSignal;
};

/** Makes and reads archives, each in a low-priority process that ends with the job. */
export interface Archiver {
	/**
	 * `AppError`: `invalid` with code `archive-damaged` when an archive is not what it should be, `internal` when the
	 * disk refuses, `upstream` when the process died. When aborted, rejects with the signal's reason once the process
	 * has ended.
	 */
	run<J extends Job>(job: J, options?: JobOptions): Promise<Result<J>>;
	/** Ends running jobs. */
	close(): void;
}

/** `program`: the path of program.ts. `cacheDir` saves each process from compiling. */
export function createArchiver(deps: { program: string; cacheDir: string | null }): Archiver {
	const running = new Set<ChildProcess>();

	async function run<J extends Job>(job: J, { signal, progress, begun }: JobOptions = {}) {
		signal?.throwIfAborted();
		const child = fork(deps.program, [], {
			execArgv: ['--expose-gc', '--max-semi-space-size=4', '--disable-warning=ExperimentalWarning'],
			env: {
				PATH: process.env['PATH'],
				UV_THREADPOOL_SIZE: '3',
				...(deps.cacheDir && { NODE_COMPILE_CACHE: deps.cacheDir })
			},
			stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
			detached: true // a session of its own, whose priority it lowers
		});
		running.add(child);
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		let words = '';
		let outcome: (() => void) | null = null;
		child.stderr?.setEncoding('utf8').on('data', (text: string) => {
			if (words.length < STDERR_MAX) words += text.slice(0, STDERR_MAX - words.length);
		});
		child.on('message', (message: Message) => {
			if (message.type === 'progress') return progress?.(message.done);
			outcome ??= () =>
				message.type === 'done' ? resolve(message.result) : reject(failure(message));
			// It would end by itself, but Node can wait for its own compiler for ever while it does.
			child.kill('SIGKILL');
		});
		const abort = () => {
			outcome = () => reject(signal?.reason);
			child.kill('SIGKILL');
		};
		signal?.addEventListener('abort', abort, { once: true });
		const over = (code: number | null, killedBy: string | null) =>
			outcome ? outcome() : reject(died(killedBy ?? `code ${code}`, words));
		child.on('error', (cause) => reject(died('an error', cause)));
		// Not at the message: its open files are only closed when it has ended.
		child.on('close', over);
		child.send(job, (error) => {
			if (error) words += error.message; // it has ended already, and that is reported separately
		});
		const ended = new AbortController();
		const rest = (ms: number) =>
			void (child.connected && child.send({ type: 'rest', ms } satisfies Order, () => {}));
		begun?.({ rest, ended: ended.signal });
		try {
			return (await promise) as Result<J>;
		} finally {
			ended.abort();
			running.delete(child);
			signal?.removeEventListener('abort', abort);
		}
	}
	return {
		run,
		close() {
			for (const child of running) child.kill('SIGKILL');
		}
	};
}

const died = (how: string, cause: unknown) =>
	new AppError(
		'upstream',
		`The process that works on the archive ended early (${how}). Try again; if it keeps happening, check whether the machine runs out of memory.`,
		{ cause }
	);

/** What a job's failure means for people. */
export function failure({ message, bad, code }: Extract<Message, { type: 'failed' }>): AppError {
	if (bad) return new AppError('invalid', message, { code: 'archive-damaged' });
	const cause = Object.assign(new Error(message), code && { code });
	if (code === null) return new AppError('internal', `The archive failed: ${message}`, { cause });
	return new AppError('internal', `The archive failed: ${diskTrouble(cause)}.`, {
		cause,
		code: code as SystemCode
	});
}
