import type { UpgradeVersion } from '$lib/schemas/mod';

/** How far a mod that stays behind has come, by its makers' account. */
export const goesUpTo = ({ newestFor }: UpgradeVersion['late'][number]) =>
	newestFor ? `up to ${newestFor}` : 'nobody says for which versions';
