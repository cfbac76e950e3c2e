import type { LogEntry } from '#schemas/log';
import { stripCodes } from '#minecraft/text';

/** Longer lines hold nothing that the game itself says about a player. */
const LINE_MAX_CHARS = 4000;
/** Loggers of the game itself, in all forms found in log files. All others belong to mods. */
const GAME_LOGGER = /^(?:net\.)?minecraft(?:[./]|$)|\b(?:Minecraft|Dedicated)Server\/?$/i;
/** What these log is never about players in the world. */
const OTHER_THREAD =
	/^(?:RCON |Netty |Worker-|IO-Worker|Server console handler|ForkJoinPool|Query )/;
const AUTHENTICATOR = /^User Authenticator /;
const CHAT_THREAD = /^Async Chat Thread/;

/** Where a line comes from decides what it can be. Plugins' chat formats can look like anything. */
export type Source = 'authenticator' | 'chat' | 'game';

export type GameLine = {
	source: Source;
	/** Without formatting codes, on one line. */
	text: string;
	/** Has a label or a logger that no plugin has: the game itself says it, not a player. */
	system: boolean;
	/** The game's own mark for what a player says, or a command says in their name. */
	notSecure: boolean;
};

/** What the game itself says in an entry; null for what others say. */
export function gameLine({ thread, logger, message }: LogEntry): GameLine | null {
	if (logger !== null && !GAME_LOGGER.test(logger)) return null;
	if (message.length > LINE_MAX_CHARS || (thread && OTHER_THREAD.test(thread))) return null;
	const text = plain(message);
	const notSecure = text.startsWith(NOT_SECURE);
	// 26.3 and later
	const labelled = text.startsWith(SYSTEM_CHAT);
	return {
		source:
			thread && AUTHENTICATOR.test(thread)
				? 'authenticator'
				: thread && CHAT_THREAD.test(thread)
					? 'chat'
					: 'game',
		text: notSecure
			? text.slice(NOT_SECURE.length)
			: labelled
				? text.slice(SYSTEM_CHAT.length)
				: text,
		system: labelled || logger !== null,
		notSecure
	};
}

const NOT_SECURE = '[Not Secure] ';
const SYSTEM_CHAT = 'System chat: ';

/** Only visible ASCII stays as it is. */
const plain = (message: string) =>
	/[^ -~]/.test(message) ? stripCodes(message).replace(/\n/g, ' ') : message;

export type Said = { kind: 'chat' | 'say' | 'me'; display: string; text: string };

const NAME = '[^\\n]{1,100}?';
const CHAT = new RegExp(`^<(${NAME})>(?: (.*))?$`, 's');
/** Old CraftBukkit: `[world_nether]<Ana> hi`. */
const WORLD = /^\[[^\]\s]{1,60}\](?=<)/;
const SPEAKERS = new Set(['Server', 'Rcon', '@']);

/**
 * What somebody says. `<Ana> hi` is always chat. `[Ana] hi` and `* Ana waves` count only where the game marks them,
 * or when the speaker is `known`: plugins and mods begin their lines like this too.
 */
export function said(line: GameLine, known: (name: string) => boolean): Said | null {
	const { notSecure } = line;
	const text = line.text.replace(WORLD, '');
	if (text.startsWith('<')) return chat(text, known);
	const speaks = (name: string) => SPEAKERS.has(name) || known(name);
	if (text.startsWith('[')) {
		const end = endOf(text, '] ', 1, speaks) ?? (notSecure ? closing(text) : null);
		return end === null
			? null
			: { kind: 'say', display: text.slice(1, end), text: text.slice(end + 2) };
	}
	if (!text.startsWith('* ')) return null;
	const end = endOf(text, ' ', 2, speaks) ?? (notSecure ? text.indexOf(' ', 2) : null);
	if (end === null || end < 0) return null;
	return { kind: 'me', display: text.slice(2, end), text: text.slice(end + 1) };
}

function chat(text: string, known: (name: string) => boolean): Said | null {
	const end = endOf(text, '> ', 1, known);
	if (end !== null) return { kind: 'chat', display: text.slice(1, end), text: text.slice(end + 2) };
	const [, display, words = ''] = CHAT.exec(text) ?? [];
	return display === undefined ? null : { kind: 'chat', display, text: words };
}

/** Where the longest known name ends. */
function endOf(text: string, mark: string, from: number, known: (name: string) => boolean) {
	const limit = from + 100;
	for (let at = text.lastIndexOf(mark, limit); at > from; at = text.lastIndexOf(mark, at - 1))
		if (known(text.slice(from, at))) return at;
	return null;
}

/** Of the bracket with which the text begins: names may contain brackets themselves. */
function closing(text: string): number | null {
	let depth = 0;
	for (let at = 0; at < Math.min(text.length, 100); at++) {
		if (text[at] === '[') depth++;
		if (text[at] !== ']' || --depth > 0) continue;
		return at > 1 && text[at + 1] === ' ' ? at : null;
	}
	return null;
}

const LOGIN =
	/^(.{1,64}?)\[(?:\/[^\s]{1,100}|IP hidden|(local))\] logged in with entity id -?\d{1,10} at \(/;
const ADMITTED =
	/^UUID of player (.{1,64}) is ([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
const JOINED = /^(.{1,100}?)(?: \(formerly known as .{1,64}\))? joined the game$/;
const LEFT = /^(.{1,100}) left the game$/;
const LOST = /^(.{1,300}?) lost connection: (.*)$/;
/** Followed by an address, the name never got into the world. */
const REFUSED = /^(.{1,280}) \((?:\/[^)]{1,100}|IP hidden)\)$/;
const PROFILE = /^com\.mojang\.authlib\.GameProfile@.{0,60}\bname=([^,\]]{1,64})/;
const ADVANCED =
	/^(.{1,100}?) (has (?:made the advancement|reached the goal|completed the challenge|just earned the achievement) \[.{1,200}\])$/;

/** `refused`: they never got in; `name` is null when it was not given. */
export type Lost = { refused: boolean; name: string | null; reason: string };

export const lines = {
	login(text: string) {
		const [, name, local] = text.includes(' logged in with ') ? (LOGIN.exec(text) ?? []) : [];
		return name === undefined ? null : { name, fake: local !== undefined };
	},
	admitted(text: string) {
		const [, name, uuid] = ADMITTED.exec(text) ?? [];
		return name === undefined || uuid === undefined ? null : { name, uuid };
	},
	joined: (text: string) =>
		text.endsWith(' joined the game') ? (JOINED.exec(text)?.[1] ?? null) : null,
	left: (text: string) => (text.endsWith(' left the game') ? (LEFT.exec(text)?.[1] ?? null) : null),
	lost(text: string): Lost | null {
		const [, head, reason = ''] = text.includes(' lost connection: ')
			? (LOST.exec(text) ?? [])
			: [];
		if (head === undefined) return null;
		if (head.startsWith('/')) return { refused: true, name: null, reason };
		const name = REFUSED.exec(head)?.[1];
		if (name === undefined) return { refused: false, name: head, reason };
		return { refused: true, name: PROFILE.exec(name)?.[1] ?? name, reason };
	},
	advanced(text: string) {
		const [, display, what] = text.includes(' has ') ? (ADVANCED.exec(text) ?? []) : [];
		return display === undefined || what === undefined ? null : { display, what };
	}
};
