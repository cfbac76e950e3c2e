import type { Ban, PlayerDetail, Players, PlayerVerb } from '$lib/schemas/player';
import type { Status } from '$lib/schemas/status';
import { shownName } from '$lib/game/labels';
import { hasWords } from '$lib/schemas/plain/words/has-words';
import { byName } from '$lib/ui/format/format';
import { ASKED, type Asked, type PlayerOrder, type Tab } from '$lib/schemas/plain/player-views';

/** Everything the lists tell about one player. */
export type Person = {
	/** Null where no name is known: then there is an id. */
	name: string | null;
	/** Null where the server has not told it. */
	uuid: string | null;
	online: boolean;
	/** Since when online. */
	since: string | null;
	lastSeenAt: string | null;
	/** When they joined, where the log tells of no leave since; null otherwise. */
	joinedAt: string | null;
	/** Its level. */
	op: number | null;
	whitelisted: boolean;
	ban: Omit<Ban, 'name' | 'uuid'> | null;
	/** When they were seen to be gone, in ms, of somebody who has just left. */
	leftAt?: number;
};

const FITS: Record<Tab, (person: Person) => boolean> = {
	online: ({ online, leftAt }) => online || leftAt !== undefined,
	ops: ({ op }) => op !== null,
	whitelist: ({ whitelisted }) => whitelisted,
	bans: ({ ban }) => ban !== null,
	everyone: () => true
};

/** Everybody on any list, once: matched by id, or by name where there is no id. */
export function peopleOf(players: Players): Person[] {
	const all: Person[] = [];
	const byKey = new Map<string, Person>();
	const person = (given: string | null, uuid: string | null): Person => {
		const name = given === uuid ? null : given;
		const keys = [uuid, name && `n ${name.toLowerCase()}`].filter(
			(key) => key !== null && key !== ''
		);
		const found = keys.map((key) => byKey.get(key!)).find((one) => one);
		const one = found && (!uuid || !found.uuid || found.uuid === uuid) ? found : null;
		const mine = one ?? newcomer(name);
		mine.uuid ??= uuid || null;
		mine.name ??= name;
		if (!one) all.push(mine);
		for (const key of keys) if (!byKey.has(key!)) byKey.set(key!, mine);
		return mine;
	};
	for (const { name, uuid, lastSeenAt, joinedAt = null } of players.known)
		Object.assign(person(name, uuid), { lastSeenAt, joinedAt });
	for (const { name, uuid, level } of players.ops) person(name, uuid).op = level;
	for (const { name, uuid } of players.whitelist.players) person(name, uuid).whitelisted = true;
	for (const { name, uuid, ...ban } of players.bans) person(name, uuid).ban = ban;
	for (const { name, uuid, since } of players.online)
		Object.assign(person(name, uuid), { online: true, since });
	return all;
}

const newcomer = (name: string | null): Person => ({
	name,
	...{ uuid: null, online: false, since: null, lastSeenAt: null, joinedAt: null },
	...{ op: null, whitelisted: false, ban: null }
});

export const onTab = (people: Person[], tab: Tab) => people.filter(FITS[tab]);

/** Every word is a part of the name, or the id begins so. */
export function matching(people: Person[], search: string): Person[] {
	const wanted = search.trim().toLowerCase();
	return people.filter(({ name, uuid }) => hasWords([name], wanted) || !!uuid?.startsWith(wanted));
}

/** More are found by typing. */
const OFFERED_MAX = 20;
const ADDS_TO = { op: 'ops', 'whitelist-add': 'whitelist', ban: 'bans' } as const;
export type Adding = keyof typeof ADDS_TO;
/** The names that fit what has been typed, of those who are not on that list. */
export const offered = (people: Person[], verb: Adding, typed: string): string[] =>
	people
		.filter((person) => !FITS[ADDS_TO[verb]](person))
		.flatMap((person) => nameToUse(person) ?? [])
		.filter((name) => name.toLowerCase().includes(typed.trim().toLowerCase()))
		.slice(0, OFFERED_MAX);

type Compare = (a: Person, b: Person) => number;
const lastSeen = ({ lastSeenAt }: Person) => (lastSeenAt ? Date.parse(lastSeenAt) : 0);
const since = ({ since }: Person) => (since ? Date.parse(since) : Infinity);
const onlineFirst: Compare = (a, b) => Number(b.online) - Number(a.online);
const namedFirst: Compare = (a, b) => Number(a.name === null) - Number(b.name === null);
const byTheirNames: Compare = (a, b) => byName(shownName(a), shownName(b));
const lastSeenFirst: Compare = (a, b) => lastSeen(b) - lastSeen(a);
const longestFirst: Compare = (a, b) => (since(a) === since(b) ? 0 : since(a) - since(b));

