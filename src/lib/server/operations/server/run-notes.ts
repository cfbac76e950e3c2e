import type { Operation } from '#schemas/operation';
import type { Journal } from '#storage/journal';
import type { Feed } from '../feed.ts';
import { LAUNCHED } from './control.ts';

/** What came of a run at `at` (ISO 8601). */
export type RunTrouble = { run: string; at: string };
/** `report` is the name of its crash report. */
type RunCrash = RunTrouble & { report: string | null };
export type RunNotes = {
	/** Notes at the operation that had started this run, when that was not long ago, that it crashed; again changes nothing. */
	crashed(crash: RunCrash): Promise<void>;
	/** The same of a run that stopped responding and did not come back. */
	hung(trouble: RunTrouble): Promise<void>;
};

/** Trouble later than this has nothing to do with the operation that had started the server. */
export const SOON_AFTER_MS = 10 * 60_000;

type Deps = {
	journal: Pick<Journal, 'read' | 'write'>;
	feed: Pick<Feed, 'noted'>;
	/** The newest first. */
	list: () => Promise<Operation[]>;
};

/** A success whose server fared badly soon after keeps that in its own record: later runs of the server do not change it. */
export function createRunNotes({ journal, feed, list }: Deps): RunNotes {
	async function note({ run, at }: RunTrouble, trouble: Pick<Operation, 'crashed' | 'hung'>) {
		const known = Object.keys(trouble) as (keyof typeof trouble)[];
		for (const one of await list()) {
			if (one.state !== 'succeeded' || !one.finishedAt || one.startedAt > at) continue;
			if (known.some((key) => one[key])) continue;
			if (Date.parse(at) - Date.parse(one.finishedAt) > SOON_AFTER_MS) continue;
			const entry = await journal.read(one.id);
			if (entry?.memo[LAUNCHED] !== run) continue;
			const operation = { ...entry.operation, ...trouble };
			await journal.write({ ...entry, operation });
			return feed.noted(operation);
		}
	}
	return {
		crashed: ({ report, ...crash }) =>
			note(crash, { crashed: { at: crash.at, ...(report && { report }) } }),
		hung: (trouble) => note(trouble, { hung: { at: trouble.at } })
	};
}
