import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Operation, OperationKind } from '#schemas/operation';
import type { PowerRequest } from '#schemas/server';
import { Settings } from '#schemas/settings';
import type { Actor } from '#core/actor';
import { systemClock, type Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createFollower } from '#minecraft/follow';
import { openCrashEvidence } from '#minecraft/diagnosis';
import type { Installation, WorldCheck } from '#minecraft/folder';
import { createProcessRuntime, type Runtime, type RuntimeState } from '#runtime';
import { createOperations, OperationFailure } from '#operations';
import { createPower } from '#services/power';
import { createJournal } from '#storage/journal';
import { openBootHistory } from '../../src/lib/server/wiring/power.ts';
import { createGameFolder, gameFolderAt, type GameFolder } from './game/game-process.ts';

export const ADA: Actor = { name: 'ada', role: 'superadmin', address: '192.0.2.1' };
/** At once. */
export const NOW: PowerRequest = { delaySeconds: 0, message: '' };

export type World = {
	game: GameFolder;
	dataDir: string;
	settings: Settings;
	verifyTimeoutMs: number;
	/** What ping and RCON would say. */
	answering: boolean;
	/** What does not answer while a server is being verified. */
	unanswered: { what: string; why: string }[];
	/** How many are online. */
	players: number | null;
	patience: {
		holdMs: number;
		beatMs: number;
		graceMs: number;
		warningS: number;
		killAfterMs: number;
	};
	/** RCON: `obeys`, does not listen (`off`), or takes the command and never answers (`silent`). */
	rcon: 'obeys' | 'off' | 'silent';
	rconEnabled: boolean;
	command: string[] | null;
	/** What differs in whatever runs it. */
	engine: { state?: Partial<RuntimeState>; can?: Runtime['can']; stops?: number };
	/** What is said of the world before a start. */
	worldCheck: WorldCheck;
	/** What was sent over RCON. */
	sent: string[];
	/** What the game has accepted for its players. */
	announced: string[];
	audit: { by: string; action: string; result: string; detail: string | null }[];
	errors: unknown[];
	dispose(): Promise<void>;
};

/** A real game process in a real folder, and what surrounds the power service. */
export async function createWorld(): Promise<World> {
	const dataDir = await mkdtemp(path.join(tmpdir(), 'craftwarden-power-'));
	return worldAround(await createGameFolder(), dataDir);
}

/** The same world as another process sees it. */
export const worldAt = (gameDir: string, dataDir: string) =>
	worldAround(gameFolderAt(gameDir), dataDir);

function worldAround(game: GameFolder, dataDir: string): World {
	return {
		game,
		dataDir,
		settings: Settings.parse({}),
		verifyTimeoutMs: 20_000,
		answering: false,
		unanswered: [],
		players: 0,
		patience: { holdMs: 100, beatMs: 10, graceMs: 150, warningS: 1, killAfterMs: 300 },
		rcon: 'obeys',
		rconEnabled: true,
		command: game.argv,
		engine: {},
		worldCheck: { refusal: null, note: null },
		sent: [],
		announced: [],
		audit: [],
		errors: [],
		async dispose() {
			await game.dispose();
			await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
		}
	};
}

export type Setup = ReturnType<typeof openSetup>;

type SetupOptions = {
	clock?: Clock;
	/** Kinds of operations that begin beside the others. */
	beside?: OperationKind[];
};

