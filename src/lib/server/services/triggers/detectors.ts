import type { ServerState } from '#schemas/status';
import type { EventName, TriggerWhen } from '#schemas/trigger';

/** What is seen of the server at one moment. Unknown values are null. */
export type Look = {
	/** Monotonic. */
	atMs: number;
	state: ServerState;
	/** When the current run became ready; null while it is not. */
	readyAt: string | null;
	/** When the last run ended. */
	endedAt: string | null;
	/** Null when the game was not queried, or did not say. */
	players: { online: number; names: string[] | null } | null;
	tps: number | null;
	/** Ids of backups that have just failed. */
	failedBackups: string[];
};

/**
 * Returns whether this observation shows that it has just happened; the first one never does. `own`: the asking trigger
 * is itself a cause of what happens now.
 */
export type Detector = (look: Look, own: boolean) => boolean;

type When<E extends EventName> = Extract<TriggerWhen, { event: E }>;
const MINUTE_MS = 60_000;

const DETECTORS: { [E in EventName]: (when: When<E>) => Detector } = {
	ready: () => changed(({ readyAt }) => readyAt),
	crashed: () => changed(({ state, endedAt }) => (state === 'crashed' ? endedAt : null)),
	'backup-failed':
		() =>
		({ failedBackups }) =>
			failedBackups.length > 0,
	empty({ minutes }) {
		const lasts = lasting(minutes);
		let run: string | null = null;
		return ({ atMs, players, readyAt }, own) => {
			// A server that this very trigger has restarted has not become empty: it would be restarted forever.
			if (readyAt && readyAt !== run && !own) lasts(atMs, false);
			run = readyAt ?? run;
			return players !== null && readyAt !== null && lasts(atMs, players.online === 0);
		};
	},
	'tps-low'({ below, minutes }) {
		const lasts = lasting(minutes);
		return ({ atMs, tps, readyAt }) => lasts(atMs, readyAt !== null && tps !== null && tps < below);
	},
	'first-joined': () => {
		let before: number | null = null;
		return ({ players }) => {
			const first = before === 0 && players !== null && players.online > 0;
			before = players?.online ?? before;
			return first;
		};
	},
	joined({ name }) {
		let before: boolean | null = null;
		return ({ players, state }) => {
			const there = state === 'running' ? isThere(players, name) : null;
			const joined = before === false && there === true;
			// Nobody plays on a server that is down.
			before = there ?? (state === 'stopped' || state === 'crashed' ? false : before);
			return joined;
		};
	}
};

export const createDetector = (when: TriggerWhen): Detector =>
	(DETECTORS[when.event] as (when: TriggerWhen) => Detector)(when);

function isThere(players: Look['players'], name: string): boolean | null {
	if (players?.online === 0) return false;
	return players?.names?.some((one) => one.toLowerCase() === name.toLowerCase()) ?? null;
}

/** A new value, which is not null. */
function changed(value: (look: Look) => string | null): Detector {
	let isFirst = true;
	let before: string[] = [];
	return (look) => {
		const now = value(look);
		const isNew = !isFirst && now !== null && !before.includes(now);
		isFirst = false;
		// What has ended may come back only as a different one, also after a change that was tried and taken back.
		if (now !== null) before = [now, ...before.filter((one) => one !== now)].slice(0, 2);
		return isNew;
	};
}

/** Once when it has held for this long; again only after it did not hold. */
function lasting(minutes: number): (atMs: number, isSo: boolean) => boolean {
	let sinceMs: number | null = null;
	let told = false;
	return (atMs, isSo) => {
		if (!isSo) {
			sinceMs = null;
			told = false;
			return false;
		}
		sinceMs ??= atMs;
		if (told || atMs - sinceMs < minutes * MINUTE_MS) return false;
		return (told = true);
	};
}
