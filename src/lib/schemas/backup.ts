import { z } from 'zod';
import { checkbox, Note, PlayerUuid, Time } from './common.ts';
import { countdownFields } from './server.ts';

/** Backups that are not pinned are cleaned up according to the settings. */
export const BACKUPS_PINNED_MAX = 100;

/** Sorts by time: `20260102T030405Z-1a2b`. */
export const BackupId = z.string().regex(/^\d{8}T\d{6}Z-[0-9a-f]{4}$/, 'Unknown backup');
export const BackupRef = z.object({ id: BackupId });

export const Backup = z.object({
	id: BackupId,
	createdAt: Time,
	/** Of the archive. */
	bytes: z.int(),
	kind: z.enum(['manual', 'scheduled', 'before-change']),
	/** `incomplete` is never offered for a restore; `damaged` failed its last verify. */
	state: z.enum(['running', 'complete', 'incomplete', 'damaged']),
	/** Size of the worlds in it, unpacked; null when its manifest cannot be read. */
	worldBytes: z.int().nullable(),
	files: z.int().nullable(),
	note: z.string(),
	pinned: z.boolean(),
	verifiedAt: Time.nullable(),
	/** The worlds in it, for a restore of one: `world`, `world_nether`. */
	worlds: z.array(z.string()),
	gameVersion: z.string().nullable(),
	withMods: z.boolean(),
	/** Files that changed or vanished while they were read, and other things worth knowing. */
	warnings: z.array(z.string()),
	problem: z.string().nullable(),
	/** It is being read back right now, or is waiting for that. */
	verifying: z.boolean().optional(),
	/** How far that is, of its contents unpacked; absent or null while it waits. */
	verifyProgress: z.object({ done: z.number(), total: z.number() }).nullable().optional(),
	/** Why the last verify could not be done, which says nothing about the backup; forgotten with a restart. */
	verifyProblem: z.string().nullable().optional()
});
export type Backup = z.infer<typeof Backup>;

/** How the verify of a backup stands, in the live stream: as it begins, goes on and ends. */
export const BackupVerify = Backup.pick({
	...{ id: true, state: true, verifiedAt: true, problem: true },
	...{ verifying: true, verifyProgress: true, verifyProblem: true }
}).required();
export type BackupVerify = z.infer<typeof BackupVerify>;

export const BackupCreate = z.strictObject({
	note: Note.default(''),
	/** Include `mods/`: when absent, the setting decides. */
	withMods: z.boolean().optional()
});
export type BackupCreate = z.infer<typeof BackupCreate>;
export const BackupPatch = z.strictObject({
	note: Note.optional(),
	pinned: z.boolean().optional()
});
export type BackupPatch = z.infer<typeof BackupPatch>;

/** The name of a world's folder in the server's folder. */
export const WorldName = z
	.string()
	.min(1)
	.max(255)
	.regex(/^(?!\.{1,2}$)[^/\\\p{C}]+$/u, 'Not a world');
/** Body of a restore; `world` with scope `world`, `uuid` with scope `player` (and `world` where there are several). */
export const BackupRestore = z
	.strictObject({
		scope: z.enum(['all', 'world', 'player']),
		world: WorldName.optional(),
		uuid: PlayerUuid.optional(),
		/** Makes a backup of what is there now before anything is replaced. */
		backupFirst: z.boolean().optional(),
		/** Before a running server is stopped for it. */
		...countdownFields
	})
	.refine(({ scope, world }) => scope !== 'world' || world !== undefined, {
		path: ['world'],
		message: 'Choose a world'
	})
	.refine(({ scope, uuid }) => scope !== 'player' || uuid !== undefined, {
		path: ['uuid'],
		message: 'Choose a player'
	});
export type BackupRestore = z.infer<typeof BackupRestore>;

/** The backup from which a restore can be undone, and what of it. */
export const RestoreUndo = z.object({
	backup: BackupId,
	scope: BackupRestore.shape.scope,
	world: WorldName.optional(),
	uuid: PlayerUuid.optional()
});
export type RestoreUndo = z.infer<typeof RestoreUndo>;

/** What is requested, as an address or a form says it: a form sends untouched fields as empty text. */
export const BackupRestoreAsked = z.object({
	backup: BackupId,
	scope: BackupRestore.shape.scope.catch('all').default('all'),
	world: z.string().default(''),
	uuid: z.string().default('')
});
export type BackupRestoreAsked = z.infer<typeof BackupRestoreAsked>;

const restoreOf = ({ scope, world, uuid }: BackupRestoreAsked) =>
	BackupRestore.safeParse({ scope, ...(world && { world }), ...(uuid && { uuid }) });

/** Null until the world or the player has been chosen. */
export const chosenRestore = (asked: BackupRestoreAsked): BackupRestore | null =>
	restoreOf(asked).data ?? null;

export const BackupRestoreForm = BackupRestoreAsked.extend({
	backupFirst: checkbox,
	...countdownFields
}).transform(({ backupFirst, delaySeconds, message, ...asked }, context) => {
	const { data, error } = restoreOf(asked);
	if (data) return { backup: asked.backup, wish: { ...data, backupFirst, delaySeconds, message } };
	for (const { message, path } of error.issues) context.addIssue({ code: 'custom', message, path });
	return z.NEVER;
});
