import { z } from 'zod';
import { AppError } from '#core/errors';
import { createOutside, type OutsideDeps, type Place } from './outside.ts';
import { provenDownload } from './proof.ts';
import { BUILDS_MAX, JAR_MAX_BYTES, type Source } from './source.ts';

export const FABRIC: Place = {
	who: 'The loader versions of Fabric',
	setting: 'FABRIC_META_URL',
	real: 'https://meta.fabricmc.net',
	hosts: ['meta.fabricmc.net', 'maven.fabricmc.net']
};

const Version = z.string().regex(/^[A-Za-z0-9][\w.+-]{0,59}$/);
const list = <T>(one: z.ZodType<T>) =>
	z.array(one.nullable().catch(null)).transform((all) => all.filter((each) => each !== null));
const Games = list(z.object({ version: Version }));
const Loaders = list(z.object({ loader: z.object({ version: Version, stable: z.boolean() }) }));
const Installers = list(z.object({ version: Version, stable: z.boolean() }));

export function createFabric(deps: OutsideDeps) {
	const outside = createOutside(FABRIC, deps);

	const all = async (game: string) => {
		const path = `v2/versions/loader/${encodeURIComponent(game)}`;
		return (await outside.json(path, Loaders)).map(({ loader }) => loader);
	};

	const source: Source = {
		loader: 'fabric',
		games: async () =>
			(await outside.json('v2/versions/game', Games)).map(({ version }) => version),
		builds: async (game) =>
			(await all(game))
				.slice(0, BUILDS_MAX)
				.map(({ version, stable }) => ({ id: version, stable })),
		async artifact(game, build) {
			const known = (await all(game)).some(({ version }) => version === build);
			const installers = await outside.json('v2/versions/installer', Installers);
			const installer = installers.find(({ stable }) => stable) ?? installers[0];
			if (!known || !installer)
				throw new AppError('not-found', `Fabric has no loader ${build} for Minecraft ${game}.`);
			const parts = [game, build, installer.version].map(encodeURIComponent);
			return {
				kind: 'launcher',
				fileName: `fabric-server-mc.${game}-loader.${build}-launcher.${installer.version}.jar`,
				// Any query string is refused.
				url: await outside.address(`v2/versions/loader/${parts.join('/')}/server/jar`),
				size: null,
				maxBytes: JAR_MAX_BYTES,
				hash: null,
				proof: {
					file: 'install.properties',
					texts: [`fabric-loader-version=${build}`, `game-version=${game}`]
				}
			};
		},
		java: async () => null,
		download: provenDownload(outside)
	};
	return { source, outside };
}
