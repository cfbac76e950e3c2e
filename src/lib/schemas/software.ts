import { z } from 'zod';

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
	/** ISO; null when nobody says. */
	releasedAt: z.string().nullable(),
	/** The major version of Java that it needs; null when it is not known beforehand. */
	java: z.number().int().nullable()
});
export type GameVersion = z.infer<typeof GameVersion>;

export const LoaderBuild = z.object({ id: z.string(), stable: z.boolean() });
export type LoaderBuild = z.infer<typeof LoaderBuild>;
