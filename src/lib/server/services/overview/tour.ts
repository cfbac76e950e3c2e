import type { Operation } from '#schemas/operation';
import type { Tour } from '#schemas/overview/overview';

type Deps = {
	/** The newest operations first. */
	operations: (limit: number) => Promise<Operation[]>;
	/** How many updates are on offer; null while that is not known. */
	offered: () => Promise<number | null>;
};

const NEWEST = 50;
/** The mod whose update does not start (scripts/demo-registry). Another one that failed is not what is to be found. */
const BAD = 'quiet-villagers';

/** What has been tried in the demo. The whole journal is read once; what was done once stays done. */
export function createTour({ operations, offered }: Deps) {
	const tour: Tour = {
		...{ search: null, named: null, updated: false, left: null },
		...{ rolledBack: null, upgraded: false, newer: false }
	};
	const upgrades = { good: false, bad: false };
	let limit = Infinity;

	function note({ id, kind, state, cause, result }: Operation) {
		const isBad = state === 'failed' || state === 'rolled-back';
		if (kind === 'culprit') tour.search = state === 'running' ? id : null;
		const names =
			kind === 'update'
				? isBad && !!cause?.mods.includes(BAD)
				: kind === 'culprit' && !!result?.culprits.length;
		if (names && !(tour.named && tour.named < id)) tour.named = id;
		if (kind === 'update' && state === 'succeeded' && tour.named && id > tour.named)
			tour.updated = true;
		if (kind === 'upgrade' && state === 'succeeded') upgrades.good = tour.newer = true;
		if (kind === 'go-back' && state === 'succeeded') tour.newer = false;
		if (kind === 'upgrade' && isBad) upgrades.bad = true;
		tour.upgraded = upgrades.good && upgrades.bad;
		// The bad mod is installed; an update that is taken back belongs to the step before.
		if (kind === 'install' && state === 'rolled-back') tour.rolledBack = id;
	}
	return async (): Promise<Tour> => {
		const newest = await operations(limit);
		limit = NEWEST;
		for (const operation of newest.toReversed()) note(operation);
		return { ...tour, left: await offered() };
	};
}
