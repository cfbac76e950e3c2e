import type { LogEntry } from '#schemas/log';
import { isTrouble } from '#schemas/plain/trouble';
import { isDeath } from './death-messages.ts';
import { gameLine, lines, said, type GameLine, type Lost } from './lines.ts';
import { isPlainName, type Presence } from './presence.ts';
import type { GamePlayer } from './roster.ts';
import { plainText } from '#minecraft/text';
import { waypoint } from './checkpoint.ts';

export type GameEventKind =
	| 'chat'
	| 'say'
	| 'me'
	| 'join'
	| 'leave'
	| 'failed-login'
	| 'death'
	| 'advancement'
	| 'start'
	| 'ready'
	| 'stop'
	| 'crash'
	| 'lag';
export type Recognised = { kind: GameEventKind; player: GamePlayer | null; text: string };

/** Even a flood of events must fit into what a slow reader of the live stream may leave waiting. */
const TEXT_MAX = 300;

const START = /^Starting minecraft server version (.{1,80})$/;
const READY = /^Done \([\d.,]{1,15}s\)! For help/;
const LAG = /^Can't keep up! .{0,80}overloaded\? Running \d/;
const CRASH =
	/^(?:Encountered an unexpected exception|This crash report has been saved to: |Considering it to be crashed, |Failed to (?:start the minecraft server|initialize server))/;

/** Says what happened in an entry, and keeps track of who is present. Call it with every entry, in order. */
export function createRecogniser(presence: Presence) {
	/** Reported once per run of the server, however often the log repeats it. */
	let told = { stop: false, crash: false };

	const event = (kind: GameEventKind, player: GamePlayer | null, text: string): Recognised => ({
		...{ kind, text: plainText(text, TEXT_MAX) },
		player: player && { name: player.name, uuid: player.uuid, display: player.display }
	});

	function ofServer({ text }: GameLine, level: LogEntry['level']): Recognised | null {
		if (level === 'WARN') return LAG.test(text) ? event('lag', null, text) : null;
		if (isTrouble(level)) {
			if (told.crash || !CRASH.test(text)) return null;
			told.crash = true;
			return event('crash', null, text);
		}
		if (level !== 'INFO') return null;
		const version = START.exec(text)?.[1];
		if (version !== undefined) {
			presence.clear();
			told = { stop: false, crash: false };
			return event('start', null, version);
		}
		if (READY.test(text)) return event('ready', null, text);
		if (text !== 'Stopping server' || told.stop) return null;
		told.stop = true;
		return event('stop', null, text);
	}

	function ofSpeech(line: GameLine): Recognised | null {
		const words = said(line, (name) => presence.roster.exact(name) !== null);
		if (!words) return null;
		return event(words.kind, presence.identify(words.display), waypoint(words.text) ?? words.text);
	}

	function ofPlayers({ text, system }: GameLine, at: string | null): Recognised | null {
		const { exact, loose, leading } = presence.roster;
		// This comes first: a mob's name, given with an anvil, can end in any words of the game.
		const named = leading(text, system ? 'loose' : 'exact');
		if (named && isDeath(named.rest))
			return named.player.fake
				? null
				: event('death', { ...named.player, display: named.name }, named.rest);
		const login = lines.login(text);
		if (login) return (presence.login(login.name, at, login.fake), null);
		const joined = lines.joined(text);
		if (joined !== null) return tell('join', presence.join(joined, at), 'joined the game');
		const left = lines.left(text);
		if (left !== null) return tell('leave', presence.leave(left), 'left the game');
		const lost = lines.lost(text);
		if (lost) return ofLost(lost);
		const advanced = lines.advanced(text);
		if (!advanced) return null;
		const { display, what } = advanced;
		const known = exact(display) ?? (system ? loose(display) : null);
		if (!known && !isPlainName(display)) return null;
		return event('advancement', { ...presence.identify(display), display }, what);
	}

	function ofLost({ refused, name, reason }: Lost): Recognised | null {
		if (!refused && name !== null) presence.lose(name);
		if (!refused || name === null || !presence.canBe(name)) return null;
		return event('failed-login', presence.identify(name), reason);
	}

	const tell = (kind: 'join' | 'leave', player: GamePlayer | null, text: string) =>
		player && event(kind, player, text);

	return (entry: LogEntry): Recognised | null => {
		const line = gameLine(entry);
		if (!line) return null;
		presence.tick();
		if (line.source === 'authenticator') {
			const admitted = entry.level === 'INFO' && lines.admitted(line.text);
			if (admitted) presence.admit(admitted.name, admitted.uuid);
			return null;
		}
		if (entry.level === 'INFO') {
			const speech = ofSpeech(line);
			if (speech || line.notSecure || line.source === 'chat') return speech;
		}
		const found = ofServer(line, entry.level);
		if (found || entry.level !== 'INFO') return found;
		return ofPlayers(line, entry.at);
	};
}
