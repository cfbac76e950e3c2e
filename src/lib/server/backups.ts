import path from 'node:path';
import type { Clock } from './core/clock.ts';
import type { Logger } from './core/log.ts';
import { disposition } from './core/disposition.ts';
import type { Env } from './env.ts';
import type { Fact } from './events.ts';
import type { Game } from './game.ts';
import { worldVersion } from './minecraft/game-version.ts';
import type { Audit } from './services/audit.ts';
import { createBackups } from './services/backups/index.ts';
import type { Operations } from './services/operations/index.ts';
import type { Power } from './services/power/index.ts';
import type { SettingsService } from './services/settings.ts';
import { createArchiver } from './storage/archive/archiver.ts';
import { flushDisk } from './storage/archive/flush-disk.ts';
import { createBackupFolder } from './storage/archive/folder.ts';
import { lives, ownMark } from './storage/archive/holder.ts';

type Needs = {
	clock: Clock;
	log: Logger;
	audit: Audit;
	game: Game;
	power: Power;
	operations: Operations;
	settings: SettingsService;
	serverName: () => Promise<string>;
	playersOnline: () => Promise<number | null>;
	/** How fast the game ticks; null when nobody knows. */
	tps: () => Promise<number | null>;
	nameOf: (uuid: string) => Promise<string | null>;
	/** The folder of worlds is another than before. */
	changed: () => void;
	publish: (fact: Fact) => void;
	root: string;
};

/** Backups of the worlds, and their way back. */
export function createBackupsHouse(env: Env, needs: Needs) {
	const { clock, log, game, power, operations, root } = needs;
	const { dataDir, serverDir, backupDir } = env;
	const archiver = createArchiver({
		program: path.join(root, 'src/lib/server/storage/archive/program.ts'),
		cacheDir: path.join(root, 'node_modules/.cache/archiver')
	});
	const backups = createBackups({
		...{ serverDir, dataDir, archiver, flushDisk, operations, clock, log },
		folder: createBackupFolder({
			dir: backupDir,
			memoryFile: path.join(dataDir, 'backup-folder.json')
		}),
		never: [dataDir, backupDir, env.snapshotDir, env.logDir],
		server: power.hands,
		rcon: game.rcon,
		installation: game.installation,
		worldVersion,
		processes: { own: ownMark(), lives },
		changed: needs.changed,
		settings: needs.settings.get,
		lastSeen: game.lastSeen,
		playersOnline: needs.playersOnline,
		tps: needs.tps,
		nameOf: needs.nameOf,
		serverName: needs.serverName,
		disposition,
		publish: needs.publish,
		audit: needs.audit.record
	});
	return {
		backups,
		close() {
			backups.close();
			archiver.close();
		}
	};
}
