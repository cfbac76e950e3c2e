import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATA_VERSION, GAME_VERSION } from './version.ts';
import { byte, compound, findLong, int, long, nbtFile, string, strings } from './nbt.ts';

const SNOWMAN = '☃';
const SQLITE_BUSY = 5;
const REGION_BYTES = 8192;
const REGION_TIMES_AT = 4096;

export class WorldLocked extends Error {}

export interface World {
	readonly dir: string;
	readonly seed: bigint;
	/** Game ticks when it was opened. */
	readonly startTicks: number;
	/** True when there was no level.dat. */
	readonly fresh: boolean;
	/** level.dat goes through a temporary file, the region file is rewritten in place. */
	save(ticks: number, chunks: boolean): void;
	close(): void;
}

/** Opens the world and holds its session.lock; throws `WorldLocked` while another process does. */
export function openWorld(dir: string, seed: bigint): World {
	fs.mkdirSync(dir, { recursive: true });
	const unlock = lockSession(path.join(dir, 'session.lock'));
	const file = path.join(dir, 'level.dat');
	const level = fs.existsSync(file) ? fs.readFileSync(file) : null;
	const known = level && findLong(level, 'seed');
	const worldSeed = known ?? seed;
	return {
		dir,
		seed: worldSeed,
		startTicks: Number((level && findLong(level, 'Time')) ?? 0n),
		fresh: level === null,
		save(ticks, chunks) {
			fs.writeFileSync(`${file}_new`, levelDat(path.basename(dir), ticks, worldSeed));
			if (fs.existsSync(file)) fs.renameSync(file, `${file}_old`);
			fs.renameSync(`${file}_new`, file);
			if (chunks) touchRegion(path.join(dir, 'region', 'r.0.0.mca'));
		},
		close: unlock
	};
}

/**
 * The game holds a kernel lock on session.lock. Node has no call for that, SQLite does: it locks an empty file, and
 * the snowman is written under its nose. The extra descriptor stays open: closing it would drop the lock.
 */
function lockSession(file: string): () => void {
	const fd = fs.openSync(file, 'w');
	const db = new DatabaseSync(file);
	try {
		db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
	} catch (error) {
		fs.writeSync(fd, SNOWMAN);
		fs.closeSync(fd);
		if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw new WorldLocked(file);
		throw error;
	}
	fs.writeSync(fd, SNOWMAN);
	return () => {
		db.close();
		fs.closeSync(fd);
	};
}

export function levelDat(name: string, ticks: number, seed: bigint): Buffer {
	const data = compound({
		LevelName: string(name),
		Version: compound({
			Id: int(DATA_VERSION),
			Name: string(GAME_VERSION),
			Series: string('main'),
			Snapshot: byte(0)
		}),
		DataVersion: int(DATA_VERSION),
		version: int(19133),
		Time: long(BigInt(Math.floor(ticks))),
		DayTime: long(BigInt(Math.floor(ticks))),
		LastPlayed: long(BigInt(Date.now())),
		GameType: int(0),
		Difficulty: byte(2),
		hardcore: byte(0),
		allowCommands: byte(0),
		initialized: byte(1),
		SpawnX: int(0),
		SpawnY: int(71),
		SpawnZ: int(0),
		WasModded: byte(1),
		ServerBrands: strings(['fabric']),
		WorldGenSettings: compound({ seed: long(seed), generate_features: byte(1) }),
		DataPacks: compound({ Enabled: strings(['vanilla', 'fabric']), Disabled: strings([]) })
	});
	return nbtFile(compound({ Data: data }));
}

/** A region without chunks; each save changes one time stamp in it, so that backups see a changed file. */
function touchRegion(file: string): void {
	fs.mkdirSync(path.dirname(file), { recursive: true });
	if (!fs.existsSync(file)) fs.writeFileSync(file, Buffer.alloc(REGION_BYTES));
	const stamp = Buffer.alloc(4);
	stamp.writeUInt32BE(Math.floor(Date.now() / 1000));
	const fd = fs.openSync(file, 'r+');
	fs.writeSync(fd, stamp, 0, stamp.length, REGION_TIMES_AT);
	fs.closeSync(fd);
}
