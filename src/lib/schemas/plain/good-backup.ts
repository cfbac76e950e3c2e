const DAY_MS = 24 * 3_600_000;
/** A day more than a week, so that a weekly backup is never late. */
const OVERDUE_MS = 8 * DAY_MS;

type Made = { state: string; problem: string | null };

/** From which the world can be put back: the others do not count. */
export const isGood = ({ state, problem }: Made) => state === 'complete' && !problem;

/** The newest good backup is so old that somebody should look. */
export const isOverdue = (createdAt: string, now: Date) =>
	now.getTime() - Date.parse(createdAt) >= OVERDUE_MS;
