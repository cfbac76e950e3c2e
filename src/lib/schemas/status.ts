import { z } from 'zod';
import { Time } from './common.ts';

export const ServerState = z.enum([
	'stopped',
	'starting',
	'running',
	'stopping',
	'crashed',
	'unknown'
]);
export type ServerState = z.infer<typeof ServerState>;

/** What the dashboard knows about the server right now. Unknown is null, never 0. */
export const Status = z.object({
	name: z.string(),
	state: ServerState,
	/** It runs and has not answered for longer than any pause, or loads for unusually long; absent otherwise. Only when signed in. */
	hanging: z.boolean().optional(),
	/** Since when it has not answered, where it had been ready and that is known; absent otherwise. Only when signed in. */
	silentSince: Time.optional(),
	/** Why no backup can be made although it runs: it cannot be told to pause its saving; absent otherwise. Only when signed in. */
	noBackup: z.string().optional(),
	/** A probe was answered within the last few seconds. */
	online: z.boolean(),
	/** What players type to join. */
	address: z.string(),
	/** It is only what the machine calls itself, which may mean nothing elsewhere. */
	addressIsGuess: z.boolean().optional(),
	/** The game version, e.g. `1.21.1`. */
	version: z.string().nullable(),
	/** What runs it, e.g. `Fabric 0.16.9`. */
	software: z.string().nullable(),
	/** Plain text, formatting removed. */
	motd: z.string().nullable(),
	players: z.object({
		online: z.int().nullable(),
		max: z.int().nullable(),
		/** Only when signed in. */
		names: z.array(z.string()).nullable()
	}),
	/** Only when signed in. */
	tps: z.number().nullable(),
	latencyMs: z.number().nullable(),
	/** The probe that answered first. */
	via: z.enum(['ping', 'rcon']).nullable(),
	startedAt: Time.nullable(),
	/** The last run, while there is none and as far as it is known; absent otherwise. */
	lastRun: z.object({ startedAt: Time, endedAt: Time }).optional(),
	/** The crash that keeps it down; a change that was taken back may have tried a later run. Absent otherwise. */
	crashedAt: Time.optional(),
	checkedAt: Time,
	/** Why it is in this state, in one sentence. Only when signed in. */
	reason: z.string().nullable()
});
export type Status = z.infer<typeof Status>;
