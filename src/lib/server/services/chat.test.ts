import {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createManualClock, settle } from '../../../../tests/fakes/manual-clock.ts';
import { startFakeRcon, type FakeRconScript } from '../../../../tests/fakes/rcon.ts';
import type { ChatMessage } from '../../schemas/chat.ts';
import type { Actor } from '../core/actor.ts';
import { systemClock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { createLock } from '../core/lock.ts';
import { createFollower } from '../minecraft/follow.ts';
import { createGameLog } from '../minecraft/game-log.ts';
import { createRcon } from '../minecraft/rcon.ts';
import { recentLines } from '../minecraft/recent-lines.ts';
import { createChat, type Chat } from './chat.ts';

type Deps = Parameters<typeof createChat>[0];

const ADMIN: Actor = { name: 'marta', role: 'admin', address: '203.0.113.1' };
const SUPERADMIN: Actor = { name: 'root', role: 'superadmin', address: null };
/** Passes as soon as it holds; the limit is for machines that are busy. */
const soon = <T>(check: () => T) => vi.waitFor(check, { timeout: 15_000, interval: 5 });

let dir: string;
let logFile: string;
let sentFile: string;
const cleanups: (() => unknown)[] = [];
beforeEach(() => {
	dir = mkdtempSync(path.join(tmpdir(), 'craftwarden-chat-'));
	logFile = path.join(dir, 'latest.log');
	sentFile = path.join(dir, 'chat-sent.jsonl');
});
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	rmSync(dir, { recursive: true, force: true });
});

/** A line of the server thread, with its date as on Forge: what is read does not depend on today. */
const line = (time: string, message: string) =>
	`[02Jan2026 ${time}] [Server thread/INFO] [net.minecraft.server.MinecraftServer/]: ${message}\n`;
const write = (...lines: string[]) => appendFileSync(logFile, lines.join(''));
const texts = (messages: ChatMessage[]) => messages.map(({ player, text }) => `${player}: ${text}`);
/** A line that the log has at a moment of the clock, in local time. */
const lineAt = (clock: { now(): Date }, message: string) => {
	const now = clock.now();
	const day = String(now.getDate()).padStart(2, '0');
	return line(`${now.toTimeString().slice(0, 8)}.000`, message).replace('[02', `[${day}`);
};

function setup(over: Partial<Deps> = {}) {
	const clock = createManualClock('2026-01-02T03:04:05.000Z');
	const follower = createFollower({ file: logFile, pollMs: 2, clock: systemClock });
	const commands: string[] = [];
	const audited: unknown[] = [];
	const errors: string[] = [];
	const world = {
		answer: async (_: string) => '',
		stopped: false,
		followers: 0,
		reads: 0
	};
	const chat = createChat({
		follow: {
			subscribe(listener) {
				world.followers++;
				const off = follower.subscribe(listener);
				return () => {
					world.followers--;
					off();
				};
			}
		},
		tail: () => (world.reads++, recentLines(logFile)),
		gameLog: createGameLog,
		rcon: { command: (command) => (commands.push(command), world.answer(command)) },
		isStopped: async () => world.stopped,
		sentFile,
		record: async (by, action, facts) =>
			void audited.push([by.name, action, facts?.result ?? 'done', facts?.detail]),
		log: { error: (message) => errors.push(message) },
		clock,
		...over
	});
	cleanups.push(
		() => chat.close(),
		() => follower.close()
	);
	return { chat, clock, world, commands, audited, errors };
}
function listen(chat: Chat) {
	const batches: ChatMessage[][] = [];
	const off = chat.subscribe((messages) => batches.push(messages));
	return { batches, off, heard: () => texts(batches.flat()) };
}

