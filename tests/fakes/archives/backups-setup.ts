import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Operation } from '#schemas/operation';
import type { ServerState } from '#schemas/status';
import type { Actor } from '#core/actor';
import { systemClock, type Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { ownProcessId, processLives } from '#core/process';
import type { Retry } from '#core/retry-on-disk-error';
import type { Installation } from '#minecraft/folder';
import { BACKUP_SETTINGS, createBackups, type BackupFact } from '#services/backups';
import { createOperations, type ServerControl, type StepContext } from '#operations';
import {
	createArchiver,
	failure,
	type Archiver
} from '../../../src/lib/server/storage/archive/archiver.ts';
import { flushDisk, createBackupFolder } from '#storage/archive';
import { failureOf, runHere } from '../../../src/lib/server/storage/archive/run-here.ts';
import { createJournal } from '#storage/journal';

export const ADA: Actor = { name: 'ada', role: 'superadmin', address: '192.0.2.1' };
export const UUID = '01234567-89ab-4cde-8f01-23456789abcd';
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The game as the backups see it; the state on disk is real. */
export type Game = {
	state: ServerState;
	/** Null when it does not run. */
	pid: number | null;
	/** Whether it saves by itself. */
	saving: boolean;
	commands: string[];
	/** Replaces a command's answer; an error is thrown, a promise awaited. */
	answers: Map<string, () => string | Promise<string>>;
	rconEnabled: boolean;
	version: string;
	/** Why a start fails. */
	broken: string | null;
	readyAt: string | null;
	lastSeen: Map<string, string>;
	online: number | null;
	/** Ids of those who are playing. */
	here?: string[];
	/** What happens during a countdown. */
	counting?: (ctx: StepContext) => Promise<void>;
	/** Called after each change, for a game that outlives the process that talks to it. */
	changed?: () => void;
	/** What is recorded before it is stopped or started. */
	noted?: () => void;
	/** Called when its worlds have been swapped. */
	exchanged?: () => void;
};

export const newGame = (): Game => ({
	...{ state: 'stopped', pid: null, saving: true, commands: [], answers: new Map() },
	...{ rconEnabled: true, version: '1.21.1', broken: null, readyAt: null },
	...{ lastSeen: new Map(), online: 0 }
});

export function startGame(game: Game) {
	Object.assign(game, {
		state: 'running',
		pid: 4242,
		saving: true,
		readyAt: new Date().toISOString()
	});
}
export function endGame(game: Game) {
	Object.assign(game, { state: 'stopped', pid: null, saving: true, readyAt: null });
}

/** A server's folder with a world in the layout of 1.21, and configuration. */
export async function createHome(within = tmpdir()): Promise<string> {
	const home = await mkdtemp(path.join(within, 'craftwarden-backups-'));
	const files: Record<string, string> = {
		'world/level.dat': 'level 1',
		'world/region/r.0.0.mca': 'chunks 1'.repeat(3000),
		[`world/playerdata/${UUID}.dat`]: 'inventory 1',
		[`world/stats/${UUID}.json`]: '{"stats":1}',
		'world/session.lock': '☃',
		'world_nether/DIM-1/region/r.0.0.mca': 'nether 1',
		'config/mod.toml': 'value = 1',
		'mods/one.jar': 'jar 1',
		'server.properties': 'level-name=world\nrcon.password=secret\n',
		'ops.json': '[1]',
		'logs/latest.log': 'not this'
	};
	for (const [name, text] of Object.entries(files)) await put(home, name, text);
	await mkdir(path.join(home, 'data'));
	return home;
}

export async function put(home: string, name: string, text: string) {
	const file = path.join(home, 'server', name);
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, text);
}

export type BackupsSetup = ReturnType<typeof setupBackups>;

