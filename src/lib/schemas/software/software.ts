import { z } from 'zod';
import { oneLine, wholeNumber } from '../common.ts';
import { ProjectId, VersionId } from '../mod.ts';
import { countdownFields } from '../server.ts';

/** The kinds of server that can be created here, in the order in which they are offered. */
export const SERVER_LOADERS = ['vanilla', 'fabric', 'neoforge', 'forge', 'paper'] as const;
export const ServerLoader = z.enum(SERVER_LOADERS, 'This kind of server cannot be created here.');
export type ServerLoader = z.infer<typeof ServerLoader>;

/** A game's or a loader's version as it is written in addresses and file names. */
export const VersionName = z
	.string()
	.regex(/^[A-Za-z0-9][\w.+-]{0,59}$/, 'This is not how a version is written.');

export const GameVersion = z.object({
	id: z.string(),
	type: z.enum(['release', 'snapshot']),
	/** ISO; null when it is not stated. */
	releasedAt: z.string().nullable(),
	/** The major version of Java that it needs; null when it is not known beforehand. */
	java: z.number().int().nullable()
});
export type GameVersion = z.infer<typeof GameVersion>;

export const LoaderBuild = z.object({ id: z.string(), stable: z.boolean() });
export type LoaderBuild = z.infer<typeof LoaderBuild>;

const MEMORY_MIN_MB = 512;
const MEMORY_MAX_MB = 1 << 20;
const PORT_MAX = 65_535;
export const MOTD_MAX = 120;
export const SEED_MAX = 100;

const choice = { loader: ServerLoader, gameVersion: VersionName };
/** An empty field of a form counts as absent. */
const ifAny = <T extends z.ZodType>(schema: T) =>
	z.preprocess((text) => (text === '' ? undefined : text), schema.optional());
const choices = {
	memoryMb: ifAny(wholeNumber(MEMORY_MIN_MB, MEMORY_MAX_MB)),
	port: ifAny(wholeNumber(1, PORT_MAX))
};

/** What a person chooses for a new server; the rest is chosen for them. */
const CreateFields = {
	...choice,
	/** The newest stable one by default. */
	build: ifAny(VersionName),
	...choices,
	seed: oneLine(SEED_MAX).optional(),
	motd: oneLine(MOTD_MAX).optional()
};
const EULA = 'Read the EULA and accept it first.';
const acceptedEula = z.literal('on', EULA).transform(() => true as const);
export const CreateWish = z.strictObject({
	do: z.literal('create'),
	...CreateFields,
	acceptEula: z.literal(true, EULA)
});
export type CreateWish = z.infer<typeof CreateWish>;
/** The same as a form sends it. */
export const CreateForm = z.object({
	...CreateFields,
	acceptEula: acceptedEula
});

export const ChangeWish = z.strictObject({
	do: z.literal('change'),
	loader: ServerLoader,
	build: VersionName
});
export type ChangeWish = z.infer<typeof ChangeWish>;
export const ChangeForm = z.object({ loader: ServerLoader, build: VersionName });

/** An uploaded pack: a server pack with its mods, its libraries and a small world. */
export const PACK_MAX_BYTES = 2_000_000_000;
export const FOLDER_MAX = 1000;

const PackSource = {
	/** A pack in the registry, and the newest of its versions unless one is named. */
	projectId: ProjectId.optional(),
	versionId: ifAny(VersionId),
	/** A folder on this machine. */
	folder: oneLine(FOLDER_MAX).startsWith('/', 'The whole path, from / on').optional()
};
const oneSource = ({ projectId, folder }: { projectId?: unknown; folder?: unknown }) =>
	(projectId === undefined) !== (folder === undefined);
const ONE_SOURCE = { message: 'Name a pack or a folder, one of them.', path: ['projectId'] };
export const ImportWish = z
	.strictObject({
		do: z.literal('import'),
		...PackSource,
		...choices,
		acceptEula: z.literal(true, EULA)
	})
	.refine(oneSource, ONE_SOURCE);
