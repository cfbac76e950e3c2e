import { isUnseen } from '$lib/game/labels';
import type { Status } from '$lib/schemas/status';
import { duration } from '$lib/schemas/plain/words/duration';

/** As players need to know it: what answers can be joined, whoever started it. */
export const forPlayers = (status: Status): Status =>
	isUnseen(status) ? { ...status, state: 'running' } : status;

/** A start that takes a little longer than usual is nothing to speak of. */
const SLOWER = 2;
const LEEWAY_MS = 30_000;
/** Where no start is known, what takes longer than this is not over in a moment. */
const UNKNOWN_MS = 3 * 60_000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DEMO = 'This is the demo, which nobody can join.';

/** `usualMs`: how long a start usually takes; null where that is not known. */
type Start = { now: () => number; usualMs: number | null };

/** In whole seconds, and in whole minutes from the first one on. */
function lasted(ms: number): string {
	const unit = ms < MINUTE_MS ? SECOND_MS : MINUTE_MS;
	return duration(Math.max(SECOND_MS, Math.floor(ms / unit) * unit));
}

/** Since when it is down, where that is known, and that one can get ready. */
function outlookWhileDown(endedAt: string | undefined, demo: boolean, now: () => number): string {
	const lasts = endedAt && `It has been down for ${lasted(now() - Date.parse(endedAt))}`;
	if (demo) return lasts ? `${lasts}. ${DEMO}` : DEMO;
	const then = 'You can join once it runs again, and get ready meanwhile.';
	return lasts ? `${lasts}. ${then}` : `Nobody can join now. ${then}`;
}

/** Since when it is starting, and whether that is over soon. */
function outlookOfStart(startedAt: string | null, demo: boolean, { now, usualMs }: Start): string {
	if (startedAt === null) return demo ? DEMO : 'It is starting: join in a moment.';
	const ms = now() - Date.parse(startedAt);
	const lasts = `It has been starting for ${lasted(ms)}`;
	if (demo) return `${lasts}. ${DEMO}`;
	const isSlow = ms > (usualMs === null ? UNKNOWN_MS : SLOWER * usualMs + LEEWAY_MS);
	if (!isSlow) return `${lasts}: join in a moment.`;
	return `${lasts}${usualMs === null ? '' : ', longer than usual'}. You can join once it runs.`;
}

/** Whether one can join now, in a sentence or two. */
export function outlook(
	{ state, players, startedAt, lastRun }: Status,
	demo: boolean,
	start: Start = { now: Date.now, usualMs: null }
): string {
	if (state === 'starting') return outlookOfStart(startedAt, demo, start);
	if (state === 'stopped' || state === 'crashed')
		return outlookWhileDown(lastRun?.endedAt, demo, start.now);
	if (demo) return DEMO;
	switch (state) {
		case 'running':
			return players.online !== null && players.max !== null && players.online >= players.max
				? 'It is full now: you can join once somebody leaves.'
				: 'You can join now.';
		case 'stopping':
			return 'It is stopping: nobody can join now.';
		case 'unknown':
			return 'It does not answer now, so joining may fail.';
	}
}
