import { z } from 'zod';
import { checkbox, Time } from './common.ts';
import { INSTALLS_PER_REQUEST_MAX } from './mod-page.ts';
import { OperationId } from './operation.ts';
import { countdownFields } from './server.ts';

export const FILE_NAME_MAX = 128;
export const MODS_PER_REQUEST_MAX = 500;
export const MOD_SEARCH_MAX = 200;
export const CULPRIT_BOOTS_MAX = 60;
const SEARCH_PAGE = 20;
const SEARCH_PAGE_MAX = 100;
/** The largest jar that may be downloaded or uploaded; the largest mods of 2026 are 150 MB. */
export const JAR_MAX_BYTES = 256_000_000;

/** The loaders whose mods are in `mods/`. */
export const Loader = z.enum(['fabric', 'quilt', 'forge', 'neoforge']);
export type Loader = z.infer<typeof Loader>;

/** Where a mod is useful. `client`: not on a server; `server`: players need not have it. */
export const Side = z.enum(['client', 'server', 'both', 'unknown']);
export type Side = z.infer<typeof Side>;

export const Channel = z.enum(['release', 'beta', 'alpha']);
export type Channel = z.infer<typeof Channel>;

/** A file in `mods/`: not hidden, no path, no control or direction characters. What people may name in a request. */
export const ModFileName = z
	.string()
	.min(1)
	.max(255)
	.regex(/^(?!\.)[^/\\\p{C}]+\.jar(?:\.disabled)?$/u, 'Not the name of a mod file');

