import type { ModUpdateState } from '../mod.ts';

type Facts = Pick<ModUpdateState, 'updateAvailable' | 'locked' | 'failedHere'>;

/** Counts as an update wherever updates are counted: it is newer, and nobody and nothing holds it back. */
export const isOffered = ({ updateAvailable, locked, failedHere }: Facts) =>
	updateAvailable && !locked && !failedHere;

/** Newer, and left out because it did not start here before. */
export const isLeftOut = ({ updateAvailable, locked, failedHere }: Facts) =>
	updateAvailable && !locked && failedHere !== null;
