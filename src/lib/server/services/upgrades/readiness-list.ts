import type { Upgrades as Answer } from '#schemas/mod';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createTtlMap } from '#core/ttl-cache';
import { readiness, type FailedUpgrades, type Installed, type ReadinessDeps } from './readiness.ts';

type Deps = ReadinessDeps & {
	/** The files and what is known of them; `requests` is how many that took. */
	installed: (refresh: boolean) => Promise<Installed>;
	/** Upgrades that did not work here. */
	failed: () => Promise<FailedUpgrades>;
	clock: Clock;
};

const FRESH_MS = 30 * 60_000;
/** One for the server as it is, and one for the set before it. */
const KEPT = 2;

/** Which newer game versions the installed mods support, with an answer that is kept for a while. */
export function createReadinessList(deps: Deps): (refresh: boolean) => Promise<Answer> {
	const { installed, clock } = deps;
	const known = createTtlMap<string, Answer>({ ttlMs: FRESH_MS, max: KEPT, clock });

	async function look(
		there: Installed,
		how: { anew: boolean; failed: FailedUpgrades }
	): Promise<Answer> {
		if (there.problem) throw new AppError('upstream', there.problem);
		const checkedAt = clock.now().toISOString();
		return { ...(await readiness(there, { ...deps, ...how })), checkedAt };
	}

	return async (refresh) => {
		const there = await installed(refresh);
		if (!there.gameVersion)
			throw new AppError(
				'conflict',
				'The version of the game is not known yet. Start the server once, then look again.',
				{ code: 'no-game-version' }
			);
		const failed = await deps.failed();
		const key = keyOf(there, failed);
		try {
			if (!refresh) return await known.load(key, () => look(there, { anew: false, failed }));
			const found = await look(there, { anew: true, failed });
			known.set(key, found);
			return found;
		} catch (error) {
			const old = known.stale(key);
			if (!(error instanceof AppError) || !old) throw error;
			return old;
		}
	};
}

/** Another mod, loader or game makes what was found worthless, and so does an upgrade that has just failed. */
const keyOf = ({ loader, gameVersion, files, parked = [] }: Installed, { key }: FailedUpgrades) =>
	JSON.stringify([loader, gameVersion, hashes(files), hashes(parked), key]);

const hashes = (files: Installed['files']) => files.map(({ sha512 }) => sha512).sort();
