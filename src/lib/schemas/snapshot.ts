import { z } from 'zod';
import { Note, Time, wholeNumber } from './common.ts';

export const SNAPSHOT_KEEP_MAX = 50;
/** How many manual snapshots there may be, and how many pinned ones. */
export const SNAPSHOTS_BY_HAND_MAX = 100;
/** Of those that operations take, the newest are kept, and the pinned ones beside them. */
export const SNAPSHOTS_BY_OPERATIONS_MAX = 100;
export const SNAPSHOTS_PINNED_MAX = 100;

/** Sorts by time: `20260102T030405Z-1a2b`. */
export const SnapshotId = z.string().regex(/^\d{8}T\d{6}Z-[0-9a-f]{4}$/, 'Unknown snapshot');
export const SnapshotRef = z.object({ id: SnapshotId });

export const Snapshot = z.object({
	id: SnapshotId,
	createdAt: Time,
	/** What it was taken for: `manual`, or the operation it protects. */
	reason: z.enum([
		'manual',
		'install',
		'update',
		'enable',
		'disable',
		'remove',
		'restore',
		'upgrade'
	]),
	operationId: z.string().nullable(),
	/** What that is about, shortened; absent by hand, and for one from before this was kept. */
	subject: z.string().optional(),
	/** Whose press it was; null for one from before this was kept. */
	by: z.string().nullable(),
	note: z.string(),
	pinned: z.boolean(),
	mods: z.int(),
	files: z.int(),
	/** Of all its files, as if nothing were shared. */
	bytes: z.int(),
	/** What only this snapshot still holds: the space that deleting it would free. */
	ownBytes: z.int(),
	/** Null until checked; a sentence when a stored file is missing or damaged. */
	verifiedAt: Time.nullable(),
	problem: z.string().nullable(),
	/** What existed but is not in it, in words; absent when there is nothing. */
	warnings: z.array(z.string()).optional(),
	/** A running or recoverable operation needs it, or what an upgrade has put aside. */
	inUse: z.boolean()
});
export type Snapshot = z.infer<typeof Snapshot>;

/** One jar in a snapshot, or in its place now. */
export type SnapshotMod = { fileName: string; name: string; version: string | null };

/** What putting a snapshot back would change now. */
export type SnapshotChanges = {
	/** Only in the snapshot. */
	back: SnapshotMod[];
	/** Only in the folder. */
	away: SnapshotMod[];
	/** The same mod as another file: another version, or switched on or off. */
	changed: { name: string; from: string; to: string }[];
	/** Names of other files, configuration above all, that change, come or go. */
	others: string[];
};

export const SnapshotCreate = z.strictObject({ note: Note.default('') });
export type SnapshotCreate = z.infer<typeof SnapshotCreate>;
export const SnapshotPatch = z.strictObject({
	note: Note.optional(),
	pinned: z.boolean().optional()
});
export type SnapshotPatch = z.infer<typeof SnapshotPatch>;
/** How many of the unpinned ones are kept. */
export const SnapshotPrune = z.strictObject({ keep: wholeNumber(1, SNAPSHOT_KEEP_MAX) });
export type SnapshotPrune = z.infer<typeof SnapshotPrune>;
