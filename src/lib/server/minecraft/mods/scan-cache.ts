import { z } from 'zod';
import { Loader, Side } from '#schemas/mod';
import { openRegular, writeAtomic } from '#core/files';
import type { JarFacts } from './metadata/index.ts';
import type { Identity } from './scan-worker.ts';

/** Incremented when jars are read differently: what older versions stored is then read anew. */
const READER_VERSION = 3;
const CACHE_MAX_BYTES = 64 << 20;

const JarDependency = z.object({
	modId: z.string(),
	range: z.string(),
	kind: z.enum(['required', 'optional', 'incompatible', 'embedded']),
	side: Side,
	unless: z.array(z.string()).optional()
});
const JarMod = z.object({
	modId: z.string(),
	name: z.string(),
	version: z.string().nullable(),
	loader: Loader,
	side: Side,
	provides: z.array(z.string()),
	providedVersions: z.record(z.string(), z.string()).optional(),
	dependencies: z.array(JarDependency),
	nested: z.boolean(),
	description: z.string().nullable()
});
const Facts = z.union([
	z.object({
		ok: z.literal(true),
		mods: z.array(JarMod),
		library: z.boolean(),
		plugin: z.boolean().optional()
	}),
	z.object({ ok: z.literal(false), problem: z.string() })
]);
const Known = z.object({
	key: z.string(),
	sha512: z.string().regex(/^[0-9a-f]{128}$/),
	facts: Facts
});
const Cache = z.object({ version: z.literal(READER_VERSION), files: z.array(Known) });

export type KnownFile = { sha512: string; facts: JarFacts };

/** Enabling and disabling changes the end of the name and nothing of the content. */
export const cacheKey = (name: string, { size, mtimeNs, ino }: Identity) =>
	`${size}:${mtimeNs}:${ino}:${name.replace(/\.disabled$/, '')}`;

/**
 * What an earlier scan found, by key. Whatever is wrong with the file: everything is read again, and that is
 * reported.
 */
export async function readCache(
	file: string,
	warn: (message: string, facts?: { cause?: unknown }) => void
): Promise<Map<string, KnownFile>> {
	try {
		const text = await readText(file);
		if (text === null) return new Map();
		const json: unknown = JSON.parse(text);
		const parsed = Cache.safeParse(json);
		if (parsed.success)
			return new Map(parsed.data.files.map(({ key, ...known }) => [key, known as KnownFile]));
		if ((json as { version?: unknown } | null)?.version === READER_VERSION)
			warn('The list of known mods cannot be used: every jar is read again', {
				cause: parsed.error
			});
	} catch (cause) {
		warn('The list of known mods cannot be read: every jar is read again', { cause });
	}
	return new Map();
}

async function readText(file: string) {
	const handle = await openRegular(file);
	if (!handle) return null;
	try {
		if ((await handle.stat()).size > CACHE_MAX_BYTES) return null;
		return await handle.readFile('utf8');
	} finally {
		await handle.close();
	}
}

export const writeCache = (file: string, known: Map<string, KnownFile>) =>
	writeAtomic(
		file,
		JSON.stringify({
			version: READER_VERSION,
			files: [...known].map(([key, found]) => ({ key, ...found }))
		})
	);
