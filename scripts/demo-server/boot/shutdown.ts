import type { CrashCause } from './crash-report.ts';
import { writeCrashReport } from './crash-report.ts';
import type { Game } from '../game.ts';
import { saveEverything } from '../game.ts';
import { wait } from '../pace.ts';
import { disconnect } from '../world/players.ts';
import type { ProcessLife } from './process-life.ts';
import type { RconServer } from '../net/rcon.ts';
import type { StatusServer } from '../net/status.ts';

export type Sockets = { status: StatusServer | null; rcon: RconServer | null };

const DIMENSIONS = [
	{ id: 'minecraft:overworld', folder: null },
	{ id: 'minecraft:the_end', folder: 'DIM1' },
	{ id: 'minecraft:the_nether', folder: 'DIM-1' }
];
const WATCHDOG_GRACE_MS = 10_000;

/** The game's way out: the port first, then players and worlds, then the process. */
export async function stopServer(
	game: Game,
	sockets: Sockets,
	life: ProcessLife,
	exitCode: number
): Promise<never> {
	const { log, options } = game;
	log.info('Stopping server');
	sockets.status?.close();
	log.info('Saving players');
	for (const player of [...game.online.values()]) disconnect(game, player, 'Server closed');
	log.info('Saving worlds');
	const name = game.properties.get('level-name');
	for (const { id } of DIMENSIONS) {
		log.info(`Saving chunks for level 'ServerLevel[${name}]'/${id}`);
		await wait(options.saveMs / DIMENSIONS.length);
	}
	try {
		saveEverything(game, true);
	} catch (error) {
		log.error(`Failed to save the world\n${String(error)}`);
	}
	for (const { folder } of DIMENSIONS)
		log.info(`ThreadedAnvilChunkStorage (${folder ?? name}): All chunks are saved`);
	log.info('ThreadedAnvilChunkStorage: All dimensions are saved');
	game.world.close();
	await sockets.rcon?.close();
	return life.exit(exitCode);
}

/** Without a loaded world there is little to save. */
export function stopEarly(
	game: Pick<Game, 'log' | 'world'>,
	life: ProcessLife,
	exitCode: number
): never {
	game.log.info('Stopping server');
	game.log.info('Saving worlds');
	game.log.info('ThreadedAnvilChunkStorage: All dimensions are saved');
	game.world.close();
	return life.exit(exitCode);
}

/** An exception in the tick loop: the report, then the ordinary way out, and even the ordinary exit code. */
export async function crash(
	game: Game,
	sockets: Sockets,
	life: ProcessLife,
	cause: CrashCause
): Promise<never> {
	game.log.error(`Encountered an unexpected exception\n${cause.trace}`);
	const report = writeCrashReport(game.dir, game.mods, cause);
	game.log.error(`This crash report has been saved to: ${report}`);
	return stopServer(game, sockets, life, 0);
}

/** The watchdog saves nothing: it writes its report and ends the process with 1, ten seconds later. */
export async function bark(game: Game, life: ProcessLife, cause: CrashCause): Promise<never> {
	const thread = 'Server Watchdog';
	game.log.error('A single server tick took 60.16 seconds (should be max 0.05)', thread);
	game.log.error('Considering it to be crashed, server will forcibly shutdown.', thread);
	const report = writeCrashReport(game.dir, game.mods, cause);
	game.log.error(`This crash report has been saved to: ${report}`, thread);
	await game.pace.sleep(WATCHDOG_GRACE_MS);
	return life.exit(1);
}

/** Neither answers nor reacts any more, but stays alive. */
export function hang(game: Game, sockets: Sockets): void {
	game.main.freeze();
	sockets.status?.freeze();
	sockets.rcon?.freeze();
}
