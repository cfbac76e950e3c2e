import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { diskTrouble, openRegular } from '#core/files';
import { AppError, errno } from '#core/errors';
import { readGameData, type GameData } from './game-data.ts';
import type { Installation } from './installation.ts';
import { levelFacts, type LevelFacts } from './nbt.ts';
import { cleanVersion, compareVersions } from './server-jar.ts';

/** That of the largest worlds has a few hundred kB. */
const LEVEL_MAX_BYTES = 8 << 20;
const RELEASE = /^\d+(?:\.\d+)+$/;

/** Whether the game that would be started may open the world that it would open. */
export type WorldCheck = {
	/** What would be lost, and what to do instead; null when it may be opened. */
	refusal: string | null;
	/** What people should know although it may be opened. */
	note: string | null;
};

/**
 * A game that opens a newer version's world damages it for good, and nothing in the game prevents it. Read from the
 * files at the moment of the call.
 */
export async function checkWorld(
	serverDir: string,
	installation: Pick<Installation, 'command' | 'gameVersion' | 'worldDir'>
): Promise<WorldCheck> {
	const { worldDir } = installation;
	const level = await readLevel(worldDir, 'level.dat');
	if (level.facts) return compared(level.facts, await readGameData(serverDir, installation));
	const old = await readLevel(worldDir, 'level.dat_old');
	const where = path.relative(serverDir, worldDir);
	if (old.facts) {
		// The game does the same.
		const found = compared(old.facts, await readGameData(serverDir, installation));
		const note = `level.dat in ${where} ${level.trouble}; the game takes level.dat_old, its own copy from the save before.`;
		return { ...found, note: [note, found.note].filter(Boolean).join(' ') };
	}
	if (level.missing && old.missing && !(await hasChunks(worldDir))) return FITS;
	return refused(
		`level.dat in ${where} ${level.trouble}, and level.dat_old ${old.trouble}: the game might make a new world over the old one. Restore a backup of the world.`
	);
}

const FITS: WorldCheck = { refusal: null, note: null };
const refused = (refusal: string): WorldCheck => ({ refusal, note: null });

function compared(world: LevelFacts, game: GameData): WorldCheck {
	const order = newness(world, game);
	if (order === null)
		return {
			refusal: null,
			note: `Whether this game is as new as the world (${named(world)}) could not be found out: its files do not say which version it is.`
		};
	if (order <= 0) return FITS;
	return refused(
		`The world was last saved by ${named(world)}, and ${named(game)} would be started. An older game damages a newer world for good. Put the newer game back, or restore a backup of the world from before.`
	);
}

/** Above 0 when the world is newer; null when that cannot be determined. */
function newness(world: LevelFacts, game: GameData): number | null {
	if (game.dataVersion !== null) return world.dataVersion - game.dataVersion;
	const [saved, started] = [cleanVersion(world.version), game.version];
	if (!started) return null;
	if (saved === started) return 0;
	// A game that has not been unpacked yet: the numbers of releases are in order, those of snapshots are not.
	const comparable = saved !== null && RELEASE.test(saved) && RELEASE.test(started);
	return comparable ? compareVersions(saved, started) : null;
}

function named({ version, dataVersion }: LevelFacts | GameData) {
	const data = dataVersion === null ? '' : ` (data version ${dataVersion})`;
	const clean = cleanVersion(version);
	return clean ? `Minecraft ${clean}${data}` : `an unnamed version of Minecraft${data}`;
}

type Level = { facts: LevelFacts | null; missing: boolean; trouble: string };

async function readLevel(worldDir: string, name: string): Promise<Level> {
	const failed = (trouble: string): Level => ({ facts: null, missing: false, trouble });
	try {
		const stats = await lstat(path.join(worldDir, name));
		if (stats.isSymbolicLink()) return failed('is a link, which is not followed');
		const handle = await openRegular(path.join(worldDir, name));
		if (!handle) return failed('is not a file');
		try {
			const { size } = await handle.stat();
			if (size > LEVEL_MAX_BYTES) return failed(`is too large (${Math.round(size / 1e6)} MB)`);
			const facts = await levelFacts(await handle.readFile());
			return facts ? { facts, missing: false, trouble: '' } : failed('is damaged');
		} finally {
			await handle.close();
		}
	} catch (error) {
		if (error instanceof AppError || !errno(error)) throw error;
		if (errno(error) !== 'ENOENT') return failed(`cannot be read (${diskTrouble(error)})`);
		return { facts: null, missing: true, trouble: 'is missing' };
	}
}

/** A folder that was created, but never played in, has none. */
async function hasChunks(worldDir: string) {
	const folders = ['region', 'dimensions', 'DIM-1', 'DIM1'];
	const names = await Promise.all(
		folders.map((name) => readdir(path.join(worldDir, name)).catch(() => []))
	);
	return names.some(({ length }) => length > 0);
}
