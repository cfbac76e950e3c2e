import fs from 'node:fs';
import path from 'node:path';
import {
	printBroken,
	printIncompatible,
	printLoaded,
	printLocked,
	printOffline,
	printThrown
} from './boot-text.ts';
import { bindCrash, writeCrashReport } from './crash-report.ts';
import type { Game } from '../game.ts';
import { openLists } from '../world/lists.ts';
import type { GameLog } from '../log.ts';
import { createMainThread } from './main-thread.ts';
import type { Mod } from './mods.ts';
import { findMod, readMods } from './mods.ts';
import { thrownBy, withModFaults, withWorldFaults } from './mod-faults.ts';
import type { Options } from '../options.ts';
import { createPace, createRandom, wait } from '../pace.ts';
import type { ProcessLife } from './process-life.ts';
import type { ServerProperties } from '../world/properties.ts';
import { openProperties, parse } from '../world/properties.ts';
import type { Sockets } from './shutdown.ts';
import { stopEarly, stopServer } from './shutdown.ts';
import { openStatus } from '../net/status.ts';
import type { World } from '../world/world.ts';
import { GAME_VERSION, LOADER_VERSION } from '../world/version.ts';
import { openWorld, WorldLocked } from '../world/world.ts';

const MAIN = 'main';
/** Shares of the boot delay: the loader, the mods' start, the game's start, the world. */
const SHARE = { loader: 0.1, mods: 0.15, game: 0.15, world: 0.6 };
const SPAWN_STEPS = 10;
const BIND_ERRORS: Record<string, string> = {
	EADDRINUSE: 'Address already in use',
	EADDRNOTAVAIL: 'Cannot assign requested address',
	EACCES: 'Permission denied'
};

export type Outside = { dir: string; options: Options; log: GameLog; life: ProcessLife };

/** From the first line to a loaded world. `status` answers once it is set. Ends the process when it cannot. */
export async function boot(
	outside: Outside,
	halt: (game: Game, exitCode: number) => void,
	status: () => string | null
): Promise<{ game: Game; sockets: Sockets }> {
	const { dir, options, log, life } = outside;
	const mods = await loadMods(outside);
	const properties = openProperties(path.join(dir, 'server.properties'));
	if (!agreed(dir, log)) {
		log.info(
			'You need to agree to the EULA in order to run the server. Go to eula.txt for more info.',
			MAIN
		);
		life.exit(0);
	}
	const world = takeWorld(outside, properties);
	log.info(
		'Environment: Environment[sessionHost=https://sessionserver.mojang.com, servicesHost=https://api.minecraftservices.com, name=PROD]',
		MAIN
	);
	Object.assign(options, withWorldFaults(options, mods, world));
	if (world.fresh) log.info('No existing world data, creating new world', MAIN);
	log.info('Loaded 1290 recipes', MAIN);
	log.info('Loaded 1399 advancements', MAIN);
	const game: Game = {
		dir,
		options,
		log,
		properties,
		mods,
		world,
		pace: createPace(options.speed),
		lists: openLists(dir, log),
		main: createMainThread(),
		online: new Map(),
		saving: true,
		halted: null,
		halt: (exitCode) => {
			if (game.halted !== null) return;
			game.halted = exitCode;
			halt(game, exitCode);
		}
	};
	life.onSignal((code) => game.halt(code));
	const sockets = await openPort(outside, game, status);
	await prepareWorld(outside, game, sockets);
	return { game, sockets };
}

async function loadMods({ dir, options, log, life }: Outside): Promise<Mod[]> {
	log.info(`Loading Minecraft ${GAME_VERSION} with Fabric Loader ${LOADER_VERSION}`, MAIN);
	const folder = readMods(path.join(dir, 'mods'));
	Object.assign(options, withModFaults(options, folder.mods));
	await wait(options.bootMs * SHARE.loader);
	if (folder.broken[0]) {
		printBroken(log, dir, folder.broken[0]);
		life.exit(1);
	}
	const unwanted =
		options.failWithMod === null ? undefined : findMod(folder.mods, options.failWithMod);
	if (unwanted) {
		printIncompatible(log, unwanted);
		life.exit(1);
	}
	printLoaded(log, dir, folder);
	await wait(options.bootMs * SHARE.mods);
	const thrown = thrownBy(folder.mods);
	if (thrown) {
		printThrown(log, thrown);
		life.exit(1);
	}
	return folder.mods;
}

