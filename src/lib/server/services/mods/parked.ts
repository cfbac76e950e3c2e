import { z } from 'zod';
import { Time } from '#schemas/common';
import type { Mod, ParkedHere, ParkedMod } from '#schemas/mod';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Registry, RegistryVersion } from '#registry';
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
	/** Those that are still disabled. */
	here(known: Known): Promise<ParkedHere[]>;
	/** The same, and how each can come back. `updatable`: files that have a newer version for this server. */
	list(known: Known, updatable: ReadonlySet<string>): Promise<ParkedMod[]>;
}

const PARKED_MAX = 1000;

export function createParked(
	state: StateFile<ParkedState>,
	{ registry, clock }: { registry: Pick<Registry, 'latest'>; clock: Clock }
): Parked {
	async function stillOff({ files, mods }: Known) {
		const { parked } = await state.read();
		return parked.flatMap(({ sha512, projectId, title, since }) => {
			const file = files.find((one) => one.sha512 === sha512 && !one.enabled);
			if (!file) return [];
			const waitsFor = needsOff(mods, file.fileName);
			return [{ sha512, told: { fileName: file.fileName, projectId, title, since, waitsFor } }];
		});
	}

	/** An older one of a mod that has no newer one, as far as the registry answers. */
	async function olderOf(sha512s: string[], { server }: Known) {
		const { gameVersion } = server;
		if (!sha512s.length || !gameVersion) return new Map<string, RegistryVersion>();
		const filter = {
			loaders: loadersFor(server.loader),
			gameVersion,
			channels: ['release' as const]
		};
		return registry.latest(sha512s, filter).catch((error: unknown) => {
			if (error instanceof AppError) return new Map<string, RegistryVersion>();
			throw error;
		});
	}

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
		here: async (known) => (await stillOff(known)).map(({ told }) => told),
		async list(known, updatable) {
			const { versions, server } = known;
			const loaders = loadersFor(server.loader);
			const parked = (await stillOff(known)).map((one) => {
				const version = versions.get(one.sha512);
				// An old file that was marked for the new game needs no download.
				const fits =
					!!server.gameVersion &&
					!!version?.gameVersions.includes(server.gameVersion) &&
					version.loaders.some((loader) => loaders.includes(loader));
				const back = updatable.has(one.told.fileName) ? 'update' : fits ? 'enable' : null;
				return { ...one, back } as const;
			});
			const waiting = parked.filter(({ back }) => back === null);
			const older = await olderOf(
				waiting.map(({ sha512 }) => sha512),
				known
			);
			return parked.map(({ sha512, told, back }) => {
				const version = back === null ? older.get(sha512) : undefined;
				return {
					...told,
					back,
					older: version?.file ? { versionId: version.id, version: version.number } : null
				};
			});
		}
	};
}

/** Titles of the mods that a disabled one needs, and that are disabled too. */
function needsOff(mods: Mod[], fileName: string): string[] {
	const needs = mods.find((mod) => mod.fileName === fileName)?.requires ?? [];
	const open = needs.filter(({ satisfiedBy }) => satisfiedBy === null);
	return open.flatMap(
		({ modId }) => mods.find((mod) => mod.modId === modId && !mod.enabled)?.name ?? []
	);
}
