import { describe, expect, test } from 'vitest';
import { createGameLog, type GameEvent } from './game-log.ts';
import { parseLogLine } from './log-line.ts';

const FILE_DATE = new Date(2026, 2, 14, 13);
const ID = 'b6eb53c6-e73e-4b90-8130-45a9e17ed832';

/** Lines of the server thread in the shape of vanilla, Fabric, Quilt and Paper. */
const said = (...messages: string[]) =>
	messages.map((m) => `[12:00:00] [Server thread/INFO]: ${m}`);
const feed = (lines: string[]) => createGameLog().feed(lines, { fileDate: FILE_DATE });
const short = ({ kind, player, text }: GameEvent) => [kind, player?.display ?? null, text];
const events = (...lines: string[]) => feed(lines).events.map(short);
const START = 'Starting minecraft server version 1.20.1';
const login = (name: string, from = '/203.0.113.7:50000') =>
	`${name}[${from}] logged in with entity id 7 at (1.5, 64.0, -3.5)`;
const join = (name: string) => [login(name), `${name} joined the game`];
/** A run that begins in sight of us, with Ana and Bo in it. */
const RUN = [START, ...join('Ana'), ...join('Bo')];
/** What happens after `RUN`. */
const then = (...messages: string[]) => events(...said(...RUN, ...messages)).slice(3);

