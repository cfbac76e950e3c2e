import { z } from 'zod';
import { Time } from '#schemas/common';
import type { ParkedMod } from '#schemas/mod';
import type { Clock } from '#core/clock';
import type { StateFile } from '#storage/state-file';
import type { Known } from './known.ts';
import { loadersFor } from './target.ts';

/** Mods that were set aside because they have no version for the game yet; by content, whatever they are called. */
export const ParkedState = z.object({
	parked: z.array(
		z.object({
			sha512: z.string(),
			projectId: z.string().nullable(),
			title: z.string(),
			since: Time,
			/** The game version that they were too old for. */
			game: z.string().nullable()
		})
	)
});
export type ParkedState = z.infer<typeof ParkedState>;
export const PARKED_VERSION = 1;
export const PARKED_DEFAULTS: ParkedState = { parked: [] };

export interface Parked {
	/** Records why these are about to be disabled; forgets those that are gone. */
	add(fileNames: string[], known: Known): Promise<void>;
	/** Those that are still disabled. `updatable`: files that have a newer version for this server. */
	list(known: Known, updatable: ReadonlySet<string>): Promise<ParkedMod[]>;
}

const PARKED_MAX = 1000;

export function createParked(state: StateFile<ParkedState>, clock: Clock): Parked {
	return {
		async add(fileNames, { files, mods, versions, server }) {
			const since = clock.now().toISOString();
			const there = new Set(files.map(({ sha512 }) => sha512));
			const added = files.flatMap(({ fileName, sha512 }) => {
				if (!sha512 || !fileNames.includes(fileName)) return [];
				const title = mods.find((mod) => mod.fileName === fileName)?.name ?? fileName;
				const projectId = versions.get(sha512)?.projectId ?? null;
				return [{ sha512, projectId, title, since, game: server.gameVersion }];
			});
			const anew = new Set(added.map(({ sha512 }) => sha512));
			await state.update(({ parked }) => ({
				parked: [
					...added,
					...parked.filter(({ sha512 }) => there.has(sha512) && !anew.has(sha512))
				].slice(0, PARKED_MAX)
			}));
		},
		async list({ files, versions, server }, updatable) {
			const { parked } = await state.read();
			const loaders = loadersFor(server.loader);
			return parked.flatMap(({ sha512, projectId, title, since }) => {
				const file = files.find((one) => one.sha512 === sha512 && !one.enabled);
				if (!file) return [];
				const version = versions.get(sha512);
				// An old file that was marked for the new game needs no download.
				const fits =
					!!server.gameVersion &&
					!!version?.gameVersions.includes(server.gameVersion) &&
					version.loaders.some((loader) => loaders.includes(loader));
				const back = updatable.has(file.fileName) ? 'update' : fits ? 'enable' : null;
				return [{ fileName: file.fileName, projectId, title, since, back }];
			});
		}
	};
}
