import { z } from 'zod';
import { checkbox } from '../common.ts';
import { ModFileName } from '../mod.ts';
import { countdownFields } from '../server.ts';
import { SoftwarePlan, SoftwarePlanId, VersionName } from './software.ts';

const PARK_MAX = 500;

/** Where to, and which of the mods that are late for it stay behind. */
export const UpgradeWish = z.strictObject({
	gameVersion: VersionName,
	/** Files of enabled mods. */
	park: z.array(ModFileName).max(PARK_MAX).default([])
});
export type UpgradeWish = z.infer<typeof UpgradeWish>;

const several = z.preprocess(
	(value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
	z.array(ModFileName).max(PARK_MAX)
);
/** The same as a form sends it. */
export const UpgradeForm = z.object({ gameVersion: VersionName, park: several });

const Planned = z.object({ fileName: z.string(), title: z.string() });

/** What an upgrade would do. */
export const UpgradePlan = SoftwarePlan.omit({ subject: true }).extend({
	gameVersion: z.string(),
	/** The game version that is installed. */
	from: z.string().nullable(),
	/** Mods that get a version for the new game. */
	updated: z.array(Planned.extend({ from: z.string().nullable(), to: z.string().nullable() })),
	/** What the new versions need besides; `reason` says which one. */
	added: z.array(Planned.extend({ reason: z.string().nullable() })),
	/** Mods whose installed file was marked for the new game. */
	asItIs: z.array(z.string()),
	/** Disabled until there is a version; `reason` of those that only go because another one does. */
	parked: z.array(Planned.extend({ reason: z.string().nullable() })),
	/** What was parked before, and stays so; `back`: there is a version for the new game. */
	parkedBefore: z.array(Planned.extend({ back: z.boolean() })).optional(),
	/** Files that the registry does not know: they stay, and nobody can say whether they run. */
	unknown: z.array(z.string()),
	/** What the world may lose without the parked mods; null when nothing. */
	content: z.string().nullable(),
	/** Whether it can go back. */
	world: z.string(),
	java: z.object({ required: z.number().int(), fetched: z.boolean() }),
	trial: z.object({ will: z.boolean(), why: z.string().nullable() })
});
export type UpgradePlan = z.infer<typeof UpgradePlan>;

export const UpgradeStart = z.strictObject({
	planId: SoftwarePlanId,
	/** Skips the trial on a copy. */
	skipTrial: z.boolean().optional(),
	/** Before a running server is stopped for it. */
	...countdownFields
});
export type UpgradeStart = z.infer<typeof UpgradeStart>;
export const UpgradeStartForm = z.object({
	planId: SoftwarePlanId,
	skipTrial: checkbox,
	...countdownFields,
	understood: z.literal('on', 'Read what happens to the world first, and say that you have.')
});
