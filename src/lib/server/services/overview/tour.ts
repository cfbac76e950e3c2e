import type { Operation } from '#schemas/operation';
import type { Tour } from '#schemas/overview/overview';

type Deps = {
	/** The newest operations first. */
	operations: (limit: number) => Promise<Operation[]>;
};

const NEWEST = 50;

/** What has been tried in the demo. The whole journal is read once; what was done once stays done. */
export function createTour({ operations }: Deps) {
	const tour: Tour = { search: null, updated: false, rolledBack: false, upgraded: false };
	/** The first search that succeeded. */
	let searched: string | null = null;
	let newerGame = false;
	let limit = Infinity;

	function note({ id, kind, state }: Operation) {
		if (kind === 'culprit') tour.search = id;
		if (kind === 'culprit' && state === 'succeeded') searched ??= id;
		if (kind === 'update' && state === 'succeeded' && searched && id > searched)
			tour.updated = true;
		if (kind === 'upgrade') {
			if (state === 'succeeded') newerGame = true;
			if (newerGame && (state === 'failed' || state === 'rolled-back')) tour.upgraded = true;
		}
		// The bad mod is installed; an update that is taken back belongs to the step before.
		if (kind === 'install' && state === 'rolled-back') tour.rolledBack = true;
	}
	return async (): Promise<Tour> => {
		const newest = await operations(limit);
		limit = NEWEST;
		for (const operation of newest.toReversed()) note(operation);
		return { ...tour };
	};
}
