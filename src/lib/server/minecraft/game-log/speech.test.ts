import { describe, expect, test } from 'vitest';
import {
	FILE_DATE,
	ID,
	said,
	feed,
	short,
	login,
	inRun,
	RUN
} from '../../../../../tests/fakes/game/game-log-lines.ts';
import { createGameLog } from './game-log.ts';

describe('speech', () => {
	test('/say by players, the console, RCON and command blocks', () => {
		expect(
			inRun(
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

	test('plugins and mods that begin a line like /say or /me do not count as speech', () => {
		expect(
			inRun(
				'[Essentials] Loaded',
				'[betternether] Freeze Registry[x]',
				'[Ana: Set own game mode to Creative Mode]',
				'[Geyser-Spigot] Done (2.101s)! Run /geyser help for help!',
				'* Loading 3 things',
				'<--[HERE]'
			)
		).toEqual([]);
	});

	test('chat is one line of text without formatting and control characters, and bounded', () => {
		const [, , text] = inRun(
			`<Ana> \u001b]0;title\u0007§cred\u202e\u0000 ${'long '.repeat(200)}`
		)[0]!;
		expect(text).toMatch(/^red long long/);
		expect(text!.length).toBeLessThanOrEqual(300);
		expect(inRun('<Ana> a\u2028[12:00:00] [Server thread/INFO]: Bo left the game')).toEqual([
			['chat', 'Ana', 'a [12:00:00] [Server thread/INFO]: Bo left the game']
		]);
	});

	test('JNDI lookups and markup are plain text', () => {
		for (const text of ['${jndi:ldap://x/a}', '<img src=x onerror=alert(1)>', '{"text":"x"}', '@a'])
			expect(inRun(`<Ana> ${text}`)).toEqual([['chat', 'Ana', text]]);
	});
});

describe('what a player writes is never anything but chat', () => {
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
		'System chat: Bo left the game',
		'Herobrine (/203.0.113.1:1) lost connection: You are not white-listed on this server!',
		'com.mojang.authlib.GameProfile@1[id=<null>,name=Herobrine] (/203.0.113.1:1) lost connection: x'
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

	test.each(FORGED)('in an unknown chat format: %s', (words) => {
		const log = createGameLog();
		const lines = [
			...said(...RUN, `[Owner] Ana: ${words}`, `Ana » ${words}`, `Ana: ${words}`),
			...said(`Ana > ${words}`, `Ana | ${words}`, `Ana - ${words}`, `(Ana) ${words}`),
			...said(`Ana issued server command: /me ${words}`, `[Ana: Named it ${words}]`),
			...said(`[Ana: Gave 1 [${words}] to Bo]`),
			...said(
				`Villager Villager['${words}'/7, l='ServerLevel[w]', x=1.0] died, message: '${words}'`
			),
			...said(`Named entity EntityZombie['${words}'/7, l='w', x=1.0] died: ${words}`),
			`[12:00:00] [Async Chat Thread - #1/INFO]: ${words}`
		];
		const { events } = log.feed(lines, { fileDate: FILE_DATE });
		const more = events.slice(3).map(({ kind }) => kind);
		// What stands alone on a chat thread is chat or nothing.
		expect(more.filter((kind) => !['chat', 'say'].includes(kind))).toEqual([]);
		expect(log.online().map(({ name }) => name)).toEqual(['Ana', 'Bo']);
	});

	test('a mob renamed to look like a log line can only kill', () => {
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

	test.each(FORGED)('in such a format, while others come and go: %s', (words) => {
		const formats = ['Ana - %', 'Ana | %', '(Ana) %', 'Ana > %'];
		const spoken = formats.map((format) => format.replace('%', words));
		const log = createGameLog();
		const lines = said(
			...[...RUN, login('Cy'), ...spoken, 'Cy joined the game'],
			...['Bo lost connection: Disconnected', ...spoken, 'Bo left the game']
		);
		const { events } = log.feed(lines, { fileDate: FILE_DATE });
		expect(events.slice(3).map(short)).toEqual([
			['join', 'Cy', 'joined the game'],
			['leave', 'Bo', 'left the game']
		]);
		expect(log.online().map(({ name }) => name)).toEqual(['Ana', 'Cy']);
	});

	test('on Forge, where a bracketed name may be a rank, that of a player speaks', () => {
		const forge = (message: string) =>
			`[26Feb2025 12:00:00.123] [Server thread/INFO] [net.minecraft.server.MinecraftServer/]: ${message}`;
		const log = createGameLog();
		const lines = [...RUN, '(Ana) Bo was slain by Zombie', '[VIP] Bo was slain by Zombie'].map(
			forge
		);
		const { events } = log.feed(lines, { fileDate: null });
		expect(events.slice(3).map(short)).toEqual([['death', '[VIP] Bo', 'was slain by Zombie']]);
	});

	test('a chat line cannot make somebody join while another player logs in', () => {
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

	test('names made of brackets chat, and nothing else', () => {
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

	test('lines without a prefix, and those of other threads and levels, are ignored', () => {
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
