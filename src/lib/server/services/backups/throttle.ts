import type { Clock } from '#core/clock';
import type { RunningJob } from '#storage/archive';

/** Below this, players notice; the game aims at 20. */
const SLOW_TPS = 18;
const LOOK_EVERY_MS = 3_000;
/** Rests for as long as it has worked since the last check. */
const REST_MS = LOOK_EVERY_MS;
/** A game that lags for other reasons must not prevent a backup for ever. */
const RESTS_MAX_MS = 10 * 60_000;

type Deps = {
	/** Null when unknown. */
	tps: () => Promise<number | null>;
	clock: Clock;
	log: { warn(message: string, facts?: object): void };
};

/**
 * Pauses the work on an archive while the game lags. To be passed to the archiver as `begun`; follows the job until it
 * has ended.
 */
export const throttleWith =
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