/** What decides first, and what between those that are alike in it; of some only an id is known. */
const ORDERS: Record<PlayerOrder, Compare[]> = {
	seen: [onlineFirst, namedFirst, lastSeenFirst, byTheirNames],
	name: [namedFirst, byTheirNames],
	longest: [onlineFirst, longestFirst, namedFirst, lastSeenFirst, byTheirNames]
};
export const orderLabel = (order: PlayerOrder, tab: Tab) =>
	({
		seen: tab === 'online' ? 'Joined last' : 'Last seen',
		name: 'Name',
		longest: 'Playing longest'
	})[order];

export const inOrder = (people: Person[], order: PlayerOrder = 'seen') =>
	people.toSorted((a, b) => ORDERS[order].reduce((sum, compare) => sum || compare(a, b), 0));

/** What the game writes for its own console, for whatever comes over RCON, and the dashboard while the game is stopped. */
const SOURCES: Record<string, string> = {
	Server: 'from the console',
	Rcon: 'from the dashboard or over RCON',
	Craftwarden: 'from the dashboard'
};

/** As much of it as is known; null when nothing is. */
export function bannedBy({ by, source }: { by?: string | undefined; source: string | null }) {
	if (by !== undefined) return `by ${by}, from the dashboard`;
	if (source === null) return null;
	return Object.hasOwn(SOURCES, source) ? SOURCES[source]! : `by ${source}`;
}

/** What the game writes itself where none was given; who it was stands beside it. */
const UNGIVEN = 'Banned by an operator.';
export const reasonOf = ({ reason }: Pick<Ban, 'reason'>) =>
	reason === null || reason === UNGIVEN ? 'No reason given' : reason;

/** The name for the game's commands; null where there is none, because commands do not take an id. */
export const nameToUse = ({ name, uuid }: Pick<Person, 'name' | 'uuid'>): string | null =>
	name !== null && name !== uuid && name.length <= 16 ? name : null;

export type PlayerAction = {
	/** The form action's name. */
	action: string;
	word: string;
	superadmin?: true;
};
export const ACTIONS: Record<PlayerVerb, PlayerAction> = {
	op: { action: 'op', word: 'Op', superadmin: true },
	deop: { action: 'deop', word: 'Deop', superadmin: true },
	'whitelist-add': { action: 'whitelistAdd', word: 'Add to whitelist' },
	'whitelist-remove': { action: 'whitelistRemove', word: 'Remove from whitelist' },
	'whitelist-on': { action: 'whitelistOn', word: 'Turn on' },
	'whitelist-off': { action: 'whitelistOff', word: 'Turn off' },
	ban: { action: 'ban', word: 'Ban' },
	pardon: { action: 'pardon', word: 'Pardon' },
	kick: { action: 'kick', word: 'Kick' }
};
export const OP_REFUSAL = 'Only a superadmin can op or deop a player.';

export const isAsked = (verb: PlayerVerb): verb is Asked => ASKED.some((one) => one === verb);
export const takesReason = (verb: PlayerVerb) => verb === 'ban' || verb === 'kick';

export const questionOf = (verb: Asked, player: string) => `${ACTIONS[verb].word} ${player}?`;

/** Whether they play; null while nobody can say. */
export function isPlaying({ state, players }: Pick<Status, 'state' | 'players'>, player: string) {
	if (state === 'stopped' || state === 'crashed') return false;
	return players.names?.some((name) => same(name, player)) ?? null;
}

/** Exactly what will happen, for the confirmation. */
export function consequenceOf(verb: Asked, player: string, online: boolean | null): string {
	switch (verb) {
		case 'ban':
			if (online === false) return `${player} is not online, and cannot join again until pardoned.`;
			return `${player} is disconnected${online ? '' : ' if online'}, and cannot join again until pardoned.`;
		case 'pardon':
			return `${player} can join again. The reason and the time of the ban are forgotten.`;
		case 'kick':
			return `${player} is disconnected, and can join again at once.`;
		case 'op':
			return `${player} can use every command of the game: change the world and its rules, ban others, stop the server.`;
		case 'deop':
			return `${player} can no longer use operator commands.`;
	}
}

