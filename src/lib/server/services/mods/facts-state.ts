import { z } from 'zod';
import { Time } from '#schemas/common';
import { Channel, Side } from '#schemas/mod';
import type { RegistryProject, RegistryVersion } from '#registry';

const Version: z.ZodType<RegistryVersion> = z.object({
	id: z.string(),
	projectId: z.string(),
	name: z.string(),
	number: z.string(),
	channel: Channel,
	publishedAt: z.string(),
	gameVersions: z.array(z.string()),
	loaders: z.array(z.string()),
	listed: z.boolean(),
	changelog: z.string().nullable(),
	file: z
		.object({
			url: z.string(),
			fileName: z.string(),
			size: z.number(),
			sha1: z.string(),
			sha512: z.string()
		})
		.nullable(),
	dependencies: z.array(
		z.object({
			versionId: z.string().nullable(),
			projectId: z.string().nullable(),
			fileName: z.string().nullable(),
			kind: z.enum(['required', 'optional', 'incompatible', 'embedded'])
		})
	),
	side: Side
});

const Project: z.ZodType<RegistryProject> = z.object({
	id: z.string(),
	slug: z.string(),
	title: z.string(),
	description: z.string(),
	body: z.string(),
	author: z.string().nullable(),
	downloads: z.number(),
	updatedAt: z.string().nullable(),
	clientSide: z.string(),
	serverSide: z.string(),
	side: Side,
	hasIcon: z.boolean(),
	categories: z.array(z.string()),
	/** Large, and needed anew whenever it is needed. */
	gameVersions: z.array(z.string()).default([]),
	license: z.string().nullable(),
	sourceUrl: z.string().nullable(),
	issuesUrl: z.string().nullable(),
	listed: z.boolean()
});

/** What the registry has said of the installed files; `version` is null for a file that it does not know. */
export const FactsState = z.object({
	versions: z.array(z.object({ sha512: z.string(), at: Time, version: Version.nullable() })),
	projects: z.array(z.object({ at: Time, project: Project }))
});
export type FactsState = z.infer<typeof FactsState>;

export const FACTS_VERSION = 1;
export const FACTS_DEFAULTS: FactsState = { versions: [], projects: [] };
