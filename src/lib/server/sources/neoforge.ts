import { AppError } from '#core/errors';
import { compareVersions, gameOfNeoForge } from '#minecraft/folder';
import { installerAt, orNull, versionsIn } from './maven.ts';
import { createOutside, type OutsideDeps, type Place } from './outside.ts';
import { provenDownload } from './proof.ts';
import { BUILDS_MAX, type Source } from './source.ts';

export const NEOFORGE: Place = {
	who: 'The versions of NeoForge',
	setting: 'NEOFORGE_MAVEN_URL',
	real: 'https://maven.neoforged.net',
	hosts: ['maven.neoforged.net']
};

const HERE = 'releases/net/neoforged';
/** For this game version alone it still had Forge's name and numbers. */
const OLD_GAME = '1.20.1';

export function createNeoForge(deps: OutsideDeps) {
	const outside = createOutside(NEOFORGE, deps);

	/** Older ones no longer have a list of their own. */
	const old = async () =>
		(await orNull(outside.text(`${HERE}/forge/maven-metadata.xml`, versionsIn))) ?? [];
	const all = async () => {
		const [mine, before] = await Promise.all([
			outside.text(`${HERE}/neoforge/maven-metadata.xml`, versionsIn),
			old()
		]);
		return [
			...mine
				.filter((version) => !/\+|alpha/.test(version))
				.map((version) => ({ game: gameOfNeoForge(version), version })),
			...before
				.filter((version) => version.startsWith(`${OLD_GAME}-`))
				.map((version) => ({ game: OLD_GAME, version: version.slice(OLD_GAME.length + 1) }))
		];
	};

	const source: Source = {
		loader: 'neoforge',
		games: async () => [...new Set((await all()).flatMap(({ game }) => game ?? []))],
		builds: async (wanted) =>
			(await all())
				.filter(({ game }) => game === wanted)
				.map(({ version }) => ({ id: version, stable: !version.includes('-') }))
				.sort((a, b) => compareVersions(b.id, a.id))
				.slice(0, BUILDS_MAX),
		async artifact(game, build) {
			if (!(await all()).some((one) => one.game === game && one.version === build))
				throw new AppError('not-found', `NeoForge has no version ${build} for Minecraft ${game}.`);
			const name = game === OLD_GAME ? 'forge' : 'neoforge';
			const version = game === OLD_GAME ? `${game}-${build}` : build;
			const fileName = `${name}-${version}-installer.jar`;
			const path = `${HERE}/${name}/${encodeURIComponent(version)}/${encodeURIComponent(fileName)}`;
			return installerAt(outside, path, fileName);
		},
		java: async () => null,
		download: provenDownload(outside)
	};
	return { source, outside };
}
