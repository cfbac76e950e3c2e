import type { Upgrades, UpgradeVersion } from '$lib/schemas/mod';

/** How far a mod that stays behind has come, by its makers' account. */
export const goesUpTo = ({ newestFor }: UpgradeVersion['late'][number]) =>
	newestFor ? `up to ${newestFor}` : 'nobody says for which versions';

/** How many of the mods have a version for it; of what the registry does not know, nobody can say. */
export function readyWords({ ready, total, unknown }: UpgradeVersion): string {
	if (!unknown.length) return total ? `${ready} of ${total} mods ready` : 'no mods to wait for';
	return total
		? `${ready} of ${total} known mods ready, ${unknown.length} unknown`
		: `${unknown.length} unknown ${unknown.length === 1 ? 'mod' : 'mods'}`;
}

/** As many mods may stay behind for a version to be worth it. */
const LATE_FEW = 5;

/** The version to go to without its late mods: the newest that lacks few, while none has them all. */
export const worthwhile = ({ newestComplete, versions }: Upgrades) =>
	newestComplete === null
		? versions.find(({ loader, failed, late }) => loader && !failed && late.length <= LATE_FEW)?.id
		: undefined;
