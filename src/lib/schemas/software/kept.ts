import { z } from 'zod';
import { checkbox, Time } from '../common.ts';
import { OperationId } from '../operation.ts';
import { countdownFields } from '../server.ts';

export const KeptVersion = z.object({
	loader: z.string().nullable(),
	loaderVersion: z.string().nullable(),
	gameVersion: z.string().nullable()
});
export type KeptVersion = z.infer<typeof KeptVersion>;

/** A whole server from before an upgrade, or from before that was taken back. */
export const KeptServer = z.object({
	/** Of the upgrade. */
	operationId: OperationId,
	/** What it is called: `Minecraft 1.20.1`. */
	title: z.string(),
	version: KeptVersion,
	/** What is in its place now. */
	instead: z.string(),
	/** When it was put aside: as it was then, it comes back. */
	at: Time,
	until: Time,
	/** Null when that could not be counted. */
	bytes: z.int().nullable(),
	/** Why it cannot come back now, in a sentence; null when it can. */
	refusal: z.string().nullable()
});
export type KeptServer = z.infer<typeof KeptServer>;

/** What going back to it would do. */
export const GoBackPlan = z.object({
	server: KeptServer,
	/** What becomes as it was then, and what that means. */
	parts: z.array(z.object({ files: z.array(z.string()), means: z.string() })),
	notes: z.array(z.string()),
	steps: z.array(z.string()),
	/** They have played since, and lose what they did. */
	players: z.array(
		z.object({
			uuid: z.string(),
			name: z.string().nullable(),
			lastSeenAt: Time.nullable(),
			online: z.boolean()
		})
	)
});
export type GoBackPlan = z.infer<typeof GoBackPlan>;

export const KeptRef = z.object({ id: OperationId });
export const KeptQuery = z.object({ kept: OperationId, do: z.literal('remove').optional() });

export const GoBack = z.strictObject({
	backupFirst: z.boolean().default(true),
	/** Before a running server is stopped for it. */
	...countdownFields
});
export type GoBack = z.infer<typeof GoBack>;
export const GoBackForm = z.object({
	kept: OperationId,
	backupFirst: checkbox,
	...countdownFields
});
export const KeptForm = z.object({ kept: OperationId });