export const NOT_KNOWN = 'No player of this name is known here. Check how it is written.';
type Change = { verb: PlayerVerb; player: string; reason?: string | null };
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The lists as they will be afterwards: shown before the server has answered. */
export function expected(players: Players, { verb, player, reason }: Change): Players {
	const known = peopleOf(players).find(({ name }) => name !== null && same(name, player));
	const one = { name: known?.name ?? player, uuid: known?.uuid ?? '' };
	const without = <T extends { name: string }>(list: T[]) =>
		list.filter(({ name }) => !same(name, player));
	const { whitelist } = players;
	switch (verb) {
		case 'op':
			return { ...players, ops: [...without(players.ops), { ...one, level: 4 }] };
		case 'deop':
			return { ...players, ops: without(players.ops) };
		case 'whitelist-add':
			return {
				...players,
				whitelist: { ...whitelist, players: [...without(whitelist.players), one] }
			};
		case 'whitelist-remove':
			return { ...players, whitelist: { ...whitelist, players: without(whitelist.players) } };
		case 'whitelist-on':
		case 'whitelist-off':
			return { ...players, whitelist: { ...whitelist, enabled: verb === 'whitelist-on' } };
		case 'ban': {
			const facts = { source: null, createdAt: null, expiresAt: null };
			const ban = { ...one, reason: reason || null, ...facts };
			return {
				...players,
				bans: [...without(players.bans), ban],
				online: without(players.online)
			};
		}
		case 'pardon':
			return { ...players, bans: without(players.bans) };
		case 'kick':
			return { ...players, online: without(players.online) };
	}
}

/** The same for one player's own page. */
export function expectedOf(detail: PlayerDetail, { verb, player, reason }: Change): PlayerDetail {
	if (detail.name === null || !same(detail.name, player)) return detail;
	switch (verb) {
		case 'op':
			return { ...detail, op: { level: 4 } };
		case 'deop':
			return { ...detail, op: null };
		case 'whitelist-add':
		case 'whitelist-remove':
			return { ...detail, whitelisted: verb === 'whitelist-add' };
		case 'ban': {
			const facts = { source: null, createdAt: null, expiresAt: null };
			return { ...detail, ban: { reason: reason || null, ...facts }, online: false };
		}
		case 'pardon':
			return { ...detail, ban: null };
		case 'kick':
			return { ...detail, online: false };
		default:
			return detail;
	}
}

/** How many are playing when it is not known who; null when the list is complete. */
export function nameless({ players }: Pick<Status, 'players'>, listed: number): number | null {
	return listed === 0 && players.names === null && players.online ? players.online : null;
}

type Counted = Pick<Status, 'state' | 'online' | 'players'>;
/** It is up, or was and has not ended, and does not say who is there. */
export const isUncounted = ({ state, online, players }: Counted) =>
	(state === 'unknown' || state === 'stopping' || (state === 'running' && !online)) &&
	players.online === null;

/** A server that is down has no players, nor has one that is not up yet, whatever was known a moment ago. */
export const hasNobody = ({ state }: Pick<Status, 'state'>) =>
	state === 'stopped' || state === 'crashed' || state === 'starting';

/** How many play, as the bar at the top says it too; undefined when nobody can say. */
export const onlineCount = (status: Counted, listed: number) =>
	isUncounted(status) ? undefined : (status.players.online ?? listed);

const NO_ANSWER: Partial<Record<Status['state'], string>> = {
	stopping: 'is stopping and does not answer',
	running: 'did not answer just now'
};
/** Why the list of those who play is empty. */
export function nobodyListed(status: Counted): string {
	const { state } = status;
	if (state === 'stopped') return 'The server is not running, so nobody is playing.';
	if (state === 'crashed') return 'The server crashed, so nobody is playing.';
	if (state === 'starting') return 'The server is starting. Players show up here when they join.';
	if (isUncounted(status))
		return `The server ${NO_ANSWER[state] ?? 'does not answer'}, so nobody can say who is playing.`;
	const { online } = status.players;
	if (online) {
		const why = nameless(status, 0)
			? 'Their names come over RCON, which takes no commands now.'
			: 'Their names show up in a moment.';
		return `${online === 1 ? '1 player is' : `${online} players are`} online. ${why}`;
	}
	return 'Nobody is playing. Players show up here when they join.';
}
