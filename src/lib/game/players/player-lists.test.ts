import { describe, expect, test } from 'vitest';
import type { Players, PlayerVerb } from '$lib/schemas/player.ts';
import type { ServerState } from '$lib/schemas/status.ts';
import {
	bannedBy,
	consequenceOf,
	isPlaying,
	reasonOf,
	expected,
	inOrder,
	matching,
	nameless,
	nameToUse,
	isUncounted,
	nobodyListed,
	onlineCount,
	offered,
	onTab,
	peopleOf
} from './player-lists.ts';
import { shownName } from '$lib/game/labels.ts';
import type { PlayerOrder } from '$lib/schemas/plain/player-views.ts';

const ada = { name: 'Ada', uuid: '00000000-0000-0000-0000-00000000000a' };
const bob = { name: 'bob', uuid: '00000000-0000-0000-0000-00000000000b' };
const facts = { reason: null, source: null, createdAt: null, expiresAt: null };
const players: Players = {
	online: [{ name: 'Ada', uuid: null, since: null }],
	ops: [{ ...ada, level: 4 }],
	whitelist: { enabled: true, players: [bob] },
	bans: [{ ...bob, ...facts }],
	known: [
		{ ...bob, lastSeenAt: '2026-01-01T00:00:00.000Z' },
		{ ...ada, lastSeenAt: null }
	],
	problems: []
};

test('names are offered of those who are not on the list yet, never more than twenty', () => {
	const people = peopleOf(players);
	expect(offered(people, 'ban', '')).toEqual(['Ada']);
	expect(offered(people, 'op', '')).toEqual(['bob']);
	expect(offered(people, 'whitelist-add', 'AD')).toEqual(['Ada']);
	expect(offered(people, 'whitelist-add', 'cy')).toEqual([]);
	const crowd = Array.from({ length: 5000 }, (_, i) => ({
		name: `Guest${i}`,
		uuid: `00000000-0000-3000-8000-${String(i).padStart(12, '0')}`,
		lastSeenAt: null
	}));
	const nameless = { name: null, uuid: '00000000-0000-3000-9000-000000000000', lastSeenAt: null };
	const many = peopleOf({ ...players, known: [nameless, ...crowd] });
	expect(offered(many, 'ban', '')).toHaveLength(20);
	expect(offered(many, 'ban', 'guest4999')).toEqual(['Guest4999']);
});

test('everybody appears once, joined by id, and by name where there is none', () => {
	const people = inOrder(peopleOf(players));
	expect(people.map(({ name }) => name)).toEqual(['Ada', 'bob']);
	expect(people[0]).toMatchObject({ uuid: ada.uuid, online: true, op: 4, whitelisted: false });
	expect(people[1]).toMatchObject({ online: false, whitelisted: true, ban: facts });
});

test('names that end in a number are in its order', () => {
	const known = ['Guest10', 'guest2', 'Guest1'].map((name, i) => ({
		...{ name, lastSeenAt: null },
		uuid: `00000000-0000-0000-0000-00000000000${i}`
	}));
	const people = inOrder(peopleOf({ ...players, online: [], ops: [], bans: [], known }));
	expect(people.map(({ name }) => name)).toEqual(['bob', 'Guest1', 'guest2', 'Guest10']);
});

test('those of whom only an id is known come last, however lately they were seen', () => {
	const id = (i: number) => `00000000-0000-0000-0000-00000000000${i}`;
	const known = [
		{ name: id(1), uuid: id(1), lastSeenAt: '2026-01-02T03:04:05Z' },
		{ name: 'Cy', uuid: id(2), lastSeenAt: null }
	];
	const people = inOrder(peopleOf({ ...players, online: [], ops: [], bans: [], known }));
	expect(people.map(({ name }) => name)).toEqual(['bob', 'Cy', null]);
});

