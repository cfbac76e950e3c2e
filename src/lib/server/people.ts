import path from 'node:path';
import type { Clock } from './core/clock.ts';
import { later, methodsOf } from './core/later.ts';
import type { Lock } from './core/lock.ts';
import type { Logger } from './core/log.ts';
import type { Env } from './env.ts';
import type { Game } from './game.ts';
import { createGameLog } from './minecraft/game-log.ts';
import { createPlayerLists } from './minecraft/lists.ts';
import { playerCommands } from './minecraft/player-commands.ts';
import { recentLines } from './minecraft/recent-lines.ts';
import { editServerProperties, readServerProperties } from './minecraft/server-properties.ts';
import { readPlaces } from './minecraft/stats-places.ts';
import type { Audit } from './services/audit.ts';
import { createChat } from './services/chat.ts';
import type { Operations } from './services/operations/index.ts';
import { withArrivals } from './services/players/arrivals.ts';
import { createPlayers } from './services/players/index.ts';
import type { Power } from './services/power/index.ts';
import type { StatsService } from './services/stats/index.ts';
import { createStatsWatch } from './services/stats/watch.ts';
import type { StatusService } from './services/status.ts';

type Needs = {
	clock: Clock;
	log: Logger;
	audit: Audit;
	game: Game;
	power: Power;
	status: StatusService;
	operations: Operations;
	/** The operations' lock, in a connection of the players' service alone. */
	lock: Lock;
};

/** Everything about people: what they say, and who may play. */
export function createPeople(env: Env, needs: Needs) {
	const { clock, log, audit, game, power, status, operations, lock } = needs;
	const { serverDir } = env;
	const latestLog = path.join(serverDir, 'logs/latest.log');
	const chat = createChat({
		follow: game.logs,
		tail: () => recentLines(latestLog),
		gameLog: createGameLog,
		rcon: game.rcon,
		isStopped: async () => (await power.observe()).process === null,
		sentFile: path.join(env.dataDir, 'chat-sent.jsonl'),
		record: audit.record,
		log,
		clock
	});
	const history = later(async () => {
		const { createLogFiles } = await import('./minecraft/log-files.ts');
		const { createSessionIndex } = await import('./minecraft/session-index.ts');
		return createSessionIndex({ files: createLogFiles({ serverDir }), clock, log });
	});
	const online = () => withArrivals(status.players(), chat.sessions());
	const lists = createPlayerLists({ dir: serverDir, clock });
	const worldDir = async () => (await game.installation()).worldDir;
	let counting: StatsService | null = null;
	const statistics = later(async () => {
		const { createStatsFolder } = await import('./minecraft/stats-folder.ts');
		const { createSightings } = await import('./services/stats/sightings.ts');
		const { createStats } = await import('./services/stats/index.ts');
		return (counting = createStats({
			folder: createStatsFolder({ worldDir }),
			async names() {
				const { cache, ops, whitelist, bans } = await lists.read();
				const known = [...bans, ...whitelist, ...ops, ...cache];
				return new Map(known.map(({ uuid, name }) => [uuid, name]));
			},
			sightings: createSightings({
				file: path.join(env.dataDir, 'player-sightings.txt'),
				clock,
				warn: log.warn
			}),
			clock
		}));
	});
	const stats = methodsOf(statistics, { progress: () => counting?.progress() ?? null });
	const players = createPlayers({
		lists,
		commands: playerCommands,
		properties: () => readServerProperties(serverDir, clock),
		editProperties: (changes) => editServerProperties(serverDir, changes),
		bedrockPrefix: env.bedrockPrefix,
		rcon: game.rcon,
		lock,
		operation: operations.running,
		answers: game.probe,
		async state() {
			const seen = await power.observe();
			if (!seen.process || seen.state === 'stopping') return seen.state;
			const { state } = await status.get();
			return state === 'stopped' || state === 'crashed' ? seen.state : state;
		},
		async online() {
			await chat.list(1); // has read the log by then
			return online();
		},
		lastSeen: game.lastSeen,
		history: methodsOf(history).of,
		audit: audit.record,
		changed: status.invalidate,
		clock
	});
	const statsWatch = createStatsWatch({
		stats,
		online: status.players,
		places: (uuids) => readPlaces((line) => game.rcon.command(line, { repeatable: true }), uuids),
		clock,
		log
	});
	return {
		...{ chat, players, stats, online },
		start: statsWatch.start,
		async close() {
			statsWatch.close();
			await (await statistics.built())?.close();
			chat.close();
			players.close();
			(await history.built())?.close();
		}
	};
}
