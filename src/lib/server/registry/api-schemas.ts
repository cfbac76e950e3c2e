import { z } from 'zod';
import { SUPPORT } from './sides.ts';

/**
 * The registry's answers (API v2) as far as we read them. Unknown fields are ignored; broken list items are left out.
 */

const ID = /^[A-Za-z0-9]{1,16}$/;
const SLUG = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/;
const ITEMS_MAX = 20_000;
const WORDS_MAX = 1000;

const list = <T extends z.ZodType>(item: T) =>
	z.array(z.unknown()).transform((items) =>
		items.slice(0, ITEMS_MAX).flatMap((one) => {
			const read = item.safeParse(one);
			return read.success ? [read.data] : [];
		})
	);
const lenientList = <T extends z.ZodType>(item: T) => list(item).catch([]);

/** One line for people: without control characters, direction characters and lone surrogates. */
const line = (max: number) =>
	z.string().transform((text) =>
		text
			.slice(0, max)
			.toWellFormed()
			.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
			.trim()
	);
/** Markdown: line breaks and tabs stay. */
const markdown = (max: number) =>
	z.string().transform((text) =>
		text
			.slice(0, max)
			.toWellFormed()
			// eslint-disable-next-line no-control-regex
			.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]+/g, '')
	);

const time = z.string().transform((text, ctx) => {
	const date = new Date(text);
	if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(date.getTime())) return date.toISOString();
	ctx.addIssue({ code: 'custom', message: 'not a time' });
	return z.NEVER;
});

const WEB_MAX = 500;
const web = z
	.string()
	.max(WEB_MAX)
	.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''))
	.transform((text) => new URL(text).href)
	.nullable()
	.catch(null);

/** All versions of the game so far, snapshots too, are 900. */
const words = lenientList(z.string().min(1).max(64)).transform((all) => all.slice(0, WORDS_MAX));
const support = z.enum(SUPPORT).catch('unknown');
const oneOrMore = z
	.union([z.string().transform((word) => [word]), lenientList(z.string())])
	.catch([]);
const status = z.string().catch('unknown');
const count = z.number().min(0).max(Number.MAX_SAFE_INTEGER).transform(Math.floor).catch(0);

const hex = (digits: number) =>
	z
		.string()
		.toLowerCase()
		.regex(new RegExp(`^[0-9a-f]{${digits}}$`));

const WireFile = z.object({
	url: z.string().max(2048),
	filename: z.string().min(1).max(1024),
	size: z.int().min(1),
	hashes: z.object({ sha1: hex(40), sha512: hex(128) }),
	primary: z.boolean().catch(false),
	file_type: z.string().nullable().catch(null)
});
export type WireFile = z.output<typeof WireFile>;

const id = z.string().regex(ID);
const WireDependency = z.object({
	version_id: id.nullable().catch(null),
	project_id: id.nullable().catch(null),
	file_name: line(255).nullable().catch(null),
	dependency_type: z.enum(['required', 'optional', 'incompatible', 'embedded'])
});

export const WireVersion = z.object({
	id,
	project_id: id,
	name: line(200).catch(''),
	version_number: line(100),
	version_type: z.enum(['release', 'beta', 'alpha']),
	date_published: time,
	game_versions: words,
	loaders: words,
	status,
	changelog: markdown(50_000).nullable().catch(null),
	environment: oneOrMore,
	files: lenientList(WireFile),
	dependencies: lenientList(WireDependency)
});
export type WireVersion = z.output<typeof WireVersion>;

const project = {
	slug: z.string().regex(SLUG).nullable().catch(null),
	title: line(120),
	description: line(500).catch(''),
	downloads: count,
	categories: words,
	client_side: support,
	server_side: support,
	environment: oneOrMore,
	icon_url: z.string().max(2048).nullable().catch(null)
};

export const WireProject = z.object({
	...project,
	id,
	status,
	body: markdown(200_000).catch(''),
	game_versions: words,
	updated: time.nullable().catch(null),
	additional_categories: words,
	license: z
		.object({ id: line(100).catch(''), name: line(100).nullable().catch(null) })
		.nullable()
		.catch(null),
	source_url: web,
	issues_url: web
});
export type WireProject = z.output<typeof WireProject>;

export const WireHit = z.object({
	...project,
	project_id: id,
	author: line(80).nullable().catch(null),
	date_modified: time.nullable().catch(null),
	license: line(100).nullable().catch(null),
	/** The public registry only finds listed projects, and does not say so. */
	status: z.string().default('approved').catch('unknown')
});
export type WireHit = z.output<typeof WireHit>;

export const WireHits = z.object({ hits: list(WireHit), total_hits: count });
export const WireProjects = list(WireProject);
export const WireVersions = list(WireVersion);

/** Keyed by hash. An ordinary record: names such as `__proto__` are names like any other. */
export const WireByHash = z.unknown().transform((value, ctx) => {
	if (typeof value === 'object' && value !== null && !Array.isArray(value))
		return new Map<string, unknown>(Object.entries(value));
	ctx.addIssue({ code: 'custom', message: 'not an object' });
	return z.NEVER;
});
