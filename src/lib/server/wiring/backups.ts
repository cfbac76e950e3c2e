import path from 'node:path';
import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import { ownProcessId, processLives } from '#core/process';
import { disposition } from '#core/net';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import type { Game } from './game.ts';
import { worldVersion } from '#minecraft/folder';
import type { Audit } from '#services/audit';
import { createBackups, type Known } from '#services/backups';
import type { Operations } from '#operations';
import type { Power } from '#services/power';
import type { SettingsService } from '#services/settings';
import { createArchiver, flushDisk, createBackupFolder } from '#storage/archive';

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
	/** How fast the game ticks; null when unknown. */
	tps: () => Promise<number | null>;
	knownPlayers: () => Promise<Known[]>;
	/** The folder of worlds has changed. */
	changed: () => void;
	publish: (fact: AppEvent) => void;
	root: string;
};

/** Backups of the worlds, and their restore. */
export function wireBackups(config: ServerConfig, needs: Needs) {
	const { clock, log, game, power, operations, root } = needs;
	const { dataDir, serverDir, backupDir } = config;
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
		never: [dataDir, backupDir, config.snapshotDir, config.logDir],
		server: power.serverControl,
		rcon: game.rcon,
		installation: game.installation,
		untouchable: game.untouchable.anyChange,
		worldVersion,
		processes: { own: ownProcessId(), lives: processLives },
		changed: needs.changed,
		settings: needs.settings.get,
		async tidyWorlds() {
			const { tidyOriginals } = await import('#services/upgrades');
			await tidyOriginals(serverDir, clock, log);
		},
		lastSeen: game.lastSeen,
		playersOnline: needs.playersOnline,
		tps: needs.tps,
		known: needs.knownPlayers,
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
