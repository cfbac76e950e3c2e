import type { Backup } from '#schemas/backup';
import type { BackupSettings } from './settings.ts';

export type Candidate = {
	id: string;
	createdAt: string;
	kind: Backup['kind'];
	/** `partial` backups are in progress, or were cut off. */
	state: 'complete' | 'damaged' | 'incomplete';
	pinned: boolean;
	verifiedAt: string | null;
};
export type Rules = Pick<
	BackupSettings,
	'backupKeepLast' | 'backupKeepHourly' | 'backupKeepDaily' | 'backupKeepWeekly'
>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The epoch was a Thursday: weeks begin on Monday. */
const MONDAY_MS = 4 * DAY_MS;
/** A backup dated tomorrow shows that a clock jumped, but not which one. */
const FUTURE_MS = HOUR_MS;
const LEFTOVER_MS = DAY_MS;

/**
 * Which backups may be removed. These stay: a number of the newest, and as many again of those from before a change,
 * which must not push the others out; the newest of each hour, day and week (in UTC) as far as the rules reach; pinned
 * ones, the one verified last, the newest of all, and any that a wrong clock makes doubtful. Damaged ones neither count
 * nor are removed, so that people see them. Partial ones are removed after a day.
 */
export function superfluous(backups: Candidate[], rules: Rules, now: Date): string[] {
	const newestFirst = [...backups].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
	const ageMs = ({ createdAt }: Candidate) => now.getTime() - Date.parse(createdAt);
	const doubtful = (one: Candidate) => ageMs(one) < -FUTURE_MS;
	const complete = newestFirst.filter((one) => one.state === 'complete' && !doubtful(one));
	const counted = complete.filter(({ pinned }) => !pinned);
	const kept = new Set<string>();
	const keep = (some: Candidate[]) => some.forEach(({ id }) => kept.add(id));

	for (const isOfChange of [false, true])
		keep(
			counted
				.filter(({ kind }) => (kind === 'before-change') === isOfChange)
				.slice(0, rules.backupKeepLast)
		);
	keep(newestOfEach(counted, HOUR_MS, rules.backupKeepHourly));
	keep(newestOfEach(counted, DAY_MS, rules.backupKeepDaily));
	keep(newestOfEach(counted, WEEK_MS, rules.backupKeepWeekly));
	keep(complete.slice(0, 1));
	keep(
		[...complete]
			.filter((one) => one.verifiedAt)
			.sort((a, b) => (a.verifiedAt! < b.verifiedAt! ? 1 : -1))
			.slice(0, 1)
	);

	const old = counted.filter(({ id }) => !kept.has(id));
	const leftovers = newestFirst.filter(
		(one) => one.state === 'incomplete' && !one.pinned && ageMs(one) > LEFTOVER_MS
	);
	return [...old, ...leftovers].map(({ id }) => id);
}

function newestOfEach(newestFirst: Candidate[], spanMs: number, count: number): Candidate[] {
	const seen = new Map<number, Candidate>();
	for (const one of newestFirst) {
		const span = Math.floor(
			(Date.parse(one.createdAt) - (spanMs === WEEK_MS ? MONDAY_MS : 0)) / spanMs
		);
		if (!seen.has(span)) seen.set(span, one);
	}
	return [...seen.values()].slice(0, count);
}
