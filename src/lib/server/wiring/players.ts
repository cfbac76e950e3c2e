import path from 'node:path';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { CHAT_LIMIT_MAX } from '#schemas/chat';
import { AppError } from '#core/errors';
import { lazy, lazyMethods } from '#core/lazy';
import type { Lock } from '#core/lock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import type { Game } from './game.ts';
import { parseList, type ListedPlayer, playerCommands } from '#minecraft/commands';
import { createGameLog } from '#minecraft/game-log';
import { createPlayerLists, sameName } from '#minecraft/lists';
import { createLogMask } from '#minecraft/mask';
import { recentLines } from '#core/files';
import { editServerProperties, readServerProperties } from '#minecraft/folder';
import { readPlaces } from '#minecraft/stats';
import type { Audit } from '#services/audit';
import { createChat, createChatView } from '#services/chat';
import { createMasks } from '#services/logs';
import type { Operations } from '#operations';
import { withArrivals, createPlayers } from '#services/players';
import type { Power } from '#services/power';
import { type StatsService, createStatsWatch } from '#services/stats';
import type { StatusService } from '#services/status';

/** The game's list has whole seconds; the entry is written when the list has been read again. */
const BAN_BEFORE_MS = 1_000;
const BAN_AFTER_MS = 30_000;

type Needs = {
	clock: Clock;
	log: Logger;
	bus: Bus<AppEvent>;
	audit: Audit;
	game: Game;
	power: Power;
	status: StatusService;
	operations: Operations;
	/** All secrets that are known now. */
	secrets: () => Promise<string[]>;
	/** The operations' lock. */
	lock: Lock;
};

/** Everything about players: their chat, and who may play. */
export function wirePlayers(config: ServerConfig, needs: Needs) {
	const { clock, log, bus, audit, game, power, status, operations, lock } = needs;
	const { serverDir } = config;
	const latestLog = path.join(serverDir, 'logs/latest.log');
	const chat = createChat({
		follow: game.logs,
		tail: () => recentLines(latestLog),
		gameLog: createGameLog,
		rcon: game.rcon,
		isStopped: async () => (await power.observe()).run === null,
		sentFile: path.join(config.dataDir, 'chat-sent.jsonl'),
		record: audit.record,
		bedrockPrefix: config.bedrockPrefix,
		log,
		clock
	});
	const unsubscribe = bus.subscribe((event) => {
		if (event.type === 'announced') void chat.announced(event.text);
		// What was known while it hung says nothing of who is there when it answers again.
		if (event.type === 'server-changed') players.invalidate();
	});
	const history = lazy(async () => {
		const { createLogFiles } = await import('#minecraft/log-files');
		const { createSessionIndex } = await import('#minecraft/sessions');
		return createSessionIndex({ files: createLogFiles({ serverDir }), clock, log });
	});
	const view = createChatView(chat, {
		masks: createMasks({ secrets: needs.secrets, mask: createLogMask }),
		log
	});
	const online = () => withArrivals(status.players(), chat.sessions());
	const lists = createPlayerLists({ dir: serverDir, clock });
	const worldDir = async () => (await game.installation()).worldDir;
	let counting: StatsService | null = null;
	const statistics = lazy(async () => {
		const { createStatsFolder } = await import('#minecraft/stats');
		const { createSightings } = await import('#services/stats');
		const { createStats } = await import('#services/stats');
		return (counting = createStats({
			folder: createStatsFolder({ worldDir }),
			async names() {
				const { cache, ops, whitelist, bans } = await lists.read();
				const known = [...bans, ...whitelist, ...ops, ...cache];
				return new Map(known.map(({ uuid, name }) => [uuid, name]));
			},
			sightings: createSightings({
				file: path.join(config.dataDir, 'player-sightings.txt'),
				clock,
				warn: log.warn
			}),
			lastSeen: lazyMethods(history).lastSeen,
			clock
		}));
	});
	const stats = lazyMethods(statistics, { progress: () => counting?.progress() ?? null });
	const players = createPlayers({
		lists,
		commands: playerCommands,
		properties: () => readServerProperties(serverDir, clock),
		editProperties: (changes) => editServerProperties(serverDir, changes),
		bedrockPrefix: config.bedrockPrefix,
		rcon: game.rcon,
		lock,
		operation: operations.running,
		answers: game.probe,
		async state() {
			const seen = await power.observe();
			if (!seen.run || seen.state === 'stopping') return seen.state;
			const { state } = await status.get();
			return state === 'stopped' || state === 'crashed' ? seen.state : state;
		},
		async online() {
			await Promise.all([chat.list(1), status.get()]); // by then the log has been read and the game asked
			return online();
		},
		joined: chat.sessions,
		async whereabouts(player) {
			const [listed, messages] = await Promise.all([askWhoPlays(game), chat.list(CHAT_LIMIT_MAX)]);
			const left = messages.findLast(
				(one) => one.kind === 'leave' && one.player !== null && sameName(one.player, player)
			);
			return {
				online: listed && listed.some(({ name }) => sameName(name, player)),
				lastLeave: left?.id ?? null
			};
		},
		/** The date of a file is that of the last save, or of a restore: the logs know better. */
		async lastSeen() {
			const [files, logs] = await Promise.all([game.lastSeen(), lazyMethods(history).lastSeen()]);
			return new Map([...files, ...logs]);
		},
		history: lazyMethods(history).of,
		audit: audit.record,
		async whoBanned(player, at) {
			const around = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
			const entries = await audit.between(around(-BAN_BEFORE_MS), around(BAN_AFTER_MS));
			const ban = entries.findLast(
				({ action, result, subject }) =>
					action === 'player.ban' && result === 'done' && sameName(subject ?? '', player)
			);
			return ban?.by ?? null;
		},
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
		...{ chat: view, players, stats, online },
		/** Null while a list cannot be read: an unreadable list is not an empty one. */
		async operators() {
			const { ops, problems } = await lists.read();
			return problems.length ? null : ops.map(({ uuid, name }) => ({ uuid, name }));
		},
		start: statsWatch.start,
		async close() {
			statsWatch.close();
			await (await statistics.built())?.close();
			unsubscribe();
			chat.close();
			players.close();
			(await history.built())?.close();
		}
	};
}

/** By the game's own list; null when it gives none that can be read. */
async function askWhoPlays({ rcon }: Pick<Game, 'rcon'>): Promise<ListedPlayer[] | null> {
	try {
		const answer = await rcon.command('list uuids', { repeatable: true });
		return parseList(answer)?.players ?? null;
	} catch (cause) {
		if (cause instanceof AppError) return null;
		throw cause;
	}
}
