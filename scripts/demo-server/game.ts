import type { Lists, Profile } from './world/lists.ts';
import { offlineUuid } from './world/lists.ts';
import type { GameLog } from './log.ts';
import type { MainThread } from './boot/main-thread.ts';
import type { Mod } from './boot/mods.ts';
import type { Options } from './options.ts';
import type { Pace } from './pace.ts';
import type { ServerProperties } from './world/properties.ts';
import type { PlayerRecord } from './world/stats.ts';
import { saveRecord } from './world/stats.ts';
import type { World } from './world/world.ts';

export const TICK_MS = 50;
const MAX_NAME = 16;

export type Player = Profile & {
	record: PlayerRecord;
	dimension: string;
	position: [number, number, number];
	/** Up to here the play time is in the statistics, in milliseconds since the process started. */
	settledAt: number;
};

/** The running server: what commands, bots and sockets share. */
export type Game = {
	dir: string;
	options: Options;
	pace: Pace;
	log: GameLog;
	properties: ServerProperties;
	mods: Mod[];
	lists: Lists;
	world: World;
	main: MainThread;
	/** By UUID, in the order in which they came. */
	online: Map<string, Player>;
	/** False between save-off and save-on. */
	saving: boolean;
	/** Set by `stop` and by signals: the exit code. The main loop ends with the current batch. */
	halted: number | null;
	halt(exitCode: number): void;
};

export const gameTicks = (game: Game) =>
	game.world.startTicks + Math.floor(game.pace.now() / TICK_MS);

export const onlineByName = (game: Game, name: string): Player | undefined =>
	[...game.online.values()].find((player) => player.name.toLowerCase() === name.toLowerCase());

/** From the user cache, else made up in offline mode; null where the game would have to ask Mojang. */
export function lookUp(game: Game, name: string): Profile | null {
	const known = game.lists.cache.byName(name);
	if (known) return { name: known.name, uuid: known.uuid };
	const valid = name.length <= MAX_NAME && /^[!-~]+$/.test(name);
	if (!valid || game.properties.flag('online-mode')) return null;
	const profile = { name, uuid: offlineUuid(name) };
	game.lists.cache.seen(profile);
	return profile;
}

/** level.dat and everybody's records; the region file only with `chunks`. Throws when the disk does not take it. */
export function saveEverything(game: Game, chunks: boolean): void {
	for (const player of game.online.values()) saveRecord(game.world.dir, player.uuid, player.record);
	game.world.save(gameTicks(game), chunks);
}
