import { z } from 'zod';
import { AppError } from '#core/errors';
import { javaOf } from '#minecraft/java';
import { createOutside, type OutsideDeps, type Place } from './outside.ts';
import { provenDownload } from './proof.ts';
import { JAR_MAX_BYTES, type Artifact, type Source } from './source.ts';

export const MOJANG: Place = {
	who: 'The game versions of Mojang',
	setting: 'MOJANG_META_URL',
	real: 'https://piston-meta.mojang.com',
	hosts: [
		'piston-meta.mojang.com',
		'piston-data.mojang.com',
		'launchermeta.mojang.com',
		'launcher.mojang.com'
	]
};

const MANIFEST = 'mc/game/version_manifest_v2.json';
/** Older ones have no server to download. */
const OLDEST = '1.2.5';

const Sha1 = z.string().regex(/^[0-9a-f]{40}$/);
const Entry = z.object({
	id: z.string().regex(/^[A-Za-z0-9][\w.+-]{0,59}$/),
	type: z.string(),
	url: z.string(),
	releaseTime: z.string().optional(),
	sha1: Sha1.optional().catch(undefined)
});
export type ManifestEntry = z.infer<typeof Entry>;
const Manifest = z.object({
	/** A broken entry is left out. */
	versions: z
		.array(Entry.nullable().catch(null))
		.min(1)
		.transform((all) => all.filter((one) => one !== null))
});
const Details = z.object({
	javaVersion: z.object({ majorVersion: z.number().int().min(5).max(99) }).optional(),
	downloads: z.object({
		server: z.object({ sha1: Sha1, size: z.number().int().min(1), url: z.string() }).optional()
	})
});

export interface Mojang extends Source {
	/** Every version that has a server, newest first by date, not by number. */
	manifest(): Promise<ManifestEntry[]>;
	java(game: string): Promise<number>;
}

export function createMojang(deps: OutsideDeps) {
	const outside = createOutside(MOJANG, deps);

	const manifest = async () => {
		const { versions } = await outside.json(MANIFEST, Manifest);
		const sorted = versions.every(({ releaseTime }) => releaseTime)
			? versions.toSorted((a, b) => Date.parse(b.releaseTime!) - Date.parse(a.releaseTime!))
			: versions;
		const oldest = sorted.findIndex(({ id }) => id === OLDEST);
		return oldest < 0 ? sorted : sorted.slice(0, oldest + 1);
	};
	const details = async (game: string) => {
		const entry = (await manifest()).find(({ id }) => id === game);
		if (!entry) throw new AppError('not-found', `There is no Minecraft ${game.slice(0, 60)}.`);
		return outside.linked(entry.url, entry.sha1 ?? null, Details);
	};

	const source: Mojang = {
		loader: 'vanilla',
		manifest,
		games: async () => (await manifest()).map(({ id }) => id),
		async builds(game) {
			const entry = (await manifest()).find(({ id }) => id === game);
			return entry ? [{ id: game, stable: entry.type === 'release' }] : [];
		},
		async artifact(game): Promise<Artifact> {
			const { server } = (await details(game)).downloads;
			if (!server)
				throw new AppError('not-found', `Mojang offers no server for Minecraft ${game}.`);
			return {
				kind: 'server',
				fileName: `server-${game}.jar`,
				url: server.url,
				size: server.size,
				maxBytes: JAR_MAX_BYTES,
				hash: { algorithm: 'sha1', hex: server.sha1 },
				proof: { file: 'META-INF/MANIFEST.MF', texts: [] }
			};
		},
		java: async (game) => (await details(game)).javaVersion?.majorVersion ?? javaOf(game) ?? 8,
		download: provenDownload(outside)
	};
	return { source, outside };
}