function agreed(dir: string, log: GameLog): boolean {
	const file = path.join(dir, 'eula.txt');
	if (fs.existsSync(file))
		return parse(fs.readFileSync(file, 'utf8')).eula?.toLowerCase() === 'true';
	log.warn('Failed to load eula.txt', MAIN);
	fs.writeFileSync(
		file,
		'#By changing the setting below to TRUE you are indicating your agreement to our EULA (https://aka.ms/MinecraftEULA).\neula=false\n'
	);
	return false;
}

function takeWorld({ dir, options, log, life }: Outside, properties: ServerProperties): World {
	const folder = path.join(dir, properties.get('level-name'));
	const random = createRandom(options.seed);
	const made = BigInt(random.between(-(2 ** 31), 2 ** 31)) * 4_294_967_291n;
	const wanted = properties.get('level-seed');
	try {
		return openWorld(folder, /^-?\d{1,18}$/.test(wanted) ? BigInt(wanted) : made);
	} catch (error) {
		if (!(error instanceof WorldLocked)) throw error;
		printLocked(log, path.join(folder, 'session.lock'));
		return life.exit(0);
	}
}

/** The port is open long before the world is: whoever asks for the status meanwhile is cut off without an answer. */
async function openPort(
	{ dir, options, log, life }: Outside,
	game: Game,
	status: () => string | null
): Promise<Sockets> {
	const host = game.properties.get('server-ip');
	const port = game.properties.number('server-port');
	log.info(`Starting minecraft server version ${GAME_VERSION}`);
	log.info('Loading properties');
	log.info(`Default game type: ${game.properties.get('gamemode').toUpperCase()}`);
	log.info('Generating keypair');
	log.info(`Starting Minecraft server on ${host || '*'}:${port}`);
	log.info('Using epoll channel type');
	try {
		const server = await openStatus({ host: host || undefined, port, status });
		if (!game.properties.flag('online-mode')) printOffline(log);
		await wait(options.bootMs * SHARE.game);
		return { status: server, rcon: null };
	} catch (error) {
		const { code = '', message } = error as NodeJS.ErrnoException;
		log.warn('**** FAILED TO BIND TO PORT!');
		log.warn(`The exception was: java.net.BindException: ${BIND_ERRORS[code] ?? message}`);
		log.warn('Perhaps a server is already running on that port?');
		const cause = bindCrash();
		log.error(`Encountered an unexpected exception\n${cause.trace}`);
		log.error(`This crash report has been saved to: ${writeCrashReport(dir, game.mods, cause)}`);
		return stopEarly(game, life, 0);
	}
}

async function prepareWorld(
	{ options, log, life }: Outside,
	game: Game,
	sockets: Sockets
): Promise<void> {
	const startedAt = performance.now();
	const elapsed = () => performance.now() - startedAt;
	log.info(`Preparing level "${game.properties.get('level-name')}"`);
	if (options.hangInBoot) {
		// A mod that never returns: the Java machine still ends at once on a signal.
		life.onSignal((code) => (options.ignoreStop ? undefined : life.exit(code)));
		await new Promise(() => {});
	}
	log.info('Preparing start region for dimension minecraft:overworld');
	for (let step = 0; step <= SPAWN_STEPS; step++) {
		if (game.halted !== null) await stopServer(game, sockets, life, game.halted);
		const percent = Math.round((step / SPAWN_STEPS) ** 1.5 * 100);
		log.info(`Preparing spawn area: ${percent}%`, `Worker-Main-${(step % 4) + 1}`);
		await wait((options.bootMs * SHARE.world) / (SPAWN_STEPS + 1));
	}
	log.info(`Time elapsed: ${Math.round(elapsed())} ms`);
	log.info(`Done (${(elapsed() / 1000).toFixed(3)}s)! For help, type "help"`);
}
