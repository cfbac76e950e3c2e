import { z } from 'zod';
import { AppError } from '#core/errors';
import { compareVersions } from '#minecraft/folder';
import { installerAt } from './maven.ts';
import { createOutside, type OutsideDeps, type Place } from './outside.ts';
import { provenDownload } from './proof.ts';
import { BUILDS_MAX, type Source } from './source.ts';

const HOSTS = ['files.minecraftforge.net', 'maven.minecraftforge.net'];
export const FORGE_FILES: Place = {
	who: 'The versions of Forge',
	setting: 'FORGE_FILES_URL',
	real: 'https://files.minecraftforge.net',
	hosts: HOSTS
};
export const FORGE_MAVEN: Place = {
	who: 'The installers of Forge',
	setting: 'FORGE_MAVEN_URL',
	real: 'https://maven.minecraftforge.net',
	hosts: HOSTS
};

const HERE = 'net/minecraftforge/forge';
/** Servers of older versions are laid out and started in other ways. */
const OLDEST = '1.17';

const Promotions = z.object({ promos: z.record(z.string(), z.string()) });
const Builds = z.record(z.string(), z.array(z.string()));

export function createForge(files: OutsideDeps, maven: OutsideDeps) {
	const lists = createOutside(FORGE_FILES, files);
	const outside = createOutside(FORGE_MAVEN, maven);

	const builds = async (game: string) => {
		const all = (await lists.json(`${HERE}/maven-metadata.json`, Builds))[game] ?? [];
		// `1.20.1-47.2.0`, sometimes followed by a branch.
		return all
			.filter((name) => name.startsWith(`${game}-`))
			.map((name) => name.slice(game.length + 1))
			.filter((build) => /^\d[\d.]*$/.test(build));
	};
	const recommended = async (game: string) =>
		(await lists.json(`${HERE}/promotions_slim.json`, Promotions)).promos[`${game}-recommended`];

	const source: Source = {
		loader: 'forge',
		async games() {
			const { promos } = await lists.json(`${HERE}/promotions_slim.json`, Promotions);
			const games = Object.keys(promos).map((name) => name.split('-', 1)[0]!);
			return [...new Set(games)].filter((game) => compareVersions(game, OLDEST) >= 0);
		},
		async builds(game) {
			if (compareVersions(game, OLDEST) < 0) return [];
			const [all, best] = await Promise.all([builds(game), recommended(game)]);
			return all
				.sort((a, b) => compareVersions(b, a))
				.map((id) => ({ id, stable: id === best }))
				.filter(({ stable }, i) => i < BUILDS_MAX || stable);
		},
		async artifact(game, build) {
			if (compareVersions(game, OLDEST) < 0 || !(await builds(game)).includes(build))
				throw new AppError('not-found', `Forge has no version ${build} for Minecraft ${game}.`);
			const version = `${game}-${build}`;
			const fileName = `forge-${version}-installer.jar`;
			const path = `${HERE}/${encodeURIComponent(version)}/${encodeURIComponent(fileName)}`;
			return installerAt(outside, path, fileName);
		},
		java: async () => null,
		download: provenDownload(outside)
	};
	return { source, outside, lists };
}