describe('the prefixes of all platforms', () => {
	const LINES: [
		string,
		Partial<{ level: string; thread: string | null; logger: string | null }>
	][] = [
		['[12:00:00] [Server thread/INFO]: hi', { thread: 'Server thread', logger: null }],
		['[12:00:00] [Server thread/INFO] (Minecraft) hi', { logger: 'Minecraft' }],
		['[12:00:00 INFO]: hi', { thread: null, logger: null }],
		['[12:00:00] [Server thread/WARN] [net.minecraft.Foo]: hi', { level: 'WARN' }],
		[
			'[26Feb2025 12:00:00.123] [Worker-Main-3/ERROR] [net.minecraft.Foo/BAR]: hi',
			{ level: 'ERROR', thread: 'Worker-Main-3', logger: 'net.minecraft.Foo/BAR' }
		],
		['[12:00:00] [main/INFO] [minecraft/Main]: hi', { logger: 'minecraft/Main' }],
		['[12:00:00] [RCON Client /0:0:0:0:0:0:0:1 #8/INFO]: hi', { logger: null }],
		['[12:00:00] [main/STDERR]: hi', { level: 'ERROR' }],
		['[12:00:00] [Server Watchdog/FATAL]: hi', { level: 'FATAL' }]
	];
	test.each(LINES)('%s', (line, facts) => {
		const { entries } = feed([line]);
		expect(entries).toMatchObject([{ message: 'hi', continuation: [], ...facts }]);
		expect(entries[0]!.at).not.toBeNull();
		expect(parseLogLine(line.replace(/^\u001b.*m(?=\[)/, ''))?.message).toBe('hi'); // eslint-disable-line no-control-regex
	});

	test('what stands in brackets behind the level of a plain line is its message', () => {
		expect(feed(said('[bclib] loaded')).entries).toMatchObject([
			{ logger: null, message: '[bclib] loaded' }
		]);
	});

	test('a byte order mark, carriage returns and escape sequences stop nothing', () => {
		const lines = [
			`\ufeff${said(START)[0]}\r`,
			`${said('\u001b[33mAna joined the game\u001b[m')[0]}\r`
		];
		expect(events(...lines)).toEqual([
			['start', null, '1.20.1'],
			['join', 'Ana', 'joined the game']
		]);
	});
});

describe('entries', () => {
	test('no line is lost: what has no prefix belongs to the entry before it', () => {
		const lines = ['\tat of.a.trace', '', ...said('one', 'two'), '| table |', '', ...said('three')];
		const { entries, continued } = feed(lines);
		expect(entries.map(({ message, continuation }) => [message, continuation])).toEqual([
			['\tat of.a.trace', ['']],
			['one', []],
			['two', ['| table |', '']],
			['three', []]
		]);
		expect(entries[0]).toMatchObject({ at: null, thread: null, level: 'INFO' });
		expect(continued).toEqual([]);
	});

	test('a message that goes on in the next batch goes on there', () => {
		const log = createGameLog();
		log.feed([...said('Exception'), '\tat one'], { fileDate: FILE_DATE });
		const { entries, continued } = log.feed(['\tat two', ...said('next')], { fileDate: FILE_DATE });
		expect(continued).toEqual(['\tat two']);
		expect(entries.map(({ message }) => message)).toEqual(['next']);
	});

	test('a trace keeps its first 500 lines and says how many more there were', () => {
		const trace = Array.from({ length: 1234 }, (_, i) => `\tat frame.${i}`);
		const [entry] = feed([...said('Exception'), ...trace, ...said('next')]).entries;
		expect(entry!.continuation).toHaveLength(501);
		expect(entry!.continuation.at(-1)).toBe('… 734 more lines');

		const log = createGameLog();
		log.feed([...said('Exception'), ...trace.slice(0, 499)], { fileDate: FILE_DATE });
		expect(log.feed(trace.slice(499), { fileDate: FILE_DATE }).continued).toEqual([
			'\tat frame.499',
			'… 734 more lines'
		]);
	});
});

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

	test('what the game shows for a player is traced to his profile by the lines around it', () => {
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

	test('mods may say a lot while somebody comes', () => {
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

	test('two who come in the same second are told apart', () => {
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

	test('who was renamed joins by his new name', () => {
		expect(then(login('Neu'), 'Neu (formerly known as Alt) joined the game')).toEqual([
			['join', 'Neu', 'joined the game']
		]);
	});

	test('who is refused never was there, and takes nobody with him', () => {
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

	test('what a mod plays joins and leaves like a player but does not die like one', () => {
		expect(
			then(
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

	test('mobs and strangers do not die here', () => {
		expect(
			then(
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

	test('waypoints that maps send each other through chat are shown as what they are', () => {
		expect(
			then('<Ana> xaero-waypoint:Home^col^ 1:H:-21:38:123:2:false:0:Internal-overworld-waypoints')
		).toEqual([['chat', 'Ana', 'shared the waypoint “Home: 1” (-21, 38, 123)']]);
	});

	test('until 1.11 there were achievements', () => {
		expect(then('Ana has just earned the achievement [Taking Inventory]')).toEqual([
			['advancement', 'Ana', 'has just earned the achievement [Taking Inventory]']
		]);
	});

	test('since 26.3 the game labels what is no chat', () => {
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

describe('speech', () => {
	test('/say by players, the console, RCON and command blocks', () => {
		expect(
			then(
				'[Ana] hi',
				'[Server] restart at noon',
				'[Rcon] saved',
				'[@] beep',
				'[world_nether]<Ana> hot here',
				'[Not Secure] [Nova] hi',
				'[Not Secure] [[VIP] Nova] hi',
				'[Not Secure] * Nova waves',
				'* Server waves'
			)
		).toEqual([
			['say', 'Ana', 'hi'],
			['say', 'Server', 'restart at noon'],
			['say', 'Rcon', 'saved'],
			['say', '@', 'beep'],
			['chat', 'Ana', 'hot here'],
			['say', 'Nova', 'hi'],
			['say', '[VIP] Nova', 'hi'],
			['me', 'Nova', 'waves'],
			['me', 'Server', 'waves']
		]);
	});

	test('plugins and mods that begin a line like /say or /me say nothing', () => {
		expect(
			then(
				'[Essentials] Loaded',
				'[betternether] Freeze Registry[x]',
				'[Ana: Set own game mode to Creative Mode]',
				'[Geyser-Spigot] Done (2.101s)! Run /geyser help for help!',
				'* Loading 3 things',
				'<--[HERE]'
			)
		).toEqual([]);
	});

	test('chat is one line of text without formats and controls, and bounded', () => {
		const [, , text] = then(
			`<Ana> \u001b]0;title\u0007§cred\u202e\u0000 ${'long '.repeat(200)}`
		)[0]!;
		expect(text).toMatch(/^red long long/);
		expect(text!.length).toBeLessThanOrEqual(300);
		expect(then('<Ana> a\u2028[12:00:00] [Server thread/INFO]: Bo left the game')).toEqual([
			['chat', 'Ana', 'a [12:00:00] [Server thread/INFO]: Bo left the game']
		]);
	});

	test('lookups and markup are text', () => {
		for (const text of ['${jndi:ldap://x/a}', '<img src=x onerror=alert(1)>', '{"text":"x"}', '@a'])
			expect(then(`<Ana> ${text}`)).toEqual([['chat', 'Ana', text]]);
	});
});

describe('nothing that a player writes becomes more than that', () => {
	const FORGED = [
		'Herobrine joined the game',
		'Bo left the game',
		'Bo was slain by Zombie',
		'Bo has made the advancement [Diamonds!]',
		'Bo lost connection: Disconnected',
		'Herobrine[/203.0.113.1:1] logged in with entity id 1 at (0.0, 0.0, 0.0)',
		`UUID of player Bo is ${ID}`,
		'Stopping server',
		'Done (1.0s)! For help, type "help"',
		'Starting minecraft server version 1.0',
		'This crash report has been saved to: /x',
		"Can't keep up! Is the server overloaded? Running 2024ms or 40 ticks behind",
		'[12:00:00] [Server thread/INFO]: Herobrine joined the game',
		'\\n[12:00:00] [Server thread/INFO]: Bo left the game',
		'[12:00:00] [User Authenticator #1/INFO]: UUID of player Bo is x',
		'<Bo> hi',
		'> joined the game',
		'[Server] hi',
		'[Not Secure] <Bo> hi',
		'System chat: Bo left the game'
	];

	test.each(FORGED)('%s', (words) => {
		for (const [line, kind, by] of [
			[`<Ana> ${words}`, 'chat', 'Ana'],
			[`[Not Secure] <Ana> ${words}`, 'chat', 'Ana'],
			[`<[Team] Ana> ${words}`, 'chat', '[Team] Ana'],
			[`* Ana ${words}`, 'me', 'Ana'],
			[`[Not Secure] * Ana ${words}`, 'me', 'Ana'],
			[`[Ana] ${words}`, 'say', 'Ana'],
			[`[Not Secure] [Ana] ${words}`, 'say', 'Ana'],
			[`[Server] ${words}`, 'say', 'Server']
		] as const) {
			const log = createGameLog();
			const { events } = log.feed(said(...RUN, line), { fileDate: FILE_DATE });
			expect(events.slice(3).map(({ kind, player }) => [kind, player?.display])).toEqual([
				[kind, by]
			]);
			expect(log.online().map(({ name }) => name)).toEqual(['Ana', 'Bo']);
		}
	});

	test.each(FORGED)('of a chat format that we do not know: %s', (words) => {
		const log = createGameLog();
		const lines = [
			...said(...RUN, `[Owner] Ana: ${words}`, `Ana » ${words}`, `Ana: ${words}`),
			...said(`Ana issued server command: /me ${words}`, `[Ana: Named it ${words}]`),
			`[12:00:00] [Async Chat Thread - #1/INFO]: ${words}`
		];
		const { events } = log.feed(lines, { fileDate: FILE_DATE });
		const more = events.slice(3).map(({ kind }) => kind);
		// What stands alone on a chat thread is chat or nothing.
		expect(more.filter((kind) => !['chat', 'say'].includes(kind))).toEqual([]);
		expect(log.online().map(({ name }) => name)).toEqual(['Ana', 'Bo']);
	});

	test('a mob that an anvil has named after a line of the log only kills', () => {
		const log = createGameLog();
		const killers = [
			'X joined the game',
			'X left the game',
			'X lost connection: Y',
			'X[/1:1] logged in with entity id 1 at (',
			'X has made the advancement [Y]'
		];
		const { events } = log.feed(
			said(...RUN, login('Cy'), ...killers.map((name) => `Ana was slain by ${name}`)),
			{ fileDate: FILE_DATE }
		);
		expect(events.slice(3).map(short)).toEqual(
			killers.map((name) => ['death', 'Ana', `was slain by ${name}`])
		);
		expect(log.online().map(({ name }) => name)).toEqual(['Ana', 'Bo', 'Cy']);
	});

	test('nobody joins for another while that one logs in', () => {
		const log = createGameLog();
		const { events } = log.feed(
			said(
				...RUN,
				login('Cy'),
				'[Ana] Zed joined the game',
				'Bo: Zed joined the game',
				'Cy joined the game'
			),
			{ fileDate: FILE_DATE }
		);
		expect(events.slice(3).map(short)).toEqual([
			['say', 'Ana', 'Zed joined the game'],
			['join', 'Cy', 'joined the game']
		]);
		expect(log.online().map(({ name }) => name)).toEqual(['Ana', 'Bo', 'Cy']);
	});

	test('names made of brackets speak, and nothing else', () => {
		for (const name of ['<Ana>', '[Ana]', '* Bo', '[12:00:00]', '/INFO]: x', 'Ana: x']) {
			const log = createGameLog();
			log.feed(said(...RUN), { fileDate: FILE_DATE });
			const { events } = log.feed(
				said(`${name} joined the game`, `${name} left the game`, `${name} was slain by Bo`),
				{ fileDate: FILE_DATE }
			);
			expect(events.filter(({ kind }) => !['chat', 'say', 'me'].includes(kind))).toEqual([]);
			expect(log.online()).toHaveLength(2);
		}
	});

	test('lines without a prefix, and those of other threads and levels, are nothing', () => {
		const { events } = feed([
			...said(...RUN),
			'Ana left the game',
			' [12:00:00] [Server thread/INFO]: Ana left the game',
			'[12:00:00] [Server thread/DEBUG]: Ana left the game',
			'[12:00:00] [Server thread/WARN]: Ana left the game',
			'[12:00:00] [RCON Client /127.0.0.1 #2/INFO]: Ana left the game',
			`[12:00:00] [Server thread/INFO]: UUID of player Ana is ${ID}`
		]);
		expect(events).toHaveLength(3);
	});
});

describe('the server itself', () => {
	test('start, ready, lag, crash and stop are told once in a run', () => {
		const at = (level: string, thread: string, m: string) =>
			`[12:00:00] [${thread}/${level}]: ${m}`;
		const run = [
			at('INFO', 'Server thread', START),
			at('INFO', 'Server thread', 'Done preparing level "world" (6.3s)'),
			at('INFO', 'Server thread', 'Done (12,345s)! For help, type "help" or "?"'),
			at(
				'WARN',
				'Server thread',
				"Can't keep up! Is the server overloaded? Running 2024ms or 40 ticks behind"
			),
			at(
				'WARN',
				'Server thread',
				"Can't keep up! Did the system time change, or is the server overloaded? Running 2676ms behind, skipping 53 tick(s)"
			),
			at(
				'FATAL',
				'Server Watchdog',
				'Considering it to be crashed, server will forcibly shutdown.'
			),
			at(
				'ERROR',
				'Server Watchdog',
				'This crash report has been saved to: /srv/crash-reports/x.txt'
			),
			at('INFO', 'Server Shutdown Thread', 'Stopping server'),
			at('INFO', 'Server thread', 'Stopping server')
		];
		const kinds = ['start', 'ready', 'lag', 'lag', 'crash', 'stop'];
		expect(events(...run, ...run).map(([kind]) => kind)).toEqual([...kinds, ...kinds]);
	});

	test('those who were not logged as leaving are gone when it stops, and forgotten at the next start', () => {
		const log = createGameLog();
		log.feed(said(...RUN, 'Stopping server'), { fileDate: FILE_DATE });
		expect(log.online()).toEqual([]);
		const { events } = log.feed(
			said(
				'Ana lost connection: Server closed',
				'Ana left the game',
				START,
				'Bo was slain by Zombie'
			),
			{ fileDate: FILE_DATE }
		);
		expect(events.map(({ kind }) => kind)).toEqual(['leave', 'start']);
		expect(log.online()).toEqual([]);
	});
});

describe('reading that begins in the middle', () => {
	const MIDDLE = said(
		'Ana was slain by Blaze',
		'<Ana> l',
		'Bo fell off a ladder',
		'Bo lost connection: Disconnected',
		'Bo left the game',
		'Cy was slain by Blaze',
		...join('Cy'),
		'Cy was slain by Blaze',
		'Vex was slain by Ana',
		'Di died',
		'lost and found lost connection: x',
		'[VIP] Dora died',
		'di lost connection: Disconnected',
		'[VIP] Dora left the game'
	);

	test('who is heard of without having come was there before, and can die', () => {
		const log = createGameLog();
		const { events } = log.feed(MIDDLE, { fileDate: FILE_DATE });
		expect(events.filter(({ kind }) => kind === 'death').map(short)).toEqual([
			['death', 'Ana', 'was slain by Blaze'],
			['death', 'Bo', 'fell off a ladder'],
			['death', 'Cy', 'was slain by Blaze'],
			['death', '[VIP] Dora', 'died']
		]);
		expect(events.at(-1)).toMatchObject({
			kind: 'leave',
			player: { name: 'di', display: '[VIP] Dora' }
		});
		// Since when Ana is there is not known.
		expect(log.online().map(({ name, since }) => [name, since !== null])).toEqual([
			['Ana', false],
			['Cy', true]
		]);
	});

	test('the same lines are the same events, wherever reading begins and however they come', () => {
		const lines = [
			...said(...RUN, '<Ana> hi', '<Ana> hi', '* Bo waves'),
			...said('<Ana> hi', 'Bo drowned')
		];
		const whole = feed(lines).events;
		expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
		expect(feed(lines).events).toEqual(whole);

		const log = createGameLog();
		const single = lines.flatMap((line) => log.feed([line], { fileDate: FILE_DATE }).events);
		expect(single).toEqual(whole);

		const tail = createGameLog().feed(lines.slice(5), { fileDate: FILE_DATE }).events;
		expect(whole.map(({ id }) => id)).toEqual(expect.arrayContaining(tail.map(({ id }) => id)));
	});
});

describe('what is hostile', () => {
	test('lines of 100 kB of anything take no time', () => {
		const KB100 = 100_000;
		const many = (text: string) => text.repeat(KB100 / text.length);
		const evil = [
			...[
				'<',
				'<a>',
				'> ',
				'[',
				'[a] ',
				'* ',
				' ',
				'a ',
				'(/',
				'\u001b]',
				'\u001b[',
				'§',
				'{[(',
				'>'
			],
			...[' joined the game', ' left the game', ' lost connection: ', ' logged in with entity id '],
			...['a (formerly known as ', ' has made the advancement [', ' was slain by ', '[Not Secure] ']
		].map(many);
		const shapes = evil.flatMap((text) => [
			text,
			`[${text}`,
			`[12:00:00] [${text}`,
			`[12:00:00] [Server thread/INFO] [${text}`,
			...said(text, `<${text}`, `[Not Secure] [${text}`, `Ana ${text}`, `Ana was slain by ${text}`)
		]);
		const log = createGameLog();
		log.feed(said(...RUN), { fileDate: FILE_DATE });
		const begin = performance.now();
		for (const line of [...shapes, ...shapes.map((line) => line.slice(0, 3900))])
			log.feed([line], { fileDate: FILE_DATE });
		// Some 25 µs a line on a quiet machine; quadratic time would be minutes.
		expect(performance.now() - begin).toBeLessThan(10_000);
		expect(log.online()).toHaveLength(2);
	});

	test('a flood of names, whatever they do, is held in bounded memory', () => {
		const log = createGameLog();
		for (let i = 0; i < 30; i++) {
			const names = Array.from({ length: 500 }, (_, n) => `P${i}_${n}`);
			log.feed(
				[
					...names.map(
						(n) => `[12:00:00] [User Authenticator #1/INFO]: UUID of player ${n} is ${ID}`
					),
					...said(...names.flatMap(join), ...names.map((n) => `<[x] ${n}> hi`))
				],
				{ fileDate: FILE_DATE }
			);
		}
		expect(log.online().length).toBeLessThanOrEqual(2000);
	});

	test('random bytes in place of lines break nothing', () => {
		let seed = 7;
		const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n;
		const pieces = [
			'[',
			']',
			'<',
			'>',
			' ',
			':',
			'12:00:00',
			'Server thread',
			'/INFO',
			'Ana',
			'\ufffd'
		];
		const more = [
			' joined the game',
			' left the game',
			'[Not Secure] ',
			'§',
			'\u001b[',
			'\ud800',
			'999'
		];
		const log = createGameLog();
		for (let i = 0; i < 5000; i++) {
			const line = Array.from(
				{ length: random(12) },
				() => [...pieces, ...more][random(pieces.length + more.length)]
			).join('');
			const { entries, continued } = log.feed([line, `[12:00:00] [Server thread/INFO]: ${line}`], {
				fileDate: FILE_DATE
			});
			expect(entries.length + continued.length).toBeGreaterThan(0);
		}
	});
});
