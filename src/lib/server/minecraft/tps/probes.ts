import type { Clock } from '#core/clock';
import type { TickReport } from '#minecraft/commands';
import type { Follower } from '#minecraft/follow';
import { parsePrefix } from '#minecraft/log-format';
import {
	capped,
	createSparkReader,
	parseGameTime,
	parsePaperMspt,
	parsePaperTps
} from './answers.ts';

/** One way to ask a server for its tick rate. */
export type Probe = {
	/** Null when the server does not understand it; a null report when it does, but has no number right now. */
	ask(): Promise<{ report: TickReport | null } | null>;
	/** How long an answer stays valid. */
	everyMs: number;
};

type Send = (line: string) => Promise<string>;

/** Paper reports both with two commands; Spigot, and Paper before 1.16, know only the first. */
export function createPaper(send: Send): Probe {
	let knowsMspt = true;
	return {
		everyMs: 5_000,
		async ask() {
			const report = parsePaperTps(await send('tps'));
			if (!report) return null;
			const mspt = knowsMspt ? parsePaperMspt(await send('mspt')) : null;
			knowsMspt = mspt !== null;
			return { report: { ...report, mspt } };
		}
	};
}

/** It writes six lines into the server's log each time, so it is asked less often, for its mean over a minute. */
const SPARK_EVERY_MS = 60_000;
const SPARK_LIMIT_MS = 5_000;
const SPARK_THREAD = /^spark/i;

/** spark answers RCON with nothing, and the log a moment later. */
export function createSpark(deps: {
	send: Send;
	logs: Pick<Follower, 'subscribe'>;
	clock: Clock;
}): Probe {
	const { send, logs, clock } = deps;
	return {
		everyMs: SPARK_EVERY_MS,
		async ask() {
			const reader = createSparkReader();
			const enough = new AbortController();
			const unsubscribe = logs.subscribe((lines) => {
				for (const line of lines) {
					const parsed = parsePrefix(line);
					if (parsed?.thread && SPARK_THREAD.test(parsed.thread)) reader.feed(parsed.message);
				}
				if (reader.done) enough.abort();
			});
			try {
				// Anything but an empty answer is a refusal: a server that does not know the command always says so.
				if ((await send('spark tps')).trim() !== '') return null;
				await clock.sleep(SPARK_LIMIT_MS, enough.signal).catch(() => {});
			} finally {
				unsubscribe();
			}
			return reader.report && { report: reader.report };
		}
	};
}

/** The game's clock counts ticks: shorter intervals than this measure the connection more than the server. */
const WINDOW_MS = 10_000;
/** After a longer interval the number would be about a time long past. */
const WINDOW_MAX_MS = 60_000;

/** Two readings of the game's own clock, at least 10 s apart; the second is the first of the next pair. */
export function createGameClock({ send, clock }: { send: Send; clock: Clock }): Probe {
	let before: { ticks: number; atMs: number } | null = null;
	let last: TickReport | null = null;
	return {
		everyMs: 5_000,
		async ask() {
			const fromMs = clock.monotonicMs();
			const ticks = parseGameTime(await send('time query gametime'));
			if (ticks === null) return null;
			const atMs = (fromMs + clock.monotonicMs()) / 2;
			const gone = before && atMs - before.atMs;
			if (before && gone !== null && gone < WINDOW_MS) return { report: last };
			const passed = before ? ticks - before.ticks : 0;
			// It stands still while the game is paused or frozen, and restarts at 2^31.
			const usable = gone !== null && gone <= WINDOW_MAX_MS && passed > 0;
			last = usable ? { tps: capped(passed / (gone / 1000)), mspt: null } : null;
			before = { ticks, atMs };
			return { report: last };
		}
	};
}