describe('reading', () => {
	test('a fresh reader is told what was said before, then what is said, each once and in order', async () => {
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
			text: 'ouch'
		});
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

	test('without a log there is no chat, and it begins with the log', async () => {
		const { chat } = setup();
		expect(await chat.list(10)).toEqual([]);
		const { heard } = listen(chat);
		write(line('02:00:00.000', '<Ana> first'));
		await soon(() => expect(heard()).toEqual(['Ana: first']));
	});

	test('the log is read only while somebody listens, or has asked within a minute', async () => {
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

	test('what was said while nobody listened is read when somebody does, and nothing twice', async () => {
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

	test('a log that has begun anew keeps what was said in the old one', async () => {
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

	test('a log of any size is read from its last two megabytes, from whole lines', async () => {
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

	test('lines that the follower gives once more after the log was read are told once', async () => {
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

	test('a log that cannot be read is told in our own, and what comes is heard all the same', async () => {
		const { chat, errors } = setup({ tail: () => Promise.reject(new Error('EIO')) });
		const { heard } = listen(chat);
		await settle();
		expect(errors).toHaveLength(1);
		write(line('02:00:00.000', '<Ana> hi'));
		await soon(() => expect(heard()).toEqual(['Ana: hi']));
	});

	test('lines that nobody has foreseen end nothing', async () => {
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

	test('a name in another charset gives way to that of the profile', async () => {
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

	test('who plays since when', async () => {
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

	test('a flood of thousands of lines is a few batches, and 500 messages in memory', async () => {
		write(line('02:00:00.000', '<Ana> before'));
		const { chat } = setup();
		const { batches, heard } = listen(chat);
		await soon(() => expect(heard()).toHaveLength(1));
		const flood = Array.from({ length: 5000 }, (_, i) => line('02:00:01.000', `<Ana> flood ${i}`));
		appendFileSync(logFile, flood.join(''));
		await soon(() => expect(heard().at(-1)).toBe('Ana: flood 4999'));
		expect(heard()).toHaveLength(5001);
		// The file is read in blocks of some thousand lines.
		expect(batches.length).toBeLessThan(20);
		expect(chat.recent(10_000)).toHaveLength(500);
		expect(await chat.list(500)).toHaveLength(500);
	});
});

describe('speaking', () => {
	test('players see the role and the words; everybody here sees it at once', async () => {
		const { chat, commands, audited, clock } = setup();
		const { heard } = listen(chat);
		const sent = await chat.say('Back in  five "minutes" \\o/', ADMIN);
		expect(commands).toEqual([
			'tellraw @a {"text":"","extra":[{"text":"[Admin] ","color":"gold"},{"text":"Back in  five \\"minutes\\" \\\\o/"}]}'
		]);
		expect(sent).toEqual({
			id: expect.any(String),
			at: clock.now().toISOString(),
			kind: 'say',
			player: 'Admin',
			text: 'Back in  five "minutes" \\o/'
		});
		expect(heard()).toEqual(['Admin: Back in  five "minutes" \\o/']);
		expect(chat.recent(1)).toEqual([sent]);
		expect(audited).toEqual([['marta', 'chat.say', 'done', sent.text]]);
		await chat.say('hi', SUPERADMIN);
		expect(JSON.stringify(commands) + readFileSync(sentFile, 'utf8')).not.toMatch(/marta|root/);
		expect(texts(chat.recent(1))).toEqual(['Superadmin: hi']);
	});

	test('what was sent is kept, and stands between what was said before and after', async () => {
		const first = setup();
		write(lineAt(first.clock, '<Ana> when?'));
		await first.clock.advance(2000);
		const sent = await first.chat.say('now', ADMIN);
		await first.clock.advance(2000);
		write(lineAt(first.clock, '<Ana> thanks'));
		expect(statSync(sentFile).mode & 0o777).toBe(0o600);

		const { chat } = setup();
		expect(texts(await chat.list(10))).toEqual(['Ana: when?', 'Admin: now', 'Ana: thanks']);
		expect(await chat.list(2)).toContainEqual(sent);
		const again = listen(chat);
		expect(texts(chat.recent(2))).toEqual(['Admin: now', 'Ana: thanks']);
		expect(again.batches).toEqual([]);
	});

	test.each([
		['line\nbreak\r\nand\ttab', 'line break and tab'],
		['§4red §lbold', '4red lbold'],
		['\u001b[31mansi\u0007\u0000', '[31mansi'],
		['@a @e[type=!x] /op me', '@a @e[type=!x] /op me'],
		['","color":"red"}]', '","color":"red"}]'],
		['{"text":"x"} ${jndi:ldap://x}', '{"text":"x"} ${jndi:ldap://x}'],
		['half \ud83d pair', 'half \ufffd pair'],
		['\u202eevil\u2066', 'evil'],
		['안녕 👋🏽 ñ', '안녕 👋🏽 ñ'],
		['a\u2028b\u2029c\u0085', 'a b c'],
		['  trimmed  ', 'trimmed']
	])('%j is shown as %j and is nothing else', async (message, shown) => {
		const { chat, commands } = setup();
		expect((await chat.say(message, ADMIN)).text).toBe(shown);
		const [command] = commands;
		expect(command).not.toMatch(/[\p{Cc}§\u2028\u2029]/u);
		expect(JSON.parse(command!.slice('tellraw @a '.length)).extra[1]).toEqual({ text: shown });
	});

	test('the longest messages that the form takes fit into a command', async () => {
		const { chat, commands } = setup();
		for (const sign of ['"', '\\', '漢', '😀', 'x'])
			await chat.say(sign.repeat(256 / sign.length), ADMIN);
		for (const command of commands) expect(Buffer.byteLength(command)).toBeLessThanOrEqual(1446);
	});

	test.each([
		'',
		'   ',
		'§§',
		'\u200b\u200d',
		'\u0000\u0007',
		'漢'.repeat(500),
		'x'.repeat(10_000)
	])('what is empty or too long is refused before anything is sent: %#', async (message) => {
		const { chat, commands } = setup();
		const { heard } = listen(chat);
		await expect(chat.say(message, ADMIN)).rejects.toMatchObject({
			kind: 'invalid',
			issues: [{ path: 'message' }]
		});
		expect(commands).toEqual([]);
		expect(heard()).toEqual([]);
	});

	test.each<[string, Partial<{ stopped: boolean; answer: () => Promise<string> }>, object]>([
		['the server is stopped', { stopped: true }, { kind: 'offline', code: 'server-stopped' }],
		[
			'the console cannot be reached',
			{ answer: () => Promise.reject(new AppError('offline', 'Off.', { code: 'rcon-off' })) },
			{ kind: 'offline', code: 'rcon-off' }
		],
		[
			'no answer comes',
			{ answer: () => Promise.reject(new AppError('timeout', '?', { code: 'outcome-unknown' })) },
			{ kind: 'timeout', code: 'outcome-unknown', message: expect.stringMatching(/may or may not/) }
		],
		[
			'the server answers with an error',
			{ answer: async () => 'Unknown command<script>\u001b[2J§4\u0000<--[HERE]' },
			{ kind: 'upstream', message: expect.stringContaining('Unknown command<script>') }
		]
	])('nothing is kept as sent when %s', async (_, change, failure) => {
		const { chat, world, audited } = setup();
		Object.assign(world, change);
		const { heard } = listen(chat);
		const error = await chat.say('hello', ADMIN).catch((cause: unknown) => cause);
		expect(error).toBeInstanceOf(AppError);
		expect(error).toMatchObject(failure);
		expect((error as Error).message).not.toMatch(/[\p{Cc}§]/u);
		expect(heard()).toEqual([]);
		expect(chat.recent(10)).toEqual([]);
		expect(existsSync(sentFile)).toBe(false);
		expect(audited).toEqual([['marta', 'chat.say', 'failed', expect.stringContaining('hello')]]);
	});

	test('an answer of any length is cut in the refusal', async () => {
		const { chat, world } = setup();
		world.answer = async () => 'x'.repeat(100_000);
		const error = (await chat.say('hello', ADMIN).catch((cause: unknown) => cause)) as Error;
		expect(error.message.length).toBeLessThan(400);
	});

	test('with nobody in the game it is still part of the chat', async () => {
		const { chat, world, audited } = setup();
		for (const answer of ['No player was found', "Selector '@a' found nothing"]) {
			world.answer = async () => answer;
			expect((await chat.say('hello', ADMIN)).text).toBe('hello');
		}
		expect(chat.recent(10)).toHaveLength(2);
		expect(audited[0]).toEqual(['marta', 'chat.say', 'done', 'hello (nobody was online)']);
	});

	test('many at once are all sent and kept, each on its line', async () => {
		const { chat, commands } = setup();
		await Promise.all(Array.from({ length: 50 }, (_, i) => chat.say(`message ${i}`, ADMIN)));
		expect(commands).toHaveLength(50);
		const again = await setup().chat.list(500);
		expect(texts(again).toSorted()).toEqual(texts(chat.recent(500)).toSorted());
		expect(new Set(again.map(({ id }) => id)).size).toBe(50);
	});

	test('a torn line, and what is not ours, is one message less', async () => {
		const { chat } = setup();
		await chat.say('one', ADMIN);
		appendFileSync(sentFile, '{"id":"x","at":"2026-01-02T03:04:05.000Z","kind":"sa');
		await chat.say('two', ADMIN);
		appendFileSync(sentFile, '\n\u0000\u0000\n[]\n{"id":1}\n');
		expect(texts(await setup().chat.list(10))).toEqual(['Admin: one', 'Admin: two']);
	});

	test('a file that has grown long keeps the last five hundred', async () => {
		const old = (i: number) =>
			`${JSON.stringify({ id: `old-${i}`, at: '2026-01-01T00:00:00.000Z', kind: 'say', player: 'Admin', text: `${i} ${'x'.repeat(200)}` })}\n`;
		writeFileSync(sentFile, Array.from({ length: 4000 }, (_, i) => old(i)).join(''));
		const { chat } = setup();
		await chat.say('newest', ADMIN);
		expect(readFileSync(sentFile, 'utf8').trim().split('\n')).toHaveLength(500);
		expect((await setup().chat.list(500)).map(({ id }) => id).slice(0, 1)).toEqual(['old-3501']);
	});

	test('what cannot be kept was sent nevertheless', async () => {
		mkdirSync(sentFile);
		const { chat, errors } = setup();
		const { heard } = listen(chat);
		expect((await chat.say('hello', ADMIN)).text).toBe('hello');
		expect(heard()).toEqual(['Admin: hello']);
		expect(errors.length).toBeGreaterThan(0);
	});

	test('a real console takes every command as it is', async () => {
		const script: FakeRconScript = { answer: () => '' };
		const fake = await startFakeRcon(script);
		cleanups.push(() => fake.close());
		const rcon = createRcon({
			address: async () => fake.address,
			lock: createLock(path.join(dir, 'rcon.lock'), systemClock),
			clock: systemClock
		});
		cleanups.push(() => rcon.close());
		const { chat } = setup({ rcon });
		for (const text of ['hi', '漢'.repeat(256), '"'.repeat(256), 'a\nop marta'])
			await chat.say(text, ADMIN);
		expect(fake.violations).toEqual([]);
		expect(
			fake.commands.map((c) => JSON.parse(c.slice('tellraw @a '.length)).extra[1].text)
		).toEqual(['hi', '漢'.repeat(256), '"'.repeat(256), 'a op marta']);
		script.answer = () => ({ fault: 'close' });
		await expect(chat.say('lost', ADMIN)).rejects.toMatchObject({ code: 'outcome-unknown' });
		expect(texts(chat.recent(1))).toEqual(['Admin: a op marta']);
	});
});
