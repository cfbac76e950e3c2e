import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { json, setupPlayers } from '../../../../../tests/fakes/players-setup.ts';
import { PlayerDetail, Players } from '#schemas/player';
import { offlineUuid } from '../../minecraft/lists/lists.ts';
import { CACHE_MS } from './index.ts';

const ADA = '5744db97-0924-4ba0-a373-b904d3cd35fb';
const BOB = 'f41cbad2-80f6-46d4-ad12-5ab517069fe8';
const GONE = '0228dc88-9371-4061-b8e1-1c14fe7a7da0';
const CREATED = '2025-06-15 17:29:07 +0300';

const FILES = {
	'server.properties': 'online-mode=true\nwhite-list=TRUE\n',
	'ops.json': json([{ uuid: ADA, name: 'Ada', level: 2 }]),
	'whitelist.json': json([
		{ uuid: ADA, name: 'OldAda' },
		{ uuid: BOB, name: 'Bob' }
	]),
	'banned-players.json': json([
		{
			uuid: BOB,
			name: 'Bob',
			created: CREATED,
			source: 'Rcon',
			expires: 'forever',
			reason: '<b>Spam</b>'
		}
	]),
	'usercache.json': JSON.stringify([
		{ name: 'Ada', uuid: ADA, expiresOn: CREATED },
		{ name: 'Bob', uuid: BOB, expiresOn: CREATED },
		{ name: 'Bob', uuid: offlineUuid('Bob'), expiresOn: CREATED }
	])
};

test('somebody is known by a name on any list, in whatever letters', async () => {
	const { players } = await setupPlayers({ files: FILES });
	const known = (name: string) => players.knows(name);
	expect(await Promise.all(['ada', 'BOB', 'OldAda', 'Herobrine'].map(known))).toEqual([
		...[true, true, true, false]
	]);
});

test('everything about players is in one answer, matching its schema', async () => {
	const { players, world } = await setupPlayers({ files: FILES });
	world.online = [{ name: 'Ada', uuid: ADA, since: '2026-01-01T00:00:00.000Z' }];
	world.lastSeen = new Map([
		[BOB, '2025-12-01T00:00:00.000Z'],
		[GONE, '2025-12-24T00:00:00.000Z']
	]);
	const answer = await players.list();
	expect(Players.parse(answer)).toEqual(answer);
	expect(answer).toMatchObject({
		online: world.online,
		ops: [{ name: 'Ada', uuid: ADA, level: 2 }],
		whitelist: {
			enabled: true,
			players: [
				{ name: 'OldAda', uuid: ADA },
				{ name: 'Bob', uuid: BOB }
			]
		},
		bans: [
			{
				name: 'Bob',
				uuid: BOB,
				reason: '<b>Spam</b>',
				source: 'Rcon',
				createdAt: '2025-06-15T14:29:07.000Z',
				expiresAt: null
			}
		],
		problems: []
	});
	// Latest first; none without a name; two with the same name stay two.
	expect(answer.known.map(({ name, uuid }) => [name, uuid])).toEqual([
		['Ada', ADA],
		[null, GONE],
		['Bob', BOB],
		['Bob', offlineUuid('Bob')]
	]);
	expect(answer.known.at(-1)?.lastSeenAt).toBeNull();
});

test('of whom the log tells of no leave is told when they joined, though the server names nobody', async () => {
	const { players, world } = await setupPlayers({ files: FILES });
	world.joined = [{ name: 'Ada', since: '2026-01-01T00:00:00.000Z' }];
	const { known, online } = Players.parse(await players.list());
	expect(online).toEqual([]);
	expect(known.map(({ name, joinedAt }) => [name, joinedAt])).toEqual([
		...[
			['Ada', '2026-01-01T00:00:00.000Z'],
			['Bob', undefined],
			['Bob', undefined]
		]
	]);
	expect(known[1]).not.toHaveProperty('joinedAt');
});

test('a new folder has no players, and the whitelist is off', async () => {
	const { players } = await setupPlayers();
	expect(await players.list()).toEqual({
		online: [],
		ops: [],
		whitelist: { enabled: false, players: [] },
		bans: [],
		known: [],
		problems: []
	});
});

test('an unreadable file is reported, and the others are shown', async () => {
	const { players, dir } = await setupPlayers({ files: FILES });
	await writeFile(path.join(dir, 'usercache.json'), '\0\0\0\0');
	const { ops, problems } = await players.list();
	expect(ops).toHaveLength(1);
	expect(problems).toEqual([expect.stringContaining('usercache.json')]);
});

test('the answer is cached for ten seconds, and simultaneous requests share one reading', async () => {
	const clock = createManualClock();
	const { players, dir } = await setupPlayers({ clock });
	const [one, two] = await Promise.all([players.list(), players.list()]);
	expect(two).toBe(one);
	await writeFile(path.join(dir, 'ops.json'), FILES['ops.json']);
	await clock.advance(CACHE_MS - 1);
	expect(await players.list()).toBe(one);
	await clock.advance(1);
	expect((await players.list()).ops).toHaveLength(1);
});

test('each command invalidates the next answer, even of a reading that had already begun', async () => {
	const { players, act, world } = await setupPlayers();
	await players.list();
	const early = players.list();
	await act('op', 'Ada');
	expect((await players.list()).ops).toMatchObject([{ name: 'Ada' }]);
	expect((await early).ops).toEqual([]);
	expect(world.changes).toBe(1);
	const before = await players.list();
	players.invalidate();
	expect(await players.list()).not.toBe(before);
});

