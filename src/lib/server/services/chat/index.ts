import { randomUUID } from 'node:crypto';
import type { ChatMessage, ChatSend } from '#schemas/chat';
import { isPlayerName, NOT_A_NAME } from '#schemas/plain/player-name';
import { DASHBOARD, type Actor, type RecordAction } from '#core/actor';
import { createBus } from '#core/bus';
import { AppError, invalid } from '#core/errors';
import { createOutage } from '#core/log';
import type { GameEvent } from '#minecraft/game-log';
import type { Rcon } from '#minecraft/rcon';
import { createHistory } from './history.ts';
import { messagesOf } from './messages.ts';
import { createReader, type ReaderDeps } from './reader.ts';
import { cleanMessage, sayCommand, senderOf, tell } from './say.ts';
import { createSentFile } from './sent.ts';

export { createChatView } from './view.ts';

/** Since when each player has been online, according to the log; those who joined before it begins are missing. */
export type Session = { name: string; uuid: string | null; since: string };

export interface Chat {
	/** The last messages, oldest first, as far as they have been read. At most 500 are known. */
	recent(count: number): ChatMessage[];
	/**
	 * What is said from now on, in batches, and at first what was said before. The log is read while somebody is
	 * subscribed. Returns the function that unsubscribes.
	 */
	subscribe(listener: (messages: ChatMessage[]) => void): () => void;
	/** The last messages, oldest first, after reading the log. Never rejects. */
	list(limit: number): Promise<ChatMessage[]>;
	/**
	 * Speaks in the game, as the role, to everybody or to one player. AppError `invalid`, `conflict` (that player is not
	 * online), `offline` (nothing was sent), `upstream` (the server refused),
	 * `timeout` with code `outcome-unknown` (people may have seen it, but it is not kept as sent).
	 */
	say(message: ChatSend, by: Actor): Promise<ChatMessage>;
	/** Keeps what the dashboard itself has told the players. */
	announced(text: string): Promise<void>;
	/** Who has been playing since when, as far as the log has been read; empty while it is not being read. */
	sessions(): Session[];
	close(): void;
}

type Deps = ReaderDeps & {
	rcon: Pick<Rcon, 'command'>;
	isStopped: () => Promise<boolean>;
	/** DATA_DIR/chat-sent.jsonl: the game does not log what is sent to it. */
	sentFile: string;
	record: RecordAction;
	bedrockPrefix: string | null;
};

export function createChat(deps: Deps): Chat {
	const { clock, log, record, rcon } = deps;
	const history = createHistory();
	const sentFile = createSentFile(deps.sentFile);
	const bus = createBus<ChatMessage[]>();
	const outage = createOutage({
		begins: (facts) => log.error('A sent message could not be kept', facts),
		ends: () => {}
	});

	const publish = (messages: ChatMessage[]) => {
		if (messages.length) bus.publish(messages);
	};
	const heard = (events: GameEvent[]) => messagesOf(events, clock.now());
	const reader = createReader(deps, {
		onTail: (events) => publish(history.renew(heard(events))),
		onNew: (events) => publish(history.add(heard(events)))
	});

	let loading: Promise<void> | null = null;
	/** Only once. What cannot be read is tried again the next time. */
	const loadSent = () =>
		(loading ??= sentFile.read().then(
			(messages) => void history.addSent(...messages),
			(cause) => {
				loading = null;
				log.error('Messages sent into the game earlier could not be read', { cause });
			}
		));

	async function send(text: string, by: Actor, to?: string): Promise<{ heard: boolean }> {
		try {
			if (to !== undefined && !isPlayerName(to, deps.bedrockPrefix))
				throw invalid([{ path: 'to', message: NOT_A_NAME }]);
			const command = sayCommand(senderOf(by), text, to);
			if (await deps.isStopped())
				throw new AppError(
					'offline',
					'The server is not running, so nobody is there to read it. Nothing was sent: start the server first.',
					{ code: 'server-stopped' }
				);
			const told = await tell(rcon, command);
			if (to === undefined || told.heard) return told;
			throw new AppError('conflict', `${to} is not online, so nobody has read it.`);
		} catch (error) {
			if (error instanceof AppError)
				await record(by, 'chat.say', {
					...{ result: 'failed', detail: `${text}: ${error.message}` },
					...(to !== undefined && { subject: to })
				});
			throw error;
		}
	}

	/** The game has accepted it. */
	async function keep(text: string, by: Actor, to?: string): Promise<ChatMessage> {
		const at = clock.now().toISOString();
		const sent: ChatMessage = {
			...{ id: randomUUID(), at, kind: 'say', player: senderOf(by), text },
			...(to !== undefined && { to })
		};
		await loadSent();
		publish(history.addSent(sent));
		await sentFile.append(sent).then(outage.worked, outage.failed);
		return sent;
	}

	return {
		recent: (count) => history.last(count),
		subscribe(listener) {
			const off = bus.subscribe(listener);
			const release = reader.hold();
			void loadSent();
			return () => {
				off();
				release();
			};
		},
		async list(limit) {
			await Promise.all([reader.ask(), loadSent()]);
			return history.last(limit);
		},
		async say({ message, to }, by) {
			const text = cleanMessage(message);
			const { heard } = await send(text, by, to);
			const [sent] = await Promise.all([
				keep(text, by, to),
				record(by, 'chat.say', {
					detail: heard ? text : `${text} (nobody was online)`,
					...(to !== undefined && { subject: to })
				})
			]);
			return sent;
		},
		announced: async (text) => void (await keep(text, DASHBOARD)),
		sessions: () =>
			reader
				.online()
				.flatMap(({ name, uuid, since }) => (since === null ? [] : [{ name, uuid, since }])),
		close: () => reader.close()
	};
}