/** One dashboard's backups in this home; a second one is what a restart creates. */
export function setupBackups(
	home: string,
	game: Game,
	options: {
		clock?: Clock;
		random?: () => number;
		backupDir?: string;
		ownProcess?: boolean;
		retry?: Retry;
	} = {}
) {
	const clock = options.clock ?? systemClock;
	const serverDir = path.join(home, 'server');
	const dataDir = path.join(home, 'data');
	const backupDir = options.backupDir ?? path.join(home, 'backups');
	const audit: { action: string; result: string; detail: string | null }[] = [];
	const said: { level: string; message: string; facts?: unknown }[] = [];
	const facts: BackupFact[] = [];
	const settings = { ...BACKUP_SETTINGS };
	const say = (level: string) => (message: string, facts?: object) =>
		void said.push({ level, message, facts });
	const log = { info: say('info'), warn: say('warn'), error: say('error') };
	const journal = createJournal({ dir: path.join(dataDir, 'operations'), warn: log.warn });
	const lock = createLock(path.join(dataDir, 'operation.lock'), clock);
	const operations = createOperations({ journal, lock, clock, log, publish: () => {} });
	const folder = createBackupFolder({
		dir: backupDir,
		memoryFile: path.join(dataDir, 'backup-folder.json')
	});
	const archiver = options.ownProcess ? processArchiver() : hereArchiver;
	const backups = createBackups({
		...{ serverDir, dataDir, folder, archiver, flushDisk, operations, clock, log },
		never: [dataDir, backupDir],
		server: controlOf(game),
		rcon: { command: (line) => answer(game, line) },
		installation: async () => installationOf(game, serverDir),
		untouchable: async () => null,
		worldVersion: async () => game.version,
		processes: { own: ownProcessId(), lives: processLives },
		changed: () => game.exchanged?.(),
		settings: async () => settings,
		tidyWorlds: async () => {},
		lastSeen: async () => game.lastSeen,
		playersOnline: async () => game.online,
		tps: async () => 20,
		known: async () =>
			[...game.lastSeen].map(([uuid, lastSeenAt]) => ({
				...{ uuid, lastSeenAt, name: 'Steve' },
				online: (game.here ?? []).includes(uuid)
			})),
		serverName: async () => 'My "Server"\n☃',
		disposition: (name) => `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
		publish: (fact) => void facts.push(fact),
		audit: async (_by, action, { result = 'done', detail = null } = {}) =>
			void audit.push({ action, result, detail }),
		...(options.random && { random: options.random }),
		...(options.retry && { retry: options.retry })
	});
	operations.define<Parameters<typeof backups.restoreSteps>[0]>({
		kind: 'restore',
		steps: backups.restoreSteps,
		rollback: { id: 'rollback', label: 'Roll everything back', run: backups.restoreRollback.run }
	});
	return {
		...{ backups, operations, folder, settings, audit, said, facts, serverDir, dataDir, backupDir },
		file: (name: string) => path.join(serverDir, name),
		async finished(started: Operation | Promise<Operation>): Promise<Operation> {
			const { id } = await started;
			const ended = await new Promise<Operation>((resolve) => {
				operations.watch(id, (event) => event.type === 'end' && resolve(event.operation));
			});
			while (operations.running()?.id === id) await systemClock.sleep(2);
			return ended;
		},
		/** A good backup, and its id. */
		async backUp(input: { note?: string; withMods?: boolean } = {}): Promise<string> {
			const before = new Set((await backups.list()).map(({ id }) => id));
			const ended = await this.finished(backups.create({ note: '', ...input }, ADA));
			if (ended.state !== 'succeeded') throw new Error(JSON.stringify(ended, null, 1));
			// Not the first of the list: within one second chance decides their order.
			return (await backups.list()).find(({ id }) => !before.has(id))!.id;
		},
		async close() {
			backups.close();
			await operations.close();
			archiver.close();
			lock.close();
		}
	};
}

const processArchiver = () =>
	createArchiver({
		program: path.join(ROOT, 'src/lib/server/storage/archive/program.ts'),
		cacheDir: path.join(ROOT, 'node_modules/.cache/archive')
	});

/** Quick, but it cannot be cancelled. */
const hereArchiver: Archiver = {
	run: (job, { progress } = {}) =>
		runHere(job, progress).catch((error) => {
			throw failure(failureOf(error));
		}),
	close: () => {}
};

export const removeHome = (home: string) =>
	rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });

async function answer(game: Game, line: string): Promise<string> {
	if (game.pid === null) throw new AppError('offline', 'RCON cannot be reached.');
	game.commands.push(line);
	try {
		return await respond(game, line);
	} finally {
		game.changed?.();
	}
}

async function respond(game: Game, line: string): Promise<string> {
	const special = game.answers.get(line);
	if (special) return special();
	if (line === 'save-off') {
		const was = game.saving;
		game.saving = false;
		return was ? 'Automatic saving is now disabled' : 'Saving is already turned off';
	}
	if (line === 'save-on') {
		const was = game.saving;
		game.saving = true;
		return was ? 'Saving is already turned on' : 'Automatic saving is now enabled';
	}
	return line === 'save-all flush' ? 'Saving the game (this may take a moment!)Saved the game' : '';
}

function controlOf(game: Game): ServerControl {
	const run = () =>
		game.pid === null
			? null
			: {
					id: `boot ${game.pid} 77`,
					pid: game.pid,
					startedAt: new Date(0).toISOString(),
					ours: true
				};
	const end = async () => {
		game.noted?.();
		game.commands.push('(ended)');
		endGame(game);
		game.changed?.();
	};
	return {
		run: async () => run(),
		observe: async () => ({
			state: game.state,
			run: run(),
			reason: null,
			diagnosis: null,
			readyAt: game.readyAt,
			endedAt: null
		}),
		async countDown(ctx, { message }) {
			if (game.pid === null) ctx.skip('It does not run.');
			game.commands.push(`(countdown: ${message})`);
			await game.counting?.(ctx);
		},
		async callOff() {
			game.commands.push('(called off)');
			return true;
		},
		ensureStartable: async () => {},
		async ensureStopped() {
			if (game.pid !== null) throw new AppError('conflict', 'The server runs again.');
		},
		halt: end,
		end,
		async launch() {
			game.noted?.();
			game.commands.push('(launched)');
			startGame(game);
			game.changed?.();
		},
		async verify() {
			if (game.broken === null) return;
			endGame(game);
			throw new AppError('upstream', game.broken);
		},
		settle: async () => {}
	};
}

const installationOf = ({ rconEnabled, version }: Game, serverDir: string): Installation => ({
	...{ loader: 'fabric', loaderVersion: null, gameVersion: version, software: 'Fabric' },
	...{ found: true, eula: true },
	...{ worldDir: path.join(serverDir, 'world'), motd: null, maxPlayers: 20 },
	game: { host: '127.0.0.1', port: 1, statusEnabled: true },
	rcon: { enabled: rconEnabled, host: '127.0.0.1', port: 1, password: 'x' },
	...{ command: null, problem: null }
});

export const savingNote = (home: string) => existsSync(path.join(home, 'data/saving-off.json'));