/** One dashboard's power service on this world; a second one is what a restart makes. */
export function openSetup(world: World, { clock = systemClock, beside }: SetupOptions = {}) {
	const { game, dataDir } = world;
	const log = {
		info: () => {},
		warn: () => {},
		error: (message: string, facts?: { cause?: unknown }) =>
			void world.errors.push([message, facts?.cause])
	};
	const lock = createLock(path.join(dataDir, 'lock'), clock);
	const journal = createJournal({ dir: path.join(dataDir, 'operations'), warn: log.warn });
	const trialLock = createLock(path.join(dataDir, 'trial.lock'), clock);
	const operations = createOperations({
		...{ journal, lock, clock, log, publish: () => {} },
		...(beside && { beside: { kinds: beside, lock: trialLock.share(), server: lock.share() } })
	});
	const asProcess = createProcessRuntime({
		serverDir: game.dir,
		dataDir,
		...{ clock, log },
		command: async () => world.command,
		startable: async () =>
			world.command ? { how: 'the jar' } : { why: 'There is no server jar in the folder.' },
		environment: process.env
	});
	const runtime: Runtime = {
		...asProcess,
		can: world.engine.can ?? asProcess.can,
		async state() {
			return { ...(await asProcess.state()), ...world.engine.state };
		},
		async stop(run) {
			world.engine.stops = (world.engine.stops ?? 0) + 1;
			await asProcess.stop(run);
		}
	};
	const logs = createFollower({ file: path.join(game.dir, 'logs/latest.log'), pollMs: 5, clock });
	let changes = 0;
	const power = createPower({
		operations,
		runtime,
		installation: async () => installationOf(world),
		rcon: { command: (line) => answerRcon(world, line) },
		probe: async () => world.answering,
		unanswered: async () => world.unanswered,
		playersOnline: async () => world.players,
		patience: world.patience,
		logs,
		evidence: openCrashEvidence({ serverDir: game.dir, output: runtime.output }),
		shown: (lines) => lines.map((line) => line.replaceAll('10.0.0.7', '***')),
		isReady: (line) => /Done \([\d.]+s\)! For help/.test(line),
		diagnose: ({ log, output }) => {
			const text = [...log, ...output].join('\n');
			const eula = text.includes('agree to the EULA');
			return {
				code: eula ? 'eula' : /Exception/.test(text) ? 'crash' : 'unknown',
				message: eula ? 'The EULA is not accepted.' : 'The server ended without saying why.',
				log: log.slice(-5),
				mods: [],
				advice: eula ? 'Set eula=true in eula.txt.' : '',
				restartable: !eula
			};
		},
		failure: (cause) => new OperationFailure(cause),
		settings: async () => world.settings,
		audit: async (by, action, { result = 'done', detail = null } = {}) =>
			void world.audit.push({ by: by.name, action, result, detail }),
		changed: () => void changes++,
		gaveUp: () => {},
		announced: (text) => void world.announced.push(text),
		checkWorld: async () => world.worldCheck,
		beforeLaunch: async () => {},
		log,
		clock,
		dataDir,
		bootHistory: openBootHistory(dataDir, () => {}),
		verifyTimeoutMs: world.verifyTimeoutMs
	});
	return {
		power,
		runtime,
		...{ operations, journal },
		/** How often a change of state was announced. */
		changes: () => changes,
		state: async () => (await power.observe()).state,
		run: async () => (await runtime.state()).run,
		finished: (operation: Operation) => finished(operations, operation),
		async close() {
			power.close();
			await operations.close();
			logs.close();
			runtime.close();
			trialLock.close();
			lock.close();
		}
	};
}

/** Its end, and the moment when the next one may begin. */
async function finished(operations: ReturnType<typeof createOperations>, { id }: Operation) {
	const ended = await new Promise<Operation>((resolve) => {
		operations.watch(id, (event) => {
			if (event.type === 'end') resolve(event.operation);
		});
	});
	while (operations.running()?.id === id) await delay(2);
	return ended;
}

async function answerRcon(world: World, line: string): Promise<string> {
	if (world.rcon === 'off') throw new AppError('offline', 'RCON cannot be reached.');
	world.sent.push(line);
	if (world.rcon === 'silent')
		throw new AppError('timeout', 'No answer came.', { code: 'outcome-unknown' });
	if (line === 'stop') await world.game.command('stop');
	return '';
}

const installationOf = ({ game, command, rconEnabled }: World): Installation => ({
	loader: 'vanilla',
	loaderVersion: null,
	gameVersion: '1.21.1',
	software: 'Vanilla',
	found: true,
	eula: true,
	worldDir: path.join(game.dir, 'world'),
	motd: null,
	maxPlayers: 20,
	game: { host: '127.0.0.1', port: 25565, statusEnabled: true },
	rcon: { enabled: rconEnabled, host: '127.0.0.1', port: 25575, password: 'x' },
	command: command && { argv: command, how: 'the jar' },
	problem: command ? null : 'There is no server jar in the folder.'
});
