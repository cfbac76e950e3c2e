import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createManualClock } from './manual-clock.ts';
import type { ChatMessage } from '#schemas/chat';
import { systemClock } from '#core/clock';
import { createFollower } from '#minecraft/follow';
import { createGameLog } from '#minecraft/game-log';
import { recentLines } from '#core/files';
import { createChat, type Chat } from '#services/chat';

type Deps = Parameters<typeof createChat>[0];

/** The files of the current test, in test files that call `filesForEach`. */
export let dir: string;
export let logFile: string;
export let sentFile: string;
/** Closes what the test has opened, last first. */
export const cleanups: (() => unknown)[] = [];

/** Prepares fresh files for each test of the calling file. */
export function filesForEach() {
	beforeEach(() => {
		dir = mkdtempSync(path.join(tmpdir(), 'craftwarden-chat-'));
		logFile = path.join(dir, 'latest.log');
		sentFile = path.join(dir, 'chat-sent.jsonl');
	});
	afterEach(async () => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
		rmSync(dir, { recursive: true, force: true });
	});
}

/** A line of the server thread, with its date as on Forge: what is read does not depend on today. */
export const line = (time: string, message: string) =>
	`[02Jan2026 ${time}] [Server thread/INFO] [net.minecraft.server.MinecraftServer/]: ${message}\n`;

export const write = (...lines: string[]) => appendFileSync(logFile, lines.join(''));

export const texts = (messages: ChatMessage[]) =>
	messages.map(({ player, text }) => `${player}: ${text}`);

export function setup(over: Partial<Deps> = {}) {
	const clock = createManualClock('2026-01-02T03:04:05.000Z');
	const follower = createFollower({ file: logFile, pollMs: 2, clock: systemClock });
	const commands: string[] = [];
	const audited: unknown[] = [];
	const errors: string[] = [];
	const world = {
		answer: async (_: string) => '',
		stopped: false,
		followers: 0,
		reads: 0
	};
	const chat = createChat({
		follow: {
			subscribe(listener) {
				world.followers++;
				const off = follower.subscribe(listener);
				return () => {
					world.followers--;
					off();
				};
			}
		},
		tail: () => (world.reads++, recentLines(logFile)),
		gameLog: createGameLog,
		rcon: { command: (command) => (commands.push(command), world.answer(command)) },
		isStopped: async () => world.stopped,
		sentFile,
		record: async (by, action, facts) =>
			void audited.push([by.name, action, facts?.result ?? 'done', facts?.detail]),
		bedrockPrefix: '.',
		log: { error: (message) => errors.push(message) },
		clock,
		...over
	});
	cleanups.push(
		() => chat.close(),
		() => follower.close()
	);
	return { chat, clock, world, commands, audited, errors };
}

export function listen(chat: Chat) {
	const batches: ChatMessage[][] = [];
	const off = chat.subscribe((messages) => batches.push(messages));
	return { batches, off, heard: () => texts(batches.flat()) };
}