test('the lists are sorted as is wished', () => {
	const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;
	const known = ['Cy', 'ada', 'Bob', 'Dee'].map((name, i) => ({
		...{ name, lastSeenAt: at(i) },
		uuid: `00000000-0000-0000-0000-00000000000${i}`
	}));
	const online = [
		{ name: 'Cy', uuid: known[0]!.uuid, since: null },
		{ name: 'Dee', uuid: known[3]!.uuid, since: at(5) },
		{ name: 'ada', uuid: known[1]!.uuid, since: at(4) }
	];
	const nobody = { ops: [], bans: [], whitelist: { enabled: true, players: [] }, problems: [] };
	const people = peopleOf({ ...nobody, known, online });
	const names = (order?: PlayerOrder) => inOrder(people, order).map(({ name }) => name);
	expect(names()).toEqual(['Dee', 'ada', 'Cy', 'Bob']);
	expect(names('name')).toEqual(['ada', 'Bob', 'Cy', 'Dee']);
	expect(names('longest')).toEqual(['ada', 'Dee', 'Cy', 'Bob']);
});

test('a ban is from the console, from here, or by somebody', () => {
	const said = (source: string | null, by?: string) => bannedBy({ source, ...(by && { by }) });
	expect(said('Rcon')).toBe('from the dashboard or over RCON');
	expect(said('Rcon', 'ada')).toBe('by ada, from the dashboard');
	expect(said('Craftwarden')).toBe('from the dashboard');
	expect(said('Server')).toBe('from the console');
	expect(said('Ada')).toBe('by Ada');
	expect(said('constructor')).toBe('by constructor');
	expect(said(null)).toBeNull();
});

test('what the game writes where no reason was given is none', () => {
	expect(reasonOf({ reason: 'Banned by an operator.' })).toBe('No reason given');
	expect(reasonOf({ reason: null })).toBe('No reason given');
	expect(reasonOf({ reason: 'Banned by an operator. Twice.' })).toBe(
		'Banned by an operator. Twice.'
	);
});

test('two ids with one name are two players', () => {
	const known = [...players.known, { ...bob, name: 'Ada', lastSeenAt: null }];
	const other = { name: 'bob', uuid: '00000000-0000-0000-0000-00000000000c', lastSeenAt: null };
	expect(peopleOf({ ...players, known: [...known, other] })).toHaveLength(3);
});

test('a search matches parts of names, a filter what it says', () => {
	const people = peopleOf(players);
	expect(matching(people, ' AD ').map(({ name }) => name)).toEqual(['Ada']);
	expect(matching(people, bob.uuid).map(({ name }) => name)).toEqual(['bob']);
	expect(matching(onTab(people, 'bans'), 'ada')).toEqual([]);
	expect(onTab(people, 'bans').map(({ name }) => name)).toEqual(['bob']);
});

test.each<[PlayerVerb, string, (now: Players) => unknown, unknown]>([
	['op', 'BOB', ({ ops }) => ops.map(({ uuid }) => uuid), [ada.uuid, bob.uuid]],
	['deop', 'ada', ({ ops }) => ops, []],
	['whitelist-add', 'New', ({ whitelist }) => whitelist.players.length, 2],
	['whitelist-remove', 'bob', ({ whitelist }) => whitelist.players, []],
	['whitelist-off', '', ({ whitelist }) => whitelist.enabled, false],
	['ban', 'Ada', ({ bans, online }) => [bans.length, online.length], [2, 0]],
	['pardon', 'bob', ({ bans }) => bans, []],
	['kick', 'Ada', ({ online }) => online, []]
])(
	'%s is shown before it is done, and changes nothing that was there',
	(verb, player, see, now) => {
		const before = structuredClone(players);
		expect(see(expected(players, { verb, player }))).toEqual(now);
		expect(players).toEqual(before);
	}
);

