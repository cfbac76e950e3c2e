import { z } from 'zod';
import { Backup, BackupId } from '#schemas/backup';
import { Note, Time } from '#schemas/common';

/** What is known about an archive without reading it; its existence is what makes the archive a backup. */
export const Sidecar = z.object({
	version: z.literal(1),
	id: BackupId,
	createdAt: Time,
	kind: Backup.shape.kind,
	bytes: z.int().min(0),
	totals: z.object({
		files: z.int().min(0),
		entries: z.int().min(0),
		bytes: z.int().min(0),
		worldBytes: z.int().min(0)
	}),
	manifestSha256: z.string().regex(/^[0-9a-f]{64}$/),
	/** By name, and where below the server's folder; the server's own first. */
	worlds: z.array(z.object({ name: z.string(), path: z.string() })),
	/** Paths below the server's folder that were archived whole. */
	roots: z.array(z.string()),
	gameVersion: z.string().nullable(),
	withMods: z.boolean(),
	/** Whether the game was running, with saving paused. */
	mode: z.enum(['running', 'stopped']),
	warnings: z.array(z.string()),
	note: Note,
	pinned: z.boolean(),
	verifiedAt: Time.nullable(),
	/** What the last check found wrong. */
	problem: z.string().nullable()
});
export type Sidecar = z.infer<typeof Sidecar>;
