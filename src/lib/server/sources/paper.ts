import { z } from 'zod';
import { AppError } from '#core/errors';
import { createOutside, type OutsideDeps, type Place } from './outside.ts';
import { provenDownload } from './proof.ts';
import { BUILDS_MAX, JAR_MAX_BYTES, type Source } from './source.ts';

export const PAPER: Place = {
	who: 'The builds of Paper',
	setting: 'PAPER_API_URL',
	real: 'https://fill.papermc.io',
	hosts: ['fill.papermc.io', 'fill-data.papermc.io']
};

const HERE = 'v3/projects/paper/versions';
const STABLE = ['STABLE', 'RECOMMENDED'];

const Versions = z.object({
	versions: z
		.array(
			z
				.object({
					version: z.object({
						id: z.string(),
						java: z
							.object({ version: z.object({ minimum: z.number().int() }).optional() })
							.optional()
					})
				})
				.nullable()
				.catch(null)
		)
		.transform((all) => all.flatMap((one) => one?.version ?? []))
});
const Build = z.object({
	id: z.number().int().min(0),
	channel: z.string(),
	downloads: z.record(
		z.string(),
		z.object({
			checksums: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
			size: z.number().int().min(1),
			url: z.string()
		})
	)
});
const Builds = z
	.array(Build.nullable().catch(null))
	.transform((all) => all.flatMap((one) => one ?? []).sort((a, b) => b.id - a.id));

export function createPaper(deps: OutsideDeps) {
	const outside = createOutside(PAPER, deps);
	const versions = async () => (await outside.json(HERE, Versions)).versions;
	const builds = (game: string) =>
		outside.json(`${HERE}/${encodeURIComponent(game)}/builds`, Builds);

	const source: Source = {
		loader: 'paper',
		games: async () => (await versions()).map(({ id }) => id),
		async builds(game) {
			if (!(await versions()).some(({ id }) => id === game)) return [];
			return (await builds(game))
				.slice(0, BUILDS_MAX)
				.map(({ id, channel }) => ({ id: String(id), stable: STABLE.includes(channel) }));
		},
		async artifact(game, wanted) {
			const build = (await builds(game)).find(({ id }) => String(id) === wanted);
			const file = build?.downloads['server:default'];
			if (!file)
				throw new AppError('not-found', `Paper has no build ${wanted} for Minecraft ${game}.`);
			return {
				kind: 'server',
				fileName: `paper-${game}-${wanted}.jar`,
				url: file.url,
				size: file.size,
				maxBytes: JAR_MAX_BYTES,
				hash: { algorithm: 'sha256', hex: file.checksums.sha256 },
				proof: { file: 'META-INF/MANIFEST.MF', texts: [] }
			};
		},
		java: async (game) =>
			(await versions()).find(({ id }) => id === game)?.java?.version?.minimum ?? null,
		download: provenDownload(outside)
	};
	return { source, outside };
}
