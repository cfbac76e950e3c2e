import { z } from 'zod';
import { Time } from './common.ts';

export const UpgradesQuery = z.object({ refresh: z.literal('1').optional() });

/** A mod that has no version for a game version yet. */
export const LateMod = z.object({
	fileName: z.string(),
	title: z.string(),
	/** The newest game version that it is offered for; null when nobody says. */
	newestFor: z.string().nullable()
});
export type LateMod = z.infer<typeof LateMod>;

/** One game version that is newer than the installed one. */
export const UpgradeVersion = z.object({
	id: z.string(),
	releasedAt: Time.nullable(),
	/** The build that would be taken; null when the loader has none for this version. */
	loader: z.object({ version: z.string() }).nullable(),
	/** Mods that have a version for it, of those that the registry knows. */
	ready: z.int(),
	total: z.int(),
	late: z.array(LateMod),
	/** Files that the registry does not know: nobody can say whether they run. */
	unknown: z.array(z.string())
});
export type UpgradeVersion = z.infer<typeof UpgradeVersion>;

/** Which newer game versions the installed mods support. */
export const Upgrades = z.object({
	/** The installed game version. */
	current: z.string().nullable(),
	/** The newest one that every known mod and the loader support, as far as was asked. */
	newestComplete: z.string().nullable(),
	checkedAt: Time,
	/** Newest first; those that were asked about. */
	versions: z.array(UpgradeVersion)
});
export type Upgrades = z.infer<typeof Upgrades>;
