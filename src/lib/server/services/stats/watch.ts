import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Whereabouts } from './sightings.ts';

type Deps = {
	/** Records where players are now. */
	stats: { sample(places: Whereabouts[]): Promise<void> };
	/** Who is playing now, according to the last probe. */
	online: () => { uuid: string | null }[];
	/** Where they are; null when the server cannot tell. */
	places: (uuids: string[]) => Promise<Whereabouts[] | null>;
	clock: Clock;
	log: { error(message: string, facts?: { cause?: unknown }): void };
};

const EVERY_MS = 60_000;

/** The game's files do not keep this: once a minute, while somebody plays, records where they are and for how long. */
export function createStatsWatch({ stats, online, places, clock, log }: Deps) {
	const closing = new AbortController();

	async function look() {
		const uuids = online().flatMap(({ uuid }) => uuid ?? []);
		if (uuids.length) await stats.sample((await places(uuids)) ?? []);
	}

	async function watch() {
		while (!closing.signal.aborted) {
			await clock.sleep(EVERY_MS, closing.signal).catch(() => {}); // closing
			if (closing.signal.aborted) return;
			await look().catch((cause) => {
				// A server that is off or busy is not worth reporting: the next minute may be better.
				if (!(cause instanceof AppError)) log.error('Players could not be sampled', { cause });
			});
		}
	}
	return { start: () => void watch(), close: () => closing.abort() };
}
