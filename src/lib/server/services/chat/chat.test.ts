import { appendFileSync, renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { settle } from '../../../../../tests/fakes/manual-clock.ts';
import { createGameLog } from '#minecraft/game-log';
import {
	logFile,
	line,
	write,
	texts,
	setup,
	listen,
	filesForEach
} from '../../../../../tests/fakes/chat-kit.ts';
import { soon } from '../../../../../tests/soon.ts';

filesForEach();

describe('reading', () => {
	test('a new reader gets what was said before, then what is said, each once and in order', async () => {
		write(line('02:00:00.000', 'Starting minecraft server version 1.20.1'));
		write(
			line('02:01:00.000', 'Ana[/203.0.113.7:1] logged in with entity id 1 at (0.0, 64.0, 0.0)')
		);
		write(line('02:01:00.001', 'Ana joined the game'), line('02:02:00.000', '<Ana> hello'));
		const { chat } = setup();
		const { heard } = listen(chat);
		await soon(() => expect(heard()).toEqual(['Ana: joined the game', 'Ana: hello']));
		write(line('02:03:00.000', 'Ana was slain by Zombie'), line('02:03:01.000', '<Ana> ouch'));
		const all = ['Ana: joined the game', 'Ana: hello', 'Ana: was slain by Zombie', 'Ana: ouch'];
		await soon(() => expect(heard()).toEqual(all));
		expect(texts(chat.recent(2))).toEqual(all.slice(-2));
		expect(chat.recent(100)).toEqual(await chat.list(100));
		expect(chat.recent(1)[0]).toEqual({
			id: expect.any(String),
			at: new Date(2026, 0, 2, 2, 3, 1).toISOString(),
			kind: 'chat',
			player: 'Ana',
			who: { name: 'Ana', uuid: null },
			text: 'ouch'
		});
	});

	test('a message says which player a name belongs to, and of no other name that it is one', async () => {
		const uuid = 'bfdaa11a-4a11-4b62-9a7e-0d6dd9e4ab09';
		write(
			`[02Jan2026 02:00:59.000] [User Authenticator #1/INFO] [net.minecraft.server.MinecraftServer/]: UUID of player Ana is ${uuid}\n`,
			line('02:01:00.000', 'Ana[/203.0.113.7:1] logged in with entity id 1 at (0.0, 64.0, 0.0)'),
			line('02:01:00.001', '[VIP] Ana joined the game'),
			line('02:02:00.000', '<[VIP] Ana> hello'),
			line('02:02:01.000', '[Ana] attention'),
			line('02:02:02.000', '<Bo> I was here before'),
			line('02:02:03.000', '<Bo of the hills> I am called something else'),
			line('02:02:04.000', '[Server] hi'),
			line('02:02:05.000', '* Server waves')
		);
		const who = (await setup().chat.list(10)).map((one) => [one.player, one.who]);
		const ana = { name: 'Ana', uuid };
		expect(who).toEqual([
			['[VIP] Ana', ana],
			['[VIP] Ana', ana],
			['Ana', ana],
			['Bo', { name: 'Bo', uuid: null }],
			['Bo of the hills', undefined],
			['Server', undefined],
			['Server', undefined]
		]);
	});

	test('only what people see in the chat is a message', async () => {
		write(
			line('02:00:00.000', 'Starting minecraft server version 1.20.1'),
			line('02:00:01.000', 'Done (1.0s)! For help, type "help"')
		);
		write(line('02:00:02.000', 'Cy (/203.0.113.9:1) lost connection: Disconnected'));
		write(line('02:00:03.000', '[Server] hi'));
		expect(texts(await setup().chat.list(10))).toEqual(['Server: hi']);
	});

	test('without a log there is no chat, and it begins when the log does', async () => {
		const { chat } = setup();
		expect(await chat.list(10)).toEqual([]);
		const { heard } = listen(chat);
		write(line('02:00:00.000', '<Ana> first'));
		await soon(() => expect(heard()).toEqual(['Ana: first']));
	});

	test('the log is read only while somebody listens, or has asked within the last minute', async () => {
		write(line('02:00:00.000', '<Ana> one'));
		const { chat, world, clock } = setup();
		expect(world).toMatchObject({ followers: 0, reads: 0 });
		const one = listen(chat);
		const two = listen(chat);
		await soon(() => expect(one.heard()).toEqual(['Ana: one']));
		expect(world).toMatchObject({ followers: 1, reads: 1 });
		one.off();
		one.off();
		expect(world.followers).toBe(1);
		two.off();
		expect(world.followers).toBe(0);

		await chat.list(10);
		expect(world).toMatchObject({ followers: 1, reads: 2 });
		await clock.advance(59_000);
		await chat.list(10);
		await clock.advance(59_000);
		expect(world).toMatchObject({ followers: 1, reads: 2 });
		await clock.advance(2_000);
		expect(world.followers).toBe(0);
		expect(clock.sleeping).toBe(0);
	});

	test('messages sent while nobody listened are read when somebody does, and nothing twice', async () => {
		write(line('02:00:00.000', '<Ana> one'));
		const { chat } = setup();
		const first = listen(chat);
		await soon(() => expect(first.heard()).toEqual(['Ana: one']));
		first.off();
		write(line('02:00:01.000', '<Ana> two'));
		const second = listen(chat);
		await soon(() => expect(second.heard()).toEqual(['Ana: two']));
		expect(texts(chat.recent(10))).toEqual(['Ana: one', 'Ana: two']);
	});

	test('a rotated log keeps the messages of the old one', async () => {
		write(line('02:00:00.000', '<Ana> old'));
		const { chat } = setup();
		const first = listen(chat);
		await soon(() => expect(first.heard()).toEqual(['Ana: old']));
		renameSync(logFile, `${logFile}.1`);
		write(line('02:00:01.000', '<Ana> new'));
		await soon(() => expect(first.heard()).toEqual(['Ana: old', 'Ana: new']));
		first.off();
		renameSync(logFile, `${logFile}.2`);
		write(line('02:00:02.000', '<Ana> newest'));
		expect(texts(await chat.list(10))).toEqual(['Ana: old', 'Ana: new', 'Ana: newest']);
	});

	test('a restart of the dashboard gives every message the same id', async () => {
		write(
			...Array.from({ length: 30 }, (_, i) => line(`02:00:0${i % 10}.000`, `<Ana> hi ${i % 3}`))
		);
		const before = await setup().chat.list(100);
		expect(new Set(before.map(({ id }) => id)).size).toBe(30);
		write(line('02:01:00.000', '<Ana> more'));
		const after = await setup().chat.list(100);
		expect(after.slice(0, 30)).toEqual(before);
	});

	test('a log of any size is read from its last two megabytes, starting at a whole line', async () => {
		const noise = line('01:00:00.000', `Loaded ${'x'.repeat(1000)}`);
		write(
			line('00:00:00.000', '<Ana> long ago'),
			noise.repeat(3000),
			line('02:00:00.000', '<Ana> now')
		);
		appendFileSync(logFile, line('02:00:01.000', '<Ana> half a li').slice(0, -1));
		const { chat } = setup();
		expect(texts(await chat.list(100))).toEqual(['Ana: now']);
		const { heard } = listen(chat);
		appendFileSync(logFile, 'ne\n');
		await soon(() => expect(heard()).toEqual(['Ana: half a line']));
	});

	test('lines that the follower delivers again after the log was read appear once', async () => {
		const held: { listener?: (lines: string[]) => void; answer?: (lines: string[]) => void } = {};
		const { chat } = setup({
			follow: { subscribe: (listener) => ((held.listener = listener), () => {}) },
			tail: () =>
				new Promise((resolve) => {
					held.answer = (lines) => resolve({ lines, modifiedAt: null });
				})
		});
		const { heard } = listen(chat);
		const said = (n: number) => line(`02:00:0${n}.000`, `<Ana> ${n}`).trim();
		held.listener!([said(2), said(3)]);
		held.answer!([said(1), said(2), said(3), said(4), said(5)]);
		await soon(() => expect(heard()).toHaveLength(5));
		held.listener!([said(4), said(5), said(6)]);
		held.listener!([said(6), said(7)]);
		expect(
			heard()
				.map((text) => text.slice(-1))
				.join('')
		).toBe('12345667');
	});

	test('an unreadable log is reported in ours, and later lines are still heard', async () => {
		const { chat, errors } = setup({ tail: () => Promise.reject(new Error('EIO')) });
		const { heard } = listen(chat);
		await settle();
		expect(errors).toHaveLength(1);
		write(line('02:00:00.000', '<Ana> hi'));
		await soon(() => expect(heard()).toEqual(['Ana: hi']));
	});

	test('unexpected lines end nothing', async () => {
		let broken = true;
		const { chat, errors } = setup({
			gameLog: () => {
				const log = createGameLog();
				return {
					...log,
					feed(lines, facts) {
						if (broken && lines.length) throw new Error('bug');
						return log.feed(lines, facts);
					}
				};
			}
		});
		write(line('02:00:00.000', '<Ana> one'));
		expect(await chat.list(10)).toEqual([]);
		expect(errors).toHaveLength(1);
		broken = false;
		const { heard } = listen(chat);
		write(line('02:00:01.000', '<Ana> two'));
		await soon(() => expect(heard()).toEqual(['Ana: two']));
	});

	test('a name in another charset gives way to the profile name', async () => {
		write(
			line('02:00:00.000', 'Starting minecraft server version 1.20.1'),
			line('02:01:00.000', 'Quin[/203.0.113.7:1] logged in with entity id 1 at (0.0, 64.0, 0.0)')
		);
		write(
			line('02:01:00.001', '[\ufffd\ufffd] \ufffd\ufffd joined the game'),
			line('02:02:00.000', '<[\ufffd\ufffd] \ufffd\ufffd> hi')
		);
		expect(texts(await setup().chat.list(10))).toEqual(['Quin: joined the game', 'Quin: hi']);
	});

	test('who has been playing since when', async () => {
		write(line('02:00:00.000', '<Bo> I was here before'));
		write(
			line('02:01:00.000', 'Ana[/203.0.113.7:1] logged in with entity id 1 at (0.0, 64.0, 0.0)'),
			line('02:01:00.001', 'Ana joined the game')
		);
		const { chat } = setup();
		expect(chat.sessions()).toEqual([]);
		await chat.list(1);
		expect(chat.sessions()).toEqual([
			{ name: 'Ana', uuid: null, since: new Date(2026, 0, 2, 2, 1).toISOString() }
		]);
	});

	test('a flood of thousands of lines becomes a few batches, with 500 messages in memory', async () => {
		write(line('02:00:00.000', '<Ana> before'));
		const { chat } = setup();
		const { batches, heard } = listen(chat);
		await soon(() => expect(heard()).toHaveLength(1));
		const flood = Array.from({ length: 5000 }, (_, i) => line('02:00:01.000', `<Ana> flood ${i}`));
		appendFileSync(logFile, flood.join(''));
		await soon(() => expect(heard().at(-1)).toBe('Ana: flood 4999'));
		expect(heard()).toHaveLength(5001);
		// The file is read in blocks of several thousand lines.
		expect(batches.length).toBeLessThan(20);
		expect(chat.recent(10_000)).toHaveLength(500);
		expect(await chat.list(500)).toHaveLength(500);
	});
});
