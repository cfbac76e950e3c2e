import type { Clock } from '#core/clock';
import type { RunningJob } from '#storage/archive';

/** Below this the players notice; the game aims at 20. */
const SLOW_TPS = 18;
const LOOK_EVERY_MS = 3_000;
/** As long as it worked since the last look. */
const REST_MS = LOOK_EVERY_MS;
/** A game that lags by itself must not be kept from saving for ever. */
const RESTS_MAX_MS = 10 * 60_000;

type Deps = {
	/** Null when unknown. */
	tps: () => Promise<number | null>;
	clock: Clock;
	log: { warn(message: string, facts?: object): void };
};

/**
 * Lets the work on an archive rest while the game lags. To be given to the archiver as `begun`; follows until the
 * job has ended.
 */
export const paceOf =
	({ tps, clock, log }: Deps) =>
	(job: RunningJob): void => {
		async function follow() {
			for (let restedMs = 0; restedMs < RESTS_MAX_MS;) {
				await clock.sleep(LOOK_EVERY_MS, job.ended);
				const now = await tps();
				if (now === null || now >= SLOW_TPS || job.ended.aborted) continue;
				job.rest(REST_MS);
				restedMs += REST_MS;
			}
		}
		follow().catch((cause) => {
			if (!job.ended.aborted) log.warn('The game is not watched during a backup', { cause });
		});
	};
