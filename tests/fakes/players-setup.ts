import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { OnlinePlayer } from '#schemas/live';
import type { Operation } from '#schemas/operation';
import type { PlayerAction, PlayerSession } from '#schemas/player';
import type { ServerState } from '#schemas/status';
import type { Actor } from '#core/actor';
import { systemClock, type Clock } from '#core/clock';
import { createLock } from '#core/lock';
import { createPlayerLists } from '#minecraft/lists';
import { playerCommands } from '#minecraft/commands';
import { createRcon } from '../../src/lib/server/minecraft/rcon/rcon.ts';
import type { RconAddress } from '../../src/lib/server/minecraft/rcon/link.ts';
import { editServerProperties, readServerProperties } from '#minecraft/folder';
import { createPlayers } from '#services/players';
import { startFakeRcon, type FakeRconScript } from './game/rcon.ts';
import { vanillaLists, type VanillaLists } from './game/vanilla-lists.ts';

export const ada: Actor = { name: 'ada', role: 'superadmin', address: '127.0.0.1' };
export const ben: Actor = { name: 'ben', role: 'admin', address: '127.0.0.2' };

type AuditLine = {
	by: string;
	action: string;
	subject: string | null;
	result: string;
	detail: string | null;
};

/** What the services around the players answer; a test may change it at any time. */
export type World = {
	state: ServerState;
	online: OnlinePlayer[];
	/** By the log. */
	joined: { name: string; since: string }[];
	lastSeen: Map<string, string>;
	sessions: PlayerSession[];
	/** When the log ends. */
	lastAt: string | null;
	operation: Operation | null;
	/** Whether something answers, whatever the process table says. */
	answers: boolean;
	changes: number;
	/** What the audit log knows of a ban. */
	whoBanned: (player: string, at: string) => string | null;
	/** Whether somebody plays, and their last leave in the log; null where the game does not say. */
	whereabouts: (player: string) => { online: boolean | null; lastLeave: string | null };
};

export const json = (value: unknown) => JSON.stringify(value, null, 2);

/** A server's folder for a test. */
export async function serverDir(files: Record<string, string> = {}) {
	const dir = await mkdtemp(path.join(tmpdir(), 'players-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
	return dir;
}

/** The players service of one process, over the folder and the console of a game. */
export async function openPlayers(
	dir: string,
	address: RconAddress,
	{ world: given = {}, clock = systemClock }: { world?: Partial<World>; clock?: Clock } = {}
) {
	const data = await mkdtemp(path.join(tmpdir(), 'players-data-'));
	onTestFinished(() => rm(data, { recursive: true, force: true }));
	return openPlayersIn(data, dir, address, { world: given, clock });
}

/** The same, in a data directory that several processes share. */
export function openPlayersIn(
	data: string,
	dir: string,
	address: RconAddress,
	{ world: given = {}, clock = systemClock }: { world?: Partial<World>; clock?: Clock } = {}
) {
	const world: World = {
		state: 'running',
		online: [],
		joined: [],
		lastSeen: new Map(),
		sessions: [],
		lastAt: null,
		operation: null,
		answers: false,
		changes: 0,
		whoBanned: () => null,
		whereabouts: () => ({ online: null, lastLeave: null }),
		...given
	};
	const audit: AuditLine[] = [];
	const lockFile = (name: string) => path.join(data, name);
	const lock = createLock(lockFile('operation.lock'), systemClock);
	const rcon = createRcon({
		address: async () => address,
		lock: createLock(lockFile('rcon.lock'), systemClock),
		clock: systemClock
	});
	const players = createPlayers({
		lists: createPlayerLists({ dir, clock }),
		commands: playerCommands,
		properties: () => readServerProperties(dir, systemClock),
		editProperties: (changes) => editServerProperties(dir, changes),
		bedrockPrefix: '.',
		rcon,
		state: async () => world.state,
		answers: async () => world.answers,
		operation: () => world.operation,
		lock,
		online: () => world.online,
		joined: () => world.joined,
		whereabouts: async (player) => world.whereabouts(player),
		lastSeen: async () => world.lastSeen,
		history: async () => ({ sessions: world.sessions, lastAt: world.lastAt, complete: true }),
		audit: async (by, action, { subject = null, result = 'done', detail = null } = {}) =>
			void audit.push({ by: by.name, action, subject, result, detail }),
		whoBanned: async (player, at) => world.whoBanned(player, at),
		changed: () => void world.changes++,
		clock
	});
	onTestFinished(() => {
		rcon.close();
		players.close();
	});
	return {
		players,
		world,
		audit,
		act: (action: PlayerAction['action'], player?: string, reason?: string, by = ada) =>
			players.act({ action, player, reason }, by)
	};
}

/** A players service beside a fake game that keeps its lists as vanilla does. */
export async function setupPlayers({
	files = {},
	game: manner = {},
	script = {},
	...options
}: {
	files?: Record<string, string>;
	game?: Partial<VanillaLists>;
	script?: FakeRconScript;
	world?: Partial<World>;
	clock?: Clock;
} = {}) {
	const dir = await serverDir({ 'server.properties': 'online-mode=false\n', ...files });
	const game = vanillaLists(dir, manner);
	const rcon = await startFakeRcon({ answer: (line) => game.answer(line), ...script });
	onTestFinished(() => rcon.close());
	return {
		...(await openPlayers(dir, rcon.address, {
			...options,
			world: {
				whereabouts: (player) => ({ online: game.online.has(player), lastLeave: null }),
				...options.world
			}
		})),
		dir,
		game,
		rcon,
		text: (name: string) => readFile(path.join(dir, name), 'utf8'),
		entries: async (name: string) =>
			JSON.parse(await readFile(path.join(dir, name), 'utf8')) as Record<string, unknown>[]
	};
}

/** A clock on which waiting takes no time, for checks that would wait two seconds in vain. */
export function hastyClock(): Clock {
	let passedMs = 0;
	return {
		now: () => new Date(Date.parse('2026-01-02T03:04:05.000Z') + passedMs),
		monotonicMs: () => passedMs,
		sleep: (ms) => {
			passedMs += ms;
			return new Promise((resolve) => setImmediate(resolve));
		}
	};
}
