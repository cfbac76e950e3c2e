import type { Operation } from '#schemas/operation';
import type { Journal } from '#storage/journal';
import type { Feed } from '../feed.ts';
import { LAUNCHED } from './control.ts';

/** A run that crashed at `at` (ISO 8601); `report` is the name of its crash report. */
export type RunCrash = { run: string; at: string; report: string | null };

/** A crash later than this has nothing to do with the operation that had started the server. */
export const SOON_AFTER_MS = 10 * 60_000;

type Deps = {
	journal: Pick<Journal, 'read' | 'write'>;
	feed: Pick<Feed, 'noted'>;
	/** The newest first. */
	list: () => Promise<Operation[]>;
};

/** A success whose server crashed soon after keeps that in its own record: later runs of the server do not change it. */
export function createCrashNotes({ journal, feed, list }: Deps) {
	return async ({ run, at, report }: RunCrash): Promise<void> => {
		for (const { id, state, startedAt, finishedAt, crashed } of await list()) {
			if (state !== 'succeeded' || crashed || !finishedAt || startedAt > at) continue;
			if (Date.parse(at) - Date.parse(finishedAt) > SOON_AFTER_MS) continue;
			const entry = await journal.read(id);
			if (entry?.memo[LAUNCHED] !== run) continue;
			const operation = { ...entry.operation, crashed: { at, ...(report && { report }) } };
			await journal.write({ ...entry, operation });
			return feed.noted(operation);
		}
	};
}
