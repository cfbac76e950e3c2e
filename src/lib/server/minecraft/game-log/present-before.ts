import type { LogEntry } from '#schemas/log';
import { gameLine, lines } from './lines.ts';
import { isPlainName } from './presence.ts';

/** A leave follows the loss of the connection within this many entries. */
const NEAR = 50;
const CHAT = /^<(.{1,100}?)> /;
/** The game names only players in the world in these: when it corrects them, or reports their commands. */
const ACTS =
	/^\[(.{1,40}?): .*\]$|^(?:.{1,60} \(vehicle of )?([^\s)]{1,40})\)? moved (?:too quickly|wrongly)!/;

/**
 * Who was online when the log, or the part of it that is read, begins: players who are mentioned, or leave, without
 * having joined. Log files start anew at midnight, even while people play. Display name to profile name.
 */
export function presentBefore(entries: LogEntry[]): Map<string, string> {
	const present = new Map<string, string>();
	const came = new Set<string>();
	let lost: { name: string; at: number } | null = null;
	const note = (display: string, name = display) => {
		if (!came.has(display) && !came.has(name)) present.set(display, name);
	};
	for (const [at, entry] of entries.entries()) {
		const line = gameLine(entry);
		if (!line) continue;
		const { text } = line;
		const [, commander, mover] = ACTS.exec(text) ?? [];
		const actor = commander ?? mover;
		if (actor && actor !== 'Rcon' && isPlainName(actor)) note(actor);
		if (entry.level !== 'INFO') continue;
		if (text.startsWith('Starting minecraft server version ')) break;
		const chat = CHAT.exec(text)?.[1];
		if (chat !== undefined) note(chat);
		if (chat !== undefined || line.notSecure || line.source === 'chat') continue;
		const admitted = line.source === 'authenticator' ? lines.admitted(text) : null;
		const entered = admitted?.name ?? lines.login(text)?.name ?? lines.joined(text);
		if (entered) came.add(entered);
		const loss = lines.lost(text);
		if (loss?.name && !loss.refused && isPlainName(loss.name)) lost = { name: loss.name, at };
		const advanced = lines.advanced(text)?.display;
		if (advanced && isPlainName(advanced)) note(advanced);
		const left = lines.left(text);
		if (left === null) continue;
		const name: string | null = lost && at - lost.at <= NEAR ? lost.name : null;
		lost = null;
		if (name !== null || isPlainName(left)) note(left, name ?? left);
		came.add(left).add(name ?? left);
	}
	return present;
}
