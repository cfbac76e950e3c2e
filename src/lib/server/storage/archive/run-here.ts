import { errno } from '#core/errors';
import { create, measure } from './create.ts';
import type { Job, Message, Progress, Result } from './jobs.ts';
import { readBack } from './read.ts';
import { BadArchive } from './tar.ts';

/** Does a job in this very process, which is busy for that long. */
export function runHere<J extends Job>(job: J, progress: Progress = () => {}) {
	const work = (): Promise<unknown> => {
		if (job.kind === 'measure') return measure(job);
		return job.kind === 'create' ? create(job, progress) : readBack(job, progress);
	};
	return work() as Promise<Result<J>>;
}

export function failureOf(error: unknown): Extract<Message, { type: 'failed' }> {
	const known = error instanceof Error ? error : new Error(String(error));
	const bad = known instanceof BadArchive;
	return { type: 'failed', message: known.message, bad, code: errno(known) };
}