test('a failed reading is not cached', async () => {
	const { players, world } = await setupPlayers();
	const { lastSeen } = world;
	Object.defineProperty(world, 'lastSeen', {
		configurable: true,
		get: () => {
			throw new Error('disk');
		}
	});
	await expect(players.list()).rejects.toThrow('disk');
	Object.defineProperty(world, 'lastSeen', { value: lastSeen });
	expect((await players.list()).ops).toEqual([]);
});

test('one player: their names, lists and sessions, the latest first', async () => {
	const { players, world } = await setupPlayers({ files: FILES });
	world.sessions = [
		{ from: '2025-11-01T10:00:00.000Z', to: '2025-11-01T11:00:00.000Z', end: 'left' },
		{ from: '2025-12-02T10:00:00.000Z', to: '2025-12-02T12:00:00.000Z', end: 'stopped' }
	];
	world.lastSeen = new Map([[ADA, '2025-12-01T00:00:00.000Z']]);
	const found = await players.find(ADA);
	expect(PlayerDetail.parse(found)).toEqual(found);
	expect(found).toEqual({
		uuid: ADA,
		name: 'Ada',
		names: ['Ada', 'OldAda'],
		online: false,
		op: { level: 2 },
		whitelisted: true,
		ban: null,
		firstSeenAt: '2025-11-01T10:00:00.000Z',
		lastSeenAt: '2025-12-02T12:00:00.000Z',
		sessions: world.sessions.toReversed(),
		sessionsComplete: true
	});
	expect(await players.find(BOB)).toMatchObject({
		op: null,
		ban: {
			reason: '<b>Spam</b>',
			source: 'Rcon',
			createdAt: '2025-06-15T14:29:07.000Z',
			expiresAt: null
		}
	});
});

test('a session open in the log counts as open only while the server runs', async () => {
	const { players, world } = await setupPlayers({ files: FILES });
	world.sessions = [
		{ from: null, to: '2025-10-01T10:00:00.000Z', end: 'left' },
		{ from: '2025-12-02T10:00:00.000Z', to: null, end: 'online' }
	];
	world.lastAt = '2025-12-02T11:00:00.000Z';
	for (const state of ['running', 'stopping', 'unknown'] as const) {
		world.state = state;
		const { sessions, lastSeenAt } = await players.find(ADA);
		expect(sessions[0], state).toEqual(world.sessions[1]);
		// Nobody says that they have left, and they were seen until its last line.
		expect(lastSeenAt, state).toBe(world.lastAt);
	}
	for (const state of ['stopped', 'crashed', 'starting'] as const) {
		world.state = state;
		expect(await players.find(ADA), state).toMatchObject({
			firstSeenAt: '2025-10-01T10:00:00.000Z',
			lastSeenAt: world.lastAt,
			sessions: [{ to: world.lastAt, end: 'crashed' }, { from: null }]
		});
	}
});

test('when somebody was last seen is told by the logs, whatever date a copied file has', async () => {
	const { players, world } = await setupPlayers({ files: FILES });
	world.lastSeen = new Map([[ADA, '2025-12-24T00:00:00.000Z']]);
	world.sessions = [{ from: null, to: '2025-10-01T10:00:00.000Z', end: 'left' }];
	expect((await players.find(ADA)).lastSeenAt).toBe('2025-10-01T10:00:00.000Z');
	world.sessions = [];
	expect((await players.find(ADA)).lastSeenAt).toBe('2025-12-24T00:00:00.000Z');
});

test('who has just left by the log does not play, whatever the server was last heard to say', async () => {
	const { players, world } = await setupPlayers({ files: FILES });
	const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
	world.online = [{ name: 'Ada', uuid: ADA, since: ago(600) }];
	for (const [seconds, online] of [
		[5, false],
		[3600, true]
	] as const) {
		world.sessions = [{ from: ago(7200), to: ago(seconds), end: 'left' }];
		expect(await players.find(ADA)).toMatchObject({ online });
	}
});

test('a player known only from statistics has no name', async () => {
	const { players, world } = await setupPlayers();
	world.lastSeen = new Map([[GONE, '2025-12-24T00:00:00.000Z']]);
	expect(await players.find(GONE)).toMatchObject({
		name: null,
		names: [],
		firstSeenAt: null,
		lastSeenAt: '2025-12-24T00:00:00.000Z'
	});
});

test('an unknown id is not found', async () => {
	const { players } = await setupPlayers({ files: FILES });
	await expect(players.find(GONE)).rejects.toMatchObject({ kind: 'not-found' });
});

test('a ban names the account that made it, asked for once; of others and unknown ones it says nothing', async () => {
	const asked: string[] = [];
	const { players, world } = await setupPlayers({ files: FILES });
	world.whoBanned = (player, at) => {
		asked.push(`${player} ${at}`);
		return 'ada';
	};
	expect((await players.list()).bans[0]).toMatchObject({ source: 'Rcon', by: 'ada' });
	expect((await players.find(BOB)).ban).toMatchObject({ by: 'ada' });
	expect(asked).toEqual(['Bob 2025-06-15T14:29:07.000Z']);

	const others = await setupPlayers({
		files: {
			...FILES,
			'banned-players.json': FILES['banned-players.json'].replace('Rcon', 'Server')
		}
	});
	others.world.whoBanned = () => 'ada';
	expect((await others.players.list()).bans[0]).not.toHaveProperty('by');
	const unknown = await setupPlayers({ files: FILES });
	expect((await unknown.players.find(BOB)).ban).not.toHaveProperty('by');
});
