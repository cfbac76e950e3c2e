import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	statSync,
	writeFileSync
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startFakeRcon, type FakeRconScript } from '../../../../../tests/fakes/game/rcon.ts';
import type { Actor } from '#core/actor';
import { systemClock } from '#core/clock';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createRcon } from '#minecraft/rcon';
import {
	dir,
	sentFile,
	cleanups,
	line,
	write,
	texts,
	setup,
	listen,
	filesForEach
} from '../../../../../tests/fakes/chat-kit.ts';

filesForEach();

const ADMIN: Actor = { name: 'marta', role: 'admin', address: '203.0.113.1' };

const SUPERADMIN: Actor = { name: 'root', role: 'superadmin', address: null };

/** A log line written at a given moment of the clock, in local time. */
const lineAt = (clock: { now(): Date }, message: string) => {
	const now = clock.now();
	const day = String(now.getDate()).padStart(2, '0');
	return line(`${now.toTimeString().slice(0, 8)}.000`, message).replace('[02', `[${day}`);
};

describe('speaking', () => {
	test('one player alone is told, and everybody here sees to whom it was said', async () => {
		const { chat, commands, audited } = setup();
		const sent = await chat.say({ message: 'Come to spawn', to: '.Mossfeather' }, ADMIN);
		expect(commands).toEqual([
			'tellraw .Mossfeather {"text":"","extra":[{"text":"[Admin to you] ","color":"gold"},{"text":"Come to spawn"}]}'
		]);
		expect(sent).toMatchObject({ kind: 'say', player: 'Admin', to: '.Mossfeather' });
		expect(chat.recent(1)).toEqual([sent]);
		expect(audited).toEqual([['marta', 'chat.say', 'done', 'Come to spawn']]);
	});

	test('a message for somebody who is not online is refused, and not kept', async () => {
		const { chat, world, audited } = setup();
		world.answer = async () => 'No player was found';
		await expect(chat.say({ message: 'hello', to: 'quietfox' }, ADMIN)).rejects.toMatchObject({
			kind: 'conflict',
			message: 'quietfox is not online, so nobody has read it.'
		});
		expect(chat.recent(1)).toEqual([]);
		expect(audited).toEqual([['marta', 'chat.say', 'failed', expect.stringContaining('hello')]]);
	});

	test('what is no name of a player never reaches the game', async () => {
		const { chat, commands } = setup();
		for (const to of ['@a', '*', 'two names', 'x'.repeat(17)])
			await expect(chat.say({ message: 'hello', to }, ADMIN), to).rejects.toMatchObject({
				kind: 'invalid'
			});
		expect(commands).toEqual([]);
	});

	test('players see the role and the words; everybody here sees it at once', async () => {
		const { chat, commands, audited, clock } = setup();
		const { heard } = listen(chat);
		const sent = await chat.say({ message: 'Back in  five "minutes" \\o/' }, ADMIN);
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
		await chat.say({ message: 'hi' }, SUPERADMIN);
		expect(JSON.stringify(commands) + readFileSync(sentFile, 'utf8')).not.toMatch(/marta|root/);
		expect(texts(chat.recent(1))).toEqual(['Superadmin: hi']);
	});

	test('what the dashboard announces is kept like a message, once, also when the game logs it', async () => {
		const first = setup();
		const { heard } = listen(first.chat);
		await first.chat.announced('The server restarts in 1 minute.');
		write(
			lineAt(first.clock, '[Not Secure] [Rcon] The server restarts in 1 minute.'),
			lineAt(first.clock, '<Ana> ok')
		);
		await expect.poll(heard).toEqual(['Dashboard: The server restarts in 1 minute.', 'Ana: ok']);
		const wanted = ['Dashboard: The server restarts in 1 minute.', 'Ana: ok'];
		expect(texts(await first.chat.list(10)).toSorted()).toEqual(wanted.toSorted());
		expect(first.audited).toEqual([]);
		const again = setup();
		expect(texts(await again.chat.list(10)).toSorted()).toEqual(wanted.toSorted());
	});

	test('what the game has logged before it answered appears once, too', async () => {
		const { chat, clock } = setup();
		const { heard } = listen(chat);
		write(lineAt(clock, '[Not Secure] [Rcon] The restart was called off.'));
		await expect.poll(heard).toEqual(['Rcon: The restart was called off.']);
		await chat.announced('The restart was called off.');
		expect(heard()).toHaveLength(1);
		expect(texts(await chat.list(10))).toEqual(['Dashboard: The restart was called off.']);
	});

	test('a sent message is kept, and appears between what was said before and after', async () => {
		const first = setup();
		write(lineAt(first.clock, '<Ana> when?'));
		await first.clock.advance(2000);
		const sent = await first.chat.say({ message: 'now' }, ADMIN);
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
		expect((await chat.say({ message: message }, ADMIN)).text).toBe(shown);
		const [command] = commands;
		expect(command).not.toMatch(/[\p{Cc}§\u2028\u2029]/u);
		expect(JSON.parse(command!.slice('tellraw @a '.length)).extra[1]).toEqual({ text: shown });
	});

	test('the longest messages that the form accepts fit into a command', async () => {
		const { chat, commands } = setup();
		for (const sign of ['"', '\\', '漢', '😀', 'x'])
			await chat.say({ message: sign.repeat(256 / sign.length) }, ADMIN);
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
	])('an empty or oversized message is rejected before anything is sent: %#', async (message) => {
		const { chat, commands } = setup();
		const { heard } = listen(chat);
		await expect(chat.say({ message: message }, ADMIN)).rejects.toMatchObject({
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
		const error = await chat.say({ message: 'hello' }, ADMIN).catch((cause: unknown) => cause);
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
		const error = (await chat
			.say({ message: 'hello' }, ADMIN)
			.catch((cause: unknown) => cause)) as Error;
		expect(error.message.length).toBeLessThan(400);
	});

	test('with nobody in the game it is still part of the chat', async () => {
		const { chat, world, audited } = setup();
		for (const answer of ['No player was found', "Selector '@a' found nothing"]) {
			world.answer = async () => answer;
			expect((await chat.say({ message: 'hello' }, ADMIN)).text).toBe('hello');
		}
		expect(chat.recent(10)).toHaveLength(2);
		expect(audited[0]).toEqual(['marta', 'chat.say', 'done', 'hello (nobody was online)']);
	});

	test('many sent at once are all delivered and kept, each on its line', async () => {
		const { chat, commands } = setup();
		await Promise.all(
			Array.from({ length: 50 }, (_, i) => chat.say({ message: `message ${i}` }, ADMIN))
		);
		expect(commands).toHaveLength(50);
		const again = await setup().chat.list(500);
		expect(texts(again).toSorted()).toEqual(texts(chat.recent(500)).toSorted());
		expect(new Set(again.map(({ id }) => id)).size).toBe(50);
	});

	test('a torn line, and one that is not ours, is one message less', async () => {
		const { chat } = setup();
		await chat.say({ message: 'one' }, ADMIN);
		appendFileSync(sentFile, '{"id":"x","at":"2026-01-02T03:04:05.000Z","kind":"sa');
		await chat.say({ message: 'two' }, ADMIN);
		appendFileSync(sentFile, '\n\u0000\u0000\n[]\n{"id":1}\n');
		expect(texts(await setup().chat.list(10))).toEqual(['Admin: one', 'Admin: two']);
	});

	test('a file that has grown long keeps the last five hundred', async () => {
		const old = (i: number) =>
			`${JSON.stringify({ id: `old-${i}`, at: '2026-01-01T00:00:00.000Z', kind: 'say', player: 'Admin', text: `${i} ${'x'.repeat(200)}` })}\n`;
		writeFileSync(sentFile, Array.from({ length: 4000 }, (_, i) => old(i)).join(''));
		const { chat } = setup();
		await chat.say({ message: 'newest' }, ADMIN);
		expect(readFileSync(sentFile, 'utf8').trim().split('\n')).toHaveLength(500);
		expect((await setup().chat.list(500)).map(({ id }) => id).slice(0, 1)).toEqual(['old-3501']);
	});

	test('a message that cannot be kept was sent nevertheless', async () => {
		mkdirSync(sentFile);
		const { chat, errors } = setup();
		const { heard } = listen(chat);
		expect((await chat.say({ message: 'hello' }, ADMIN)).text).toBe('hello');
		expect(heard()).toEqual(['Admin: hello']);
		expect(errors.length).toBeGreaterThan(0);
	});

	test('a real console accepts every command unchanged', async () => {
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
			await chat.say({ message: text }, ADMIN);
		expect(fake.violations).toEqual([]);
		expect(
			fake.commands.map((c) => JSON.parse(c.slice('tellraw @a '.length)).extra[1].text)
		).toEqual(['hi', '漢'.repeat(256), '"'.repeat(256), 'a op marta']);
		script.answer = () => ({ fault: 'close' });
		await expect(chat.say({ message: 'lost' }, ADMIN)).rejects.toMatchObject({
			code: 'outcome-unknown'
		});
		expect(texts(chat.recent(1))).toEqual(['Admin: a op marta']);
	});
});
