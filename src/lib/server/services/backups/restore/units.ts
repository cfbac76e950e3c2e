import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { BackupRestore } from '#schemas/backup';
import { AppError, errno } from '#core/errors';
import type { Sidecar, Selection } from '#storage/archive';
import { there, type Unit } from './swap.ts';
import type { World } from '../sources.ts';

/** Where a player's files are in a world: until 1.21, and since 26.1. */
const PLAYER_FOLDERS = [
	['playerdata', 'players/data'],
	['stats', 'players/stats'],
	['advancements', 'players/advancements']
] as const;

/** The world that a restore is about: the named one, or else the server's own at the time. */
export function worldOf({ worlds }: Sidecar, name: string | undefined): World {
	const found = name === undefined ? worlds[0] : worlds.find((world) => world.name === name);
	if (!found)
		throw new AppError('invalid', `There is no world ${name ?? ''} in this backup.`, {
			issues: [{ path: 'world', message: 'Not in this backup' }]
		});
	return found;
}

/** What is unpacked for it. */
export function selectionOf(sidecar: Sidecar, wish: BackupRestore): Selection {
	if (wish.scope === 'all') return { all: true };
	const world = worldOf(sidecar, wish.world);
	if (wish.scope === 'world') return { below: [world.path] };
	const folders = PLAYER_FOLDERS.flat().map((folder) => `${world.path}/${folder}`);
	return { folders, prefixes: [`${wish.uuid}.`] };
}

/** What is swapped, based on what was unpacked and what is there now. */
export async function unitsOf(
	dirs: { serverDir: string; staging: string },
	sidecar: Sidecar,
	wish: BackupRestore
): Promise<Unit[]> {
	const { serverDir, staging } = dirs;
	if (wish.scope === 'player') return playerUnits(dirs, worldOf(sidecar, wish.world), wish.uuid!);
	const paths = wish.scope === 'world' ? [worldOf(sidecar, wish.world).path] : sidecar.roots;
	const units: Unit[] = [];
	for (const one of paths)
		if (await there(path.join(staging, 'new', one)))
			units.push({ staged: one, live: one, was: await there(path.join(serverDir, one)) });
	return units;
}

async function playerUnits(
	{ serverDir, staging }: { serverDir: string; staging: string },
	world: World,
	uuid: string
): Promise<Unit[]> {
	const modern = await there(path.join(serverDir, world.path, 'players'));
	const units: Unit[] = [];
	for (const layouts of PLAYER_FOLDERS) {
		const live = `${world.path}/${layouts[modern ? 1 : 0]}`;
		const staged = new Map<string, string>();
		for (const folder of layouts)
			for (const name of await namesIn(path.join(staging, 'new', world.path, folder)))
				staged.set(name, `${world.path}/${folder}/${name}`);
		const now = (await namesIn(path.join(serverDir, live))).filter((name) =>
			name.startsWith(`${uuid}.`)
		);
		for (const name of new Set([...staged.keys(), ...now])) {
			const from = staged.get(name);
			const was = now.includes(name);
			units.push({
				staged: from ?? '',
				live: `${live}/${name}`,
				was,
				...(from === undefined && { absent: true })
			});
		}
	}
	return units;
}

const namesIn = (dir: string) =>
	readdir(dir).catch((error) => {
		if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return [];
		throw error;
	});