test('who is online is counted as the status counts, whatever the list of them still holds', () => {
	const now = (state: ServerState, online: number | null) => ({
		...{ state, online: online !== null },
		players: { online, max: 20, names: null }
	});
	expect(onlineCount(now('running', 5), 6)).toBe(5);
	expect(onlineCount(now('running', 4), 0)).toBe(4);
	expect(onlineCount(now('stopped', null), 0)).toBe(0);
	expect(onlineCount(now('unknown', null), 2)).toBeUndefined();
	// It did not answer just now: that is no sign that anybody has left.
	expect(onlineCount(now('running', null), 2)).toBeUndefined();
});

describe('an empty list of who plays', () => {
	const now = (state: ServerState, online: number | null, names: string[] | null = null) => ({
		...{ state, online: online !== null },
		players: { online, max: 20, names }
	});

	test.each([
		['running', 0, [], 'Nobody is playing. Players show up here when they join.'],
		['stopped', null, null, 'The server is not running, so nobody is playing.'],
		['crashed', null, null, 'The server crashed, so nobody is playing.'],
		['unknown', null, null, 'The server does not answer, so nobody can say who is playing.'],
		[
			'stopping',
			null,
			null,
			'The server is stopping and does not answer, so nobody can say who is playing.'
		],
		['stopping', 0, [], /^Nobody is playing/],
		['unknown', 0, [], /^Nobody is playing/],
		['running', 1, null, /^1 player is online. Their names come over RCON/],
		['running', 2, ['Ada', 'Bob'], '2 players are online. Their names show up in a moment.'],
		['running', 4, null, /^4 players are online. Their names come over RCON/]
	] as const)('%s with %s online: says why', (state, online, names, words) => {
		expect(nobodyListed(now(state, online, names && [...names]))).toMatch(words);
	});

	test('counts nobody only where the server says so, or has ended', () => {
		expect(isUncounted(now('stopping', null))).toBe(true);
		expect(isUncounted(now('unknown', null))).toBe(true);
		expect(isUncounted(now('stopping', 0))).toBe(false);
		expect(isUncounted(now('stopped', null))).toBe(false);
		expect(isUncounted(now('running', null))).toBe(true);
		expect(nobodyListed(now('running', null))).toMatch(
			/did not answer just now, so nobody can say/
		);
	});

	test('is counted by what the server reports, and only then', () => {
		expect(nameless(now('running', 4), 0)).toBe(4);
		expect(nameless(now('running', 4, ['Ada']), 0)).toBeNull();
		expect(nameless(now('running', 4), 3)).toBeNull();
		expect(nameless(now('stopped', null), 0)).toBeNull();
	});
});

test('a player without a name is shown by the beginning of the id, found by it, and used in no command', () => {
	const uuid = '5744db97-0924-4ba0-a373-b904d3cd35fb';
	const known = [...players.known, { name: null, uuid, lastSeenAt: null }];
	// A list may say the id instead of a name too.
	const people = inOrder(peopleOf({ ...players, known, bans: [{ name: uuid, uuid, ...facts }] }));
	const [one, ...others] = matching(people, '5744db97-');
	expect([one, others]).toMatchObject([{ name: null, uuid, ban: facts }, []]);
	expect(shownName(one!)).toBe('Unknown 5744db97');
	expect(nameToUse(one!)).toBeNull();
	expect(nameToUse(people[0]!)).toBe('Ada');
});

test('the question of a ban says whether they are disconnected, as far as that is known', () => {
	const asked = (state: ServerState, names: string[] | null) =>
		consequenceOf(
			'ban',
			'Ada',
			isPlaying({ state, players: { online: null, max: null, names } }, 'Ada')
		);
	expect(asked('running', ['ada'])).toBe(
		'Ada is disconnected, and cannot join again until pardoned.'
	);
	for (const not of [asked('running', ['bob']), asked('stopped', null)])
		expect(not).toBe('Ada is not online, and cannot join again until pardoned.');
	expect(asked('running', null)).toContain('if online');
});