export type ImportWish = z.infer<typeof ImportWish>;
/** The same as a form sends it. */
export const ImportForm = z
	.object({ ...PackSource, ...choices, acceptEula: acceptedEula })
	.refine(oneSource, ONE_SOURCE);
/** The fields beside an uploaded pack, from a form or a program. */
export const UploadFields = z.object({
	do: z.literal('import').default('import'),
	...choices,
	acceptEula: z.literal(['on', 'true'], EULA).transform(() => true as const)
});
export type UploadFields = z.infer<typeof UploadFields>;

export const SoftwareWish = z.discriminatedUnion('do', [CreateWish, ChangeWish, ImportWish]);
export type SoftwareWish = z.infer<typeof SoftwareWish>;

export const SoftwarePlanId = z.string().regex(/^[0-9a-f]{32}$/, 'Unknown plan');

/** What will be done, before anything is done. */
export const SoftwarePlan = z.object({
	id: SoftwarePlanId,
	/** What will be installed, such as `Fabric 0.18.0 for Minecraft 1.21.4`, or the name of a pack. */
	subject: z.string(),
	/** In sentences, in order. */
	steps: z.array(z.string()),
	/** Files that are added to the folder. */
	add: z.array(z.string()),
	/** What is left out, and why. */
	leaveOut: z.array(z.object({ fileName: z.string(), why: z.string() })),
	warnings: z.array(z.string()),
	/** As far as it is known beforehand. */
	downloadBytes: z.number()
});
export type SoftwarePlan = z.infer<typeof SoftwarePlan>;

/** The countdown is for a change of the build: anything else is done where no server runs. */
const apply = { planId: SoftwarePlanId, ...countdownFields };
export const SoftwareApply = z.strictObject(apply);
export type SoftwareApply = z.infer<typeof SoftwareApply>;
export const SoftwareApplyForm = z.object(apply);

export const VersionsQuery = z.object({ loader: ServerLoader });
export const SoftwareVersions = z.object({
	games: z.array(GameVersion),
	builds: z.record(z.string(), z.array(LoaderBuild))
});
export type SoftwareVersions = z.infer<typeof SoftwareVersions>;

const JAVA_MIN = 8;
const JAVA_MAX = 99;
export const JavaWish = z.object({ major: wholeNumber(JAVA_MIN, JAVA_MAX) });

const FoundJava = z.object({ version: z.string(), path: z.string() });
/** What runs here. */
export const Software = z.object({
	loader: z.string().nullable(),
	loaderVersion: z.string().nullable(),
	gameVersion: z.string().nullable(),
	java: z.object({
		/** The major version that the game needs; null when the game is not known. */
		required: z.number().nullable(),
		/** The Java that the game is started with; null when none fits. */
		chosen: FoundJava.nullable(),
		/** The newest first. */
		found: z.array(FoundJava.extend({ tooOld: z.boolean() }))
	}),
	/** Mods that were set aside because they have no version for this game version yet. */
	parked: z.array(z.object({ fileName: z.string(), title: z.string(), since: z.string() }))
});
export type Software = z.infer<typeof Software>;

/** Lists of versions are told although they are old; `listsFrom` is ISO, `message` says why. */
export type ListAge = { listsFrom: string; message: string };

/** What a form offers. */
export type SoftwareChoices = {
	games: GameVersion[];
	/** The game version that these builds are for. */
	game: string | null;
	builds: LoaderBuild[];
	memoryMb: number;
};

/** A pack as a form offers it. */
export type PackHit = {
	projectId: string;
	title: string;
	description: string;
	author: string;
	downloads: number;
};
export type PackVersion = {
	id: string;
	number: string;
	name: string;
	gameVersions: string[];
	loaders: string[];
};
export type PackChoice = { projectId: string; title: string; versions: PackVersion[] };
/** Where packs are looked for by a form. */
export const PackSearch = z.object({ q: oneLine(80).catch('').default('') });
