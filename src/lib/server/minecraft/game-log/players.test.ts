import { describe, expect, test } from 'vitest';
import {
	FILE_DATE,
	ID,
	said,
	feed,
	short,
	events,
	START,
	login,
	join,
	inRun,
	RUN
} from '../../../../../tests/fakes/game/game-log-lines.ts';
import { createGameLog } from './game-log.ts';

describe('what happens to players', () => {
	test('a whole visit, on vanilla', () => {
		const log = createGameLog();
		const { events } = log.feed(
			[
				...said(START),
				`[12:00:01] [User Authenticator #1/INFO]: UUID of player Ana is ${ID}`,
				...said(
					...join('Ana'),
					'<Ana> hello <everyone> > all',
					'* Ana waves',
					'Ana has made the advancement [Minecraft: Trial(s) Edition]',
					'Ana has reached the goal [The Next Generation]',
					'Ana has completed the challenge [Return to Sender]',
					'Ana was slain by Zombie',
					'Ana lost connection: Timed out',
					'Ana left the game'
				)
			],
			{ fileDate: FILE_DATE }
		);
		expect(events.map(short)).toEqual([
			['start', null, '1.20.1'],
			['join', 'Ana', 'joined the game'],
			['chat', 'Ana', 'hello <everyone> > all'],
			['me', 'Ana', 'waves'],
			['advancement', 'Ana', 'has made the advancement [Minecraft: Trial(s) Edition]'],
			['advancement', 'Ana', 'has reached the goal [The Next Generation]'],
			['advancement', 'Ana', 'has completed the challenge [Return to Sender]'],
			['death', 'Ana', 'was slain by Zombie'],
			['leave', 'Ana', 'left the game']
		]);
		expect(events.slice(1).every(({ player }) => player?.uuid === ID)).toBe(true);
		expect(log.online()).toEqual([]);
	});

	test('who is online, and since when', () => {
		const log = createGameLog();
		const lines = [
			'[11:58:00] [Server thread/INFO]: ' + login('Ana'),
			...said('Ana joined the game')
		];
		log.feed([...said(START), ...lines], { fileDate: FILE_DATE });
		expect(log.online()).toEqual([
			{
				name: 'Ana',
				uuid: null,
				display: 'Ana',
				since: new Date(2026, 2, 14, 11, 58).toISOString()
			}
		]);
	});

	test('on Paper the join is announced before the login', () => {
		const log = createGameLog();
		const { events } = log.feed(
			[
				`[12:00:00] [User Authenticator #1/INFO]: UUID of player Ana is ${ID}`,
				...said('[VIP] Ana joined the game', login('Ana', '/[0:0:0:0:0:0:0:1]:4')),
				'[12:00:09] [Async Chat Thread - #2/INFO]: [Not Secure] <[VIP] Ana> hi'
			],
			{ fileDate: FILE_DATE }
		);
		expect(events.map(({ player }) => player)).toEqual([
			{ name: 'Ana', uuid: ID, display: '[VIP] Ana' },
			{ name: 'Ana', uuid: ID, display: '[VIP] Ana' }
		]);
		expect(log.online()).toHaveLength(1);
	});

	test('what the game displays for a player is traced to their profile by the surrounding lines', () => {
		const log = createGameLog();
		const { events } = log.feed(
			said(
				START,
				login('ReedQuill'),
				'[some mod] says something in between',
				'[개척자] 선아 joined the game',
				'<[개척자] 선아> 안녕하십니까',
				'[개척자] 선아 fell from a high place',
				'[[개척자] 선아: Set the weather to clear]',
				'[개척자] 선아 has made the advancement [Sneak 100]',
				'ReedQuill lost connection: Disconnected',
				'[개척자] 선아 left the game'
			),
			{ fileDate: FILE_DATE }
		);
		expect(
			events.slice(1).map(({ kind, player }) => [kind, player?.name, player?.display])
		).toEqual([
			['join', 'ReedQuill', '[개척자] 선아'],
			['chat', 'ReedQuill', '[개척자] 선아'],
			['death', 'ReedQuill', '[개척자] 선아'],
			['advancement', 'ReedQuill', '[개척자] 선아'],
			['leave', 'ReedQuill', '[개척자] 선아']
		]);
		expect(log.online()).toEqual([]);
	});

	test('a prefix that changes in the middle of a visit is learnt from chat', () => {
		const [, chat, death] = events(
			...said(
				START,
				login('q'),
				'[New] Quin joined the game',
				'<[Old] Quin> hi',
				'[Old] Quin drowned'
			)
		).slice(1);
		expect([chat, death]).toEqual([
			['chat', '[Old] Quin', 'hi'],
			['death', '[Old] Quin', 'drowned']
		]);
	});

	test('mods may log a lot while somebody joins', () => {
		const forge = (logger: string, m: string) =>
			`[14Mar2026 12:00:00.001] [Server thread/INFO] [${logger}/]: ${m}`;
		const noise = Array.from({ length: 300 }, (_, i) => forge('mod', `Sending ${i} to q`));
		const game = (m: string) => forge('net.minecraft.server.MinecraftServer', m);
		expect(
			feed([game(START), game(login('q')), ...noise, game('[New] Quin joined the game')]).events.at(
				-1
			)
		).toMatchObject({ kind: 'join', player: { name: 'q', display: '[New] Quin' } });
	});

	test('two players who join in the same second are told apart', () => {
		const log = createGameLog();
		log.feed(
			said(
				START,
				login('one'),
				'[a] Eins joined the game',
				login('two'),
				'[b] Zwei joined the game'
			),
			{ fileDate: FILE_DATE }
		);
		expect(log.online().map(({ name, display }) => [name, display])).toEqual([
			['one', '[a] Eins'],
			['two', '[b] Zwei']
		]);
	});

	test('names with dots, spaces and a Bedrock prefix are names', () => {
		for (const name of ['Dr.Who', '.Bedrock_1', 'Anna Lena', 'ÄÖÜ-ß', 'x'.repeat(30)])
			expect(events(...said(START, ...join(name), `${name} withered away`)).slice(1)).toEqual([
				['join', name, 'joined the game'],
				['death', name, 'withered away']
			]);
	});

	test('a renamed player joins under the new name', () => {
		expect(inRun(login('Neu'), 'Neu (formerly known as Alt) joined the game')).toEqual([
			['join', 'Neu', 'joined the game']
		]);
	});

	test('a refused player was never there, and removes nobody else', () => {
		const log = createGameLog();
		const { events } = log.feed(
			said(
				...RUN,
				'Disconnecting Cy (/203.0.113.9:1): You are not white-listed on this server!',
				'Cy (/203.0.113.9:1) lost connection: You are not white-listed on this server!',
				'Ana (IP hidden) lost connection: Disconnected',
				'com.mojang.authlib.GameProfile@1a2b[id=<null>,name=Di,properties={},legacy=false] (/203.0.113.9:2) lost connection: Took too long to log in',
				'/203.0.113.9:3 lost connection: Disconnected'
			),
			{ fileDate: FILE_DATE }
		);
		expect(events.slice(3).map(short)).toEqual([
			['failed-login', 'Cy', 'You are not white-listed on this server!'],
			['failed-login', 'Ana', 'Disconnected'],
			['failed-login', 'Di', 'Took too long to log in']
		]);
		expect(JSON.stringify(events)).not.toContain('203.0.113');
		expect(log.online().map(({ name }) => name)).toEqual(['Ana', 'Bo']);
	});

	test('fake players of mods join and leave like players but do not die like them', () => {
		expect(
			inRun(
				login('Villager', 'local'),
				'Villager joined the game',
				'Villager was slain by Vex',
				'Villager lost connection: Villager died',
				'Villager left the game'
			)
		).toEqual([
			['join', 'Villager', 'joined the game'],
			['leave', 'Villager', 'left the game']
		]);
	});

	test('deaths of mobs and strangers are not reported', () => {
		expect(
			inRun(
				'Villager was slain by Vex',
				'Villager lost connection: Villager died',
				'Blight Zombie was killed by Ana',
				"Villager Villager['Farmer'/37424, l='ServerLevel[w]', x=-4.51, y=1.00, z=-1.49] died, message: 'Farmer was slain by Ana'",
				"Named entity Zombie['Bo'/3, l='ServerLevel[w]', x=1.00, y=1.00, z=1.00] died: Bo was slain by Ana",
				'Anabel was slain by Zombie',
				'Killed Ana'
			)
		).toEqual([]);
	});

	test('waypoints that maps share through chat are shown as waypoints', () => {
		expect(
			inRun('<Ana> xaero-waypoint:Home^col^ 1:H:-21:38:123:2:false:0:Internal-overworld-waypoints')
		).toEqual([['chat', 'Ana', 'shared the waypoint “Home: 1” (-21, 38, 123)']]);
	});

	test('until 1.11 there were achievements', () => {
		expect(inRun('Ana has just earned the achievement [Taking Inventory]')).toEqual([
			['advancement', 'Ana', 'has just earned the achievement [Taking Inventory]']
		]);
	});

	test('since 26.3 the game labels lines that are not chat', () => {
		expect(
			events(
				...said(
					START,
					login('Ana'),
					'System chat: Ana joined the game',
					'System chat: Ana fell from a high place',
					'<Ana> System chat: Bo joined the game',
					'System chat: [Rcon: Saved the game]',
					'System chat: Ana has made the advancement [Stone Age]',
					'Ana lost connection: Disconnected',
					'System chat: Ana left the game'
				)
			).slice(1)
		).toEqual([
			['join', 'Ana', 'joined the game'],
			['death', 'Ana', 'fell from a high place'],
			['chat', 'Ana', 'System chat: Bo joined the game'],
			['advancement', 'Ana', 'has made the advancement [Stone Age]'],
			['leave', 'Ana', 'left the game']
		]);
	});

	test('Forge tells mods and the game apart by the logger', () => {
		const game = (m: string) =>
			`[14mar.2026 12:00:00.001] [Server thread/INFO] [net.minecraft.server.MinecraftServer/]: ${m}`;
		const mod = (m: string) => `[14mar.2026 12:00:00.002] [Server thread/INFO] [graves/]: ${m}`;
		expect(
			events(
				...[game(START), game(login('q')), game('[초보자] Quin joined the game')],
				...[mod('Quin died'), mod('<Quin> hi'), mod('Bo joined the game')],
				...[game('[개척자] Quin died')]
			).slice(1)
		).toEqual([
			['join', '[초보자] Quin', 'joined the game'],
			['death', '[개척자] Quin', 'died']
		]);
	});
});