/** A name that the dashboard writes itself. */
export const SafeJarName = z.string().regex(/^[A-Za-z0-9_+(][A-Za-z0-9._+()[\] -]{0,119}\.jar$/);

/** The registry's own ids: base62, or a slug where it accepts one. Never `..`, which would be another path. */
export const ProjectId = z.string().regex(/^(?!\.+$)[A-Za-z0-9._-]{1,64}$/, 'Unknown project');
export const VersionId = z.string().regex(/^[A-Za-z0-9]{1,16}$/, 'Unknown version');
export const VersionRef = z.object({ versionId: VersionId });
export const ProjectRef = z.object({ id: ProjectId });
export const IconRef = z.object({ projectId: ProjectId });

/** Why a file needs attention; `message` is a sentence for people. */
export const ModProblem = z.object({
	code: z.enum([
		'broken',
		'missing-dependency',
		'wrong-dependency-version',
		'incompatible',
		'duplicate',
		'wrong-loader',
		'wrong-game-version',
		'client-only',
		'not-a-file'
	]),
	message: z.string()
});
export type ModProblem = z.infer<typeof ModProblem>;

/** One file in `mods/`. */
export const Mod = z.object({
	fileName: z.string(),
	/** From the jar's metadata for this server's loader; null when the jar has none or cannot be read. */
	modId: z.string().nullable(),
	name: z.string(),
	version: z.string().nullable(),
	loaders: z.array(Loader),
	side: Side,
	enabled: z.boolean(),
	size: z.int(),
	/** When the file was last written; null when that cannot be told. */
	writtenAt: Time.nullable(),
	sha512: z.string().nullable(),
	project: z
		.object({
			id: z.string(),
			slug: z.string(),
			title: z.string(),
			/** Our own endpoint; null when it has none. */
			iconUrl: z.string().nullable(),
			/** It puts nothing of its own into a world, which loses nothing without it; absent where it may. */
			contentFree: z.literal(true).optional()
		})
		.nullable(),
	versionId: z.string().nullable(),
	requires: z.array(
		z.object({
			modId: z.string(),
			range: z.string(),
			/** The file (or `minecraft`, `java`, the loader) that satisfies it; null when nothing does. */
			satisfiedBy: z.string().nullable()
		})
	),
	/** Files that need this one. */
	requiredBy: z.array(z.string()),
	problems: z.array(ModProblem),
	locked: z.boolean(),
	/** May go into the pack for players although it is not from the registry, because a superadmin allowed it. */
	shareable: z.boolean()
});
export type Mod = z.infer<typeof Mod>;

/** A mod that was set aside because it, or one that it needs, had no version for the game; by what is on the disk. */
export const ParkedHere = z.object({
	fileName: z.string(),
	projectId: z.string().nullable(),
	title: z.string(),
	since: Time,
	/** Titles of the mods that it needs, and that are disabled too. */
	waitsFor: z.array(z.string())
});
export type ParkedHere = z.infer<typeof ParkedHere>;

export const ParkedMod = ParkedHere.extend({
	/** How it can come back: with a version that is there now, or as it is; null: not yet. */
	back: z.enum(['update', 'enable']).nullable(),
	/** An older version that would run with this game; null when there is none, or when it can come back anyway. */
	older: z.object({ versionId: z.string(), version: z.string() }).nullable()
});
export type ParkedMod = z.infer<typeof ParkedMod>;

export const InstalledMods = z.object({
	loader: z.string().nullable(),
	loaderVersion: z.string().nullable(),
	gameVersion: z.string().nullable(),
	mods: z.array(Mod),
	parked: z.array(ParkedHere),
	/** Why registry data is missing or old; null when it is fresh. */
	registryProblem: z.string().nullable()
});
export type InstalledMods = z.infer<typeof InstalledMods>;

export const ModSort = z.enum(['relevance', 'downloads', 'follows', 'newest', 'updated']);
/** `server`: players need not have it; `client`: the server need not have it; empty: any. */
export const ModSearchSide = z.enum(['', 'server', 'client']);
export const ModSearch = z.object({
	q: z.string().trim().max(MOD_SEARCH_MAX, `At most ${MOD_SEARCH_MAX} characters`).default(''),
	offset: z.coerce.number().int().min(0).max(10_000).default(0),
	limit: z.coerce.number().int().min(1).max(SEARCH_PAGE_MAX).default(SEARCH_PAGE),
	sort: ModSort.default('relevance'),
	/** One of the registry's: `optimization`; empty: any. */
	category: z
		.string()
		.regex(/^[a-z0-9-]{0,40}$/, 'Unknown category')
		.default(''),
	side: ModSearchSide.default('')
});
export type ModSearch = z.infer<typeof ModSearch>;

export const ModHit = z.object({
	projectId: z.string(),
	slug: z.string(),
	title: z.string(),
	description: z.string(),
	author: z.string(),
	downloads: z.int(),
	updatedAt: Time.nullable(),
	clientSide: z.string(),
	serverSide: z.string(),
	side: Side,
	iconUrl: z.string().nullable(),
	categories: z.array(z.string()),
	/** The installed file of this project, if any. */
	installed: z.string().nullable(),
	/** The last of its versions that did not start here before; absent when there is none, or a later one is installed. */
	failedHere: z
		.object({ version: z.string(), certain: z.boolean(), ready: z.boolean().optional() })
		.optional()
});
export type ModHit = z.infer<typeof ModHit>;
export const ModHits = z.object({
	offset: z.int(),
	limit: z.int(),
	total: z.int(),
	hits: z.array(ModHit)
});
export type ModHits = z.infer<typeof ModHits>;

export const ModVersion = z.object({
	versionId: z.string(),
	version: z.string(),
	name: z.string(),
	channel: Channel,
	publishedAt: Time,
	gameVersions: z.array(z.string()),
	loaders: z.array(z.string()),
	fileName: z.string(),
	size: z.int(),
	changelog: z.string().nullable(),
	/** Fits this server's loader and game version. */
	compatible: z.boolean(),
	installed: z.boolean()
});
export type ModVersion = z.infer<typeof ModVersion>;

/** A project's own page. `body` is markdown by its author and must be treated as hostile. */
export const ModProject = ModHit.extend({
	body: z.string(),
	license: z.string().nullable(),
	sourceUrl: z.string().nullable(),
	issuesUrl: z.string().nullable(),
	/** Compatible ones first, newest first. */
	versions: z.array(ModVersion)
});
export type ModProject = z.infer<typeof ModProject>;

const fileNames = z.array(ModFileName).min(1).max(MODS_PER_REQUEST_MAX);
export const PlanId = z.string().regex(/^[0-9a-f]{32}$/, 'Unknown plan');
const planId = PlanId.optional();
const backupFirst = z.boolean().optional();
/** Without a trial on a copy first. */
const skipTrial = z.boolean().optional();
/** While the server is down: it is not started to see whether it comes up. */
const filesOnly = z.boolean().optional();
/** What a person may wish beside a change: the same for all of them. */
const how = {
	planId,
	backupFirst,
	skipTrial,
	filesOnly,
	/** Before a running server is stopped for it. */
	...countdownFields
};

/** Body of `POST /api/mods/plan`. */
export const PlanRequest = z
	.strictObject({
		install: z
			.array(z.strictObject({ projectId: ProjectId, versionId: VersionId.optional() }))
			.max(INSTALLS_PER_REQUEST_MAX)
			.optional(),
		update: fileNames.optional(),
		enable: fileNames.optional(),
		disable: fileNames.optional(),
		remove: fileNames.optional(),
		/** Also remove the mods that need the removed ones. */
		removeDependents: z.boolean().optional(),
		/** Also remove libraries that nothing needs any more. */
		removeOrphans: z.boolean().optional()
	})
	.refine(
		({ install, update, enable, disable, remove }) =>
			[install, update, enable, disable, remove].some((list) => list?.length),
		'Say what to change'
	);
export type PlanRequest = z.infer<typeof PlanRequest>;

export const PlanKind = z.enum(['install', 'update', 'enable', 'disable', 'remove']);
export type PlanKind = z.infer<typeof PlanKind>;

const flag = z.literal('1').optional();
/** One change as the address of its preview describes it; the request that follows the preview uses the same words. */
export const ModWish = z
	.object({
		do: PlanKind,
		file: z.array(ModFileName).max(MODS_PER_REQUEST_MAX),
		/** Every mod that has an update. */
		all: flag,
		project: z.array(ProjectId).max(INSTALLS_PER_REQUEST_MAX),
		/** Of the project, where it is a single one. */
		version: VersionId.optional(),
		dependents: flag,
		orphans: flag,
		/** To disable: remembered as too old for the game, and offered when there is a version for it. */
		park: flag
	})
	.refine(
		({ file, all, project }) => file.length || all || project.length,
		'Choose at least one mod'
	)
	.refine(
		({ project, version }) => !version || project.length === 1,
		'A version belongs to one mod'
	);
export type ModWish = z.infer<typeof ModWish>;

/** The form below a preview. */
export const PlanAgreement = z.object({
	planId: PlanId,
	backupFirst: checkbox,
	/** What the plan says of the world was read: mods with content are never parked silently. */
	loseContent: checkbox,
	skipTrial: checkbox,
	filesOnly: checkbox,
	...countdownFields
});
export type PlanAgreement = z.infer<typeof PlanAgreement>;

/** One file that a plan touches. */
export const PlanItem = z.object({
	/** The name afterwards (for `remove`, the name before). */
	fileName: z.string(),
	/** The file that is removed: the old one in `replace`, the old name in a rename. */
	replaces: z.string().nullable(),
	modId: z.string().nullable(),
	title: z.string(),
	from: z.string().nullable(),
	to: z.string().nullable(),
	side: Side,
	size: z.int(),
	projectId: z.string().nullable(),
	versionId: z.string().nullable(),
	channel: Channel.nullable(),
	/** Why it is in the plan although nobody asked for it: `needed by Lithium`, `nothing needs it any more`. */
	reason: z.string().nullable(),
	/** Versions between the installed one and the new one, newest first; markdown. */
	changelogs: z.array(
		z.object({ version: z.string(), publishedAt: Time, text: z.string().nullable() })
	)
});
export type PlanItem = z.infer<typeof PlanItem>;

export const PlanWarning = z.object({
	code: z.string(),
	message: z.string(),
	/** The server would not start like this: the plan cannot be carried out. */
	blocking: z.boolean(),
	/** Only said: there is nothing to be careful about. */
	harmless: z.literal(true).optional(),
	/** In it several were tried together, and nobody knows yet which of them is to blame; absent otherwise. */
	operationId: OperationId.optional()
});
export type PlanWarning = z.infer<typeof PlanWarning>;

export const Plan = z.object({
	id: PlanId,
	kind: PlanKind,
	/** What changes, as the operation will say it: `5 mods and 1 dependency`; null when nothing does. */
	subject: z.string().nullable(),
	add: z.array(PlanItem),
	replace: z.array(PlanItem),
	remove: z.array(PlanItem),
	/** Requested but left as it is: `reason` says why (already the newest, locked). */
	keep: z.array(PlanItem),
	/** Only the file's name changes: enabled or disabled. */
	rename: z.array(PlanItem),
	/** Mods that need a removed or disabled one, and would keep the server from starting: offered to go with it. */
	dependents: z.array(PlanItem),
	/** Libraries that nothing would need any more: offered for removal. */
	orphans: z.array(PlanItem),
	warnings: z.array(PlanWarning),
	downloadBytes: z.int(),
	/** The server is stopped for this, started and watched, unless every jar is client-only. */
	restart: z.boolean(),
	/** What happens to the world when content mods come, go or change, and is not undone by going back; null when nothing. */
	world: z.string().nullable(),
	/** What happens without a word about it: our pages suggest a backup wherever `world` says something, too. */
	backupFirst: z.boolean(),
	/** Whether it is tried on a copy of the server first; `why` says why not. */
	trial: z.object({ will: z.boolean(), why: z.string().nullable() })
});
export type Plan = z.infer<typeof Plan>;

export const ModInstall = z.strictObject({
	projectId: ProjectId,
	versionId: VersionId.optional(),
	...how
});
export type ModInstall = z.infer<typeof ModInstall>;

export const ModUpdate = z
	.strictObject({
		fileNames: fileNames.optional(),
		all: z.literal(true).optional(),
		...how
	})
	.refine(
		({ fileNames, all }) => (fileNames === undefined) !== (all === undefined),
		'Name the files, or all'
	);
export type ModUpdate = z.infer<typeof ModUpdate>;

export const ModRemove = z.strictObject({
	fileNames,
	removeDependents: z.boolean().optional(),
	removeOrphans: z.boolean().optional(),
	...how
});
export type ModRemove = z.infer<typeof ModRemove>;

/** Body of `PATCH /api/mods`: one thing at a time. */
export const ModPatch = z.union([
	/** Disabled, and offered again when there is a version for the game; `loseContent` as in `PlanAgreement`. */
	z.strictObject({
		fileName: ModFileName,
		parked: z.literal(true),
		loseContent: z.boolean().default(false),
		...how
	}),
	z.strictObject({ fileName: ModFileName, enabled: z.boolean(), ...how }),
	z.strictObject({ fileName: ModFileName, locked: z.boolean() }),
	z.strictObject({ fileName: ModFileName, shareable: z.boolean() })
]);
export type ModPatch = z.infer<typeof ModPatch>;

/** Body of `POST /api/mods/culprit`: what an operation changed, or every mod. */
export const CulpritRequest = z
	.strictObject({
		operationId: OperationId.optional(),
		scope: z.literal('all').optional(),
		maxBoots: z.int().min(1).max(CULPRIT_BOOTS_MAX).optional()
	})
	.refine(
		({ operationId, scope }) => (operationId === undefined) !== (scope === undefined),
		'Name the operation, or all'
	);
export type CulpritRequest = z.infer<typeof CulpritRequest>;

export const UpdatesQuery = z.object({ refresh: z.literal('1').optional() });
export const ModUpdateState = z.object({
	fileName: z.string(),
	current: z.string().nullable(),
	latest: z
		.object({
			versionId: z.string(),
			fileName: z.string(),
			version: z.string(),
			publishedAt: Time,
			channel: Channel,
			changelog: z.string().nullable(),
			size: z.int()
		})
		.nullable(),
	updateAvailable: z.boolean(),
	/** `latest` did not start here before, on this game and loader version; `certain` when it did so alone, reproducibly. */
	failedHere: z
		.object({
			...{ at: Time, operationId: OperationId, certain: z.boolean() },
			/** It had been ready for players by then; absent where it was not. */
			ready: z.boolean().optional()
		})
		.nullable(),
	/** "Update all" passes `latest` over, for what happened with it here, until a newer one comes or a person says otherwise. */
	leftOut: z.boolean(),
	locked: z.boolean(),
	error: z.string().nullable()
});
export type ModUpdateState = z.infer<typeof ModUpdateState>;
export const ModUpdates = z.object({ checkedAt: Time.nullable(), mods: z.array(ModUpdateState) });
export type ModUpdates = z.infer<typeof ModUpdates>;

/** The pack for players. */
export const ModpackInfo = z.object({
	fileName: z.string(),
	bytes: z.int(),
	builtAt: Time,
	mods: z.int(),
	/** What people call them, in order; empty for a pack from before they were kept. */
	names: z.array(z.string()).default([]),
	/** Jars that are missing from it, and why. */
	warnings: z.array(z.string())
});
export type ModpackInfo = z.infer<typeof ModpackInfo>;

/** The same as the public page shows it: strangers get the number of `missing` jars, and no warning that names one. */
export const PublicModpack = ModpackInfo.extend({ missing: z.int() });
export type PublicModpack = z.infer<typeof PublicModpack>;

/** A mod that has no version for a game version yet. */
export const LateMod = z.object({
	fileName: z.string(),
	title: z.string(),
	/** The newest game version that it is offered for; null when nobody says. */
	newestFor: z.string().nullable()
});
export type LateMod = z.infer<typeof LateMod>;

/** An upgrade after which the game did not start. */
export const FailedUpgrade = z.object({
	operationId: OperationId,
	at: Time,
	/** What people call the mods that are to blame. */
	mods: z.array(z.string())
});
export type FailedUpgrade = z.infer<typeof FailedUpgrade>;

/** One game version that is newer than the installed one. */
export const UpgradeVersion = z.object({
	id: z.string(),
	releasedAt: Time.nullable(),
	/** The build that would be taken; null when the loader has none for this version. */
	loader: z.object({ version: z.string() }).nullable(),
	/** Mods that would come along, of those that the registry knows. */
	ready: z.int(),
	total: z.int(),
	late: z.array(LateMod),
	/** What is parked with the late ones, because it needs one of them. */
	along: z.array(
		z.object({ fileName: z.string(), title: z.string(), reason: z.string().nullable() })
	),
	/** What was parked before; `back`: there is a version for this one. */
	parked: z
		.array(z.object({ fileName: z.string(), title: z.string(), back: z.boolean() }))
		.optional(),
	/** Files that the registry does not know: nobody can say whether they run. */
	unknown: z.array(z.string()),
	/** It was tried here with this build and these mods; null when it was not, or when it went well. */
	failed: FailedUpgrade.nullable(),
	/** Somebody went back from it, with this build and these mods; absent otherwise. */
	wentBack: z.object({ operationId: OperationId, at: Time }).optional()
});
export type UpgradeVersion = z.infer<typeof UpgradeVersion>;

/** Which newer game versions the installed mods support. */
export const Upgrades = z.object({
	/** The installed game version. */
	current: z.string().nullable(),
	/** The newest one that every known mod and the loader support, as far as was asked, that did not fail here and that nobody went back from. */
	newestComplete: z.string().nullable(),
	checkedAt: Time,
	/** Newest first; those that were asked about. */
	versions: z.array(UpgradeVersion)
});
export type Upgrades = z.infer<typeof Upgrades>;
