import { createHash } from 'node:crypto';
import type { LogEntry } from '#schemas/log';
import { createLru } from '#core/lru';
import { createRecogniser, type GameEventKind } from './events.ts';
import { createEntryReader } from '#minecraft/log-format';
import { presentBefore } from './present-before.ts';
import { createPresence } from './presence.ts';
import type { GamePlayer, PlayerOnline } from './roster.ts';

export { fileDateOf } from '#minecraft/log-format';
export { CONTINUATION_MAX } from '#minecraft/log-format';
export type { GamePlayer, PlayerOnline } from './roster.ts';
export type { GameEventKind } from './events.ts';

export type GameEvent = {
	/** The same whenever the same line is read again, wherever reading begins. */
	id: string;
	/** Null when neither the line nor the file says when. */
	at: string | null;
	kind: GameEventKind;
	/** Null for what the server itself does; `Server` and `Rcon` say things too. */
	player: GamePlayer | null;
	/**
	 * What was said, or what follows the name: `was slain by Zombie`; the version for `start`, the reason for
	 * `failed-login`.
	 */
	text: string;
};

/**
 * Interprets the game's log, line by line in the order of the file, in the forms of all loaders and versions. Only
 * the game's own lines become events: what players write, in chat or elsewhere, only ever counts as something said.
 */
export interface GameLog {
	/**
	 * The next lines. `fileDate` says when the last of them was written (with most loaders the lines do not name the
	 * day). `continued` are lines that belong to the last entry of the previous call.
	 */
	feed(
		lines: string[],
		facts: { fileDate: Date | null }
	): { entries: LogEntry[]; continued: string[]; events: GameEvent[] };
	/** Who has joined and not left; nobody once the server stops. */
	online(): PlayerOnline[];
}

/** How many lines are remembered to number identical ones, such as a player's "hi" twice in one second. */
const TWINS_MAX = 1000;

export function createGameLog(): GameLog {
	const reader = createEntryReader();
	const presence = createPresence();
	const recognise = createRecogniser(presence);
	const twins = createLru<string, number>(TWINS_MAX);
	let begun = false;
	let stopped = false;

	const idOf = ({ at, thread, message }: LogEntry) => {
		const hash = createHash('sha1').update(`${at}\n${thread}\n${message}`).digest('base64url');
		const key = hash.slice(0, 16);
		const count = (twins.get(key) ?? 0) + 1;
		twins.set(key, count);
		return count === 1 ? key : `${key}.${count}`;
	};

	return {
		feed(lines, { fileDate }) {
			const { entries, continued } = reader.read(lines, fileDate);
			if (!begun)
				for (const [display, name] of presentBefore(entries)) presence.assume(name, display);
			begun ||= entries.length > 0;
			const events: GameEvent[] = [];
			for (const entry of entries) {
				const event = recognise(entry);
				if (!event) continue;
				if (event.kind === 'start' || event.kind === 'stop') stopped = event.kind === 'stop';
				events.push({ id: idOf(entry), at: entry.at, ...event });
			}
			return { entries, continued, events };
		},
		online: () =>
			stopped
				? []
				: presence.roster
						.all()
						.map(({ name, uuid, display, since }) => ({ name, uuid, display, since }))
	};
}
