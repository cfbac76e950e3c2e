import type { Operation } from '#schemas/operation';
import { systemClock } from '#core/clock';
import type { createDispatch } from '#services/schedule';

const unwanted = async (): Promise<never> => {
	throw new Error('not asked for');
};

/** The dependencies of a dispatcher: whatever a test does not replace fails when it is used. */
export const dispatchDeps = (
	over: Partial<Parameters<typeof createDispatch>[0]> = {}
): Parameters<typeof createDispatch>[0] => ({
	command: unwanted,
	console: unwanted,
	backup: unwanted,
	prune: unwanted,
	power: { start: unwanted, stop: unwanted, restart: unwanted },
	state: unwanted,
	playersOnline: unwanted,
	modUpdates: unwanted,
	updateMods: unwanted,
	ended: async () => ({ state: 'succeeded', cause: null }) as Operation,
	cancel: async () => {},
	clock: systemClock,
	...over
});
