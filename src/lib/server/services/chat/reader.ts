import type { Clock } from '#core/clock';
import type { Follower } from '#minecraft/follow';
import type { GameEvent, GameLog, PlayerOnline } from '#minecraft/game-log';

export type ReaderDeps = {
	/** New lines of the game's log, as long as there is a subscriber. */
	follow: Pick<Follower, 'subscribe'>;
	/** The last part of the log as it is now, in whole lines, and when it was written. */
	tail: () => Promise<{ lines: string[]; modifiedAt: Date | null }>;
	/** Knows nothing yet. */
	gameLog: () => GameLog;
	clock: Clock;
	log: { error(message: string, facts?: { cause?: unknown }): void };
};
type Heard = {
	/** What the last part of the log holds, read anew. */
	onTail: (events: GameEvent[]) => void;
	onNew: (events: GameEvent[]) => void;
};

/** How long the log is followed after a request; a client that polls asks again within that time. */
export const LINGER_MS = 60_000;
/** Lines that the follower may give once more after the log's end was read: what is written between two readings. */
const SEAM_LINES = 10_000;

/** Reads the game's log while there are subscribers. */
export interface Reader {
	/** Until the returned function is called. */
	hold(): () => void;
	/** Resolves when the log has been read up to now; it is followed for another minute. Never rejects. */
	ask(): Promise<void>;
	/** Empty while the log is not followed. */
	online(): PlayerOnline[];
	close(): void;
}

type Reading = { game: GameLog; ready: Promise<void>; stop: () => void };

export function createReader(deps: ReaderDeps, { onTail, onNew }: Heard): Reader {
	const { clock, log } = deps;
	let holders = 0;
	let reading: Reading | null = null;
	const closing = new AbortController();
	let lingering = false;
	let lingersUntilMs = 0;

	function start(): Reading {
		const game = deps.gameLog();
		let stopped = false;
		/** What arrived while the tail was being read; null once that is done. */
		let waiting: string[] | null = [];
		let seam = new Map<string, number>();

		const feed = (lines: string[], fileDate: Date | null, tell: (events: GameEvent[]) => void) => {
			try {
				tell(game.feed(lines, { fileDate }).events);
			} catch (cause) {
				// One unexpected line must not stop all others from being read.
				log.error('Lines of the game’s log could not be understood', { cause });
			}
		};
		const take = (lines: string[]) => {
			const fresh = seam.size ? beyond(lines, seam) : lines;
			if (!fresh.length) return;
			seam = new Map();
			feed(fresh, clock.now(), onNew);
		};
		const off = deps.follow.subscribe((lines) => {
			if (waiting) waiting.push(...lines);
			else take(lines);
		});
		const begin = async () => {
			const { lines, modifiedAt } = await deps.tail().catch((cause) => {
				log.error('Earlier chat could not be read from the game’s log', { cause });
				return { lines: [], modifiedAt: null };
			});
			if (stopped) return;
			feed(lines, modifiedAt, onTail);
			seam = count(lines.slice(-SEAM_LINES));
			const missed = waiting ?? [];
			waiting = null;
			take(missed);
		};
		const stop = () => {
			stopped = true;
			off();
		};
		return { game, ready: begin(), stop };
	}

	const hold = () => {
		if (holders++ === 0) reading = start();
		let held = true;
		return () => {
			if (!held) return;
			held = false;
			if (--holders > 0) return;
			reading?.stop();
			reading = null;
		};
	};

	/** Keeps following for another minute from now. */
	function linger() {
		lingersUntilMs = clock.monotonicMs() + LINGER_MS;
		if (lingering || closing.signal.aborted) return;
		lingering = true;
		const release = hold();
		const wait = async () => {
			for (let ms = LINGER_MS; ms > 0; ms = lingersUntilMs - clock.monotonicMs())
				await clock.sleep(ms, closing.signal);
		};
		const end = () => {
			lingering = false;
			release();
		};
		wait().then(end, end);
	}

	return {
		hold,
		async ask() {
			linger();
			await reading?.ready;
		},
		online: () => reading?.game.online() ?? [],
		close() {
			closing.abort();
			reading?.stop();
			reading = null;
		}
	};
}

function count(lines: string[]) {
	const counts = new Map<string, number>();
	for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
	return counts;
}

/** The lines after those that were already in the tail; removes the latter from `seen`. */
function beyond(lines: string[], seen: Map<string, number>) {
	const at = lines.findIndex((line) => {
		const left = seen.get(line) ?? 0;
		if (left > 0) seen.set(line, left - 1);
		return left === 0;
	});
	return at < 0 ? [] : lines.slice(at);
}
