import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { lazy, lazyMethods } from '#core/lazy';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import { acceptEula, editServerProperties, readServerProperties } from '#minecraft/folder';
import { javaOf } from '#minecraft/java';
import { readJar } from '#minecraft/mods';
import type { Operations } from '#operations';
import type { Registry } from '#registry';
import type { Audit } from '#services/audit';
import type { Power } from '#services/power';
import { createStateFile } from '#storage/state-file';
import type { Game } from './game.ts';
import type { wireSources } from './sources.ts';

type Needs = {
	clock: Clock;
	log: Logger;
	audit: Audit;
	game: Game;
	power: Power;
	operations: Operations;
	environment: NodeJS.ProcessEnv;
	sources: ReturnType<typeof wireSources>['sources'];
	parked: () => Promise<{ fileName: string; title: string; since: string }[]>;
	registry: () => Promise<Registry>;
};

/** The server's software, and Java: loaded when it is first needed. */
export function wireSoftware(config: ServerConfig, needs: Needs) {
	const refusal = refusalOf(config);
	const closing = new AbortController();
	const part = lazy(async () => build(config, needs, refusal, closing.signal));
	return {
		software: lazyMethods(part, { refusal }),
		parts: async () => (await part()).parts,
		/** The demo's own server can go to another game version, and to nothing else. */
		upgradeRefusal: refusalOf({ ...config, demo: false }),
		/** For every kind that changes the server's software. */
		defineOperations: async () => (await part()).define(),
		/** Once operations have been recovered. */
		async tidy() {
			const [server, imports] = [
				await namesIn(config.serverDir),
				await namesIn(importDirOf(config))
			];
			const isLeft = imports.length > 0 || server.some((name) => name.startsWith(WORKPLACES));
			if (isLeft) await (await part()).tidy();
		},
		close: () => closing.abort(new AppError('busy', 'Craftwarden is shutting down.'))
	};
}

const importDirOf = ({ dataDir }: ServerConfig) => path.join(dataDir, 'imports');
/** The prefix of its folders beside the server's files, here so that looking for them does not load the service. */
const WORKPLACES = '.craftwarden-software-';
const namesIn = (dir: string) => readdir(dir).catch(() => []);

async function build(
	config: ServerConfig,
	needs: Needs,
	refusal: string | null,
	closing: AbortSignal
) {
	const { clock, log, registry, audit, game, power, operations, environment } = needs;
	const { serverDir, dataDir, backupDir, snapshotDir, logDir } = config;
	const { createSoftware, ...packs } = await import('#services/software');
	const { hasSandbox, runInstaller } = await import('#sources');
	const { folderFiles, readPack, zipFiles } = await import('#minecraft/packs');
	const { flushDisk } = await import('#storage/archive');
	const sources = await needs.sources();
	const hidden = [serverDir, dataDir, backupDir, snapshotDir, logDir, environment['HOME'] ?? ''];
	return createSoftware({
		...{ serverDir, refusal, sources, operations, clock, javaOf, hasSandbox },
		installation: game.installation,
		javas: game.javas,
		server: power.serverControl,
		runInstaller: (installer) => runInstaller({ ...installer, hidden }),
		write: { eula: acceptEula, properties: editServerProperties },
		parked: needs.parked,
		readProperties: (dir) => readServerProperties(dir, clock),
		...{ registry, readJar, closing, flush: flushDisk },
		packs: { zip: zipFiles, folder: folderFiles, read: readPack },
		importDir: importDirOf(config),
		apart: [serverDir, dataDir, backupDir, snapshotDir, logDir],
		imported: createStateFile({
			...{ file: path.join(dataDir, 'imported-pack.json'), warn: log.warn },
			...{ schema: packs.ImportedPackState, version: packs.IMPORTED_PACK_VERSION },
			defaults: packs.IMPORTED_PACK_DEFAULTS
		}),
		changed: game.forget,
		audit: audit.record
	});
}

/** Only a game that is our own child, started by our own command, may be replaced from here. */
function refusalOf({ demo, runtime, serverCommand }: ServerConfig): string | null {
	if (demo)
		return 'The demo has a server of its own, which can be moved to a newer game below, but not be replaced. Set SERVER_DIR in .env to an empty folder to set up a real one.';
	if (serverCommand)
		return 'SERVER_COMMAND in .env says how the server is started. Remove that line to let the dashboard choose Java and exchange the software, or change the line by hand.';
	if (runtime.kind === 'systemd')
		return `The unit ${runtime.unit} says what is started. Change its ExecStart= line by hand.`;
	if (runtime.kind === 'keeper')
		return 'The container of the game says what is started. Change its image, or the command of the keeper there.';
	return null;
}
