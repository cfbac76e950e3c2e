import { describe, expect, onTestFinished, test } from 'vitest';
import {
	rconPacket,
	startFakeRcon,
	type FakeRconScript
} from '../../../../../tests/fakes/game/rcon.ts';
import { echo, setup, failure } from '../../../../../tests/fakes/game/rcon-kit.ts';
import { plainText, stripCodes } from '#minecraft/text';

describe('one connection', () => {
	test('serves many commands, one after the other, however many come at once', async () => {
		const { fake, rcon } = await setup();
		const lines = Array.from({ length: 40 }, (_, i) => `say ${i}`);
		expect(await Promise.all(lines.map((line) => rcon.command(line)))).toEqual(lines.map(echo));
		expect(fake.commands).toEqual(lines);
		expect(fake.violations).toEqual([]);
		expect([fake.connections, fake.logins]).toEqual([1, 1]);
	});

	test('is closed when it has been idle for a while, and reopened on demand', async () => {
		const { fake, rcon } = await setup({}, { idleMs: 20 });
		await rcon.command('list');
		expect(fake.open).toBe(1);
		await fake.until(() => fake.open === 0);
		expect(await rcon.command('seed')).toBe('<seed>');
		expect(fake.connections).toBe(2);
	});

	test('is not opened before the first command', async () => {
		const { fake } = await setup();
		expect(fake.connections).toBe(0);
	});

	test('the 65th waiting command is refused and never sent', async () => {
		const { fake, rcon } = await setup();
		const accepted = Array.from({ length: 65 }, (_, i) => rcon.command(`say ${i}`));
		expect(await failure(rcon.command('say too much'))).toMatchObject({ kind: 'busy' });
		await Promise.all(accepted);
		expect(fake.commands).toHaveLength(65);
		expect(fake.commands).not.toContain('say too much');
	});

	test('closing ends it and rejects what waits; the outcome of what was sent is unknown', async () => {
		const { fake, rcon } = await setup({ answer: () => ({ fault: 'never' }) });
		const sent = failure(rcon.command('op Steve'));
		const waiting = failure(rcon.command('say never sent'));
		await fake.until(() => fake.commands.length === 1);
		rcon.close();
		expect(await sent).toMatchObject({ kind: 'timeout', code: 'outcome-unknown' });
		expect(await waiting).toMatchObject({ kind: 'offline', code: 'rcon-closed' });
		expect(await failure(rcon.command('list'))).toMatchObject({ code: 'rcon-closed' });
		await fake.until(() => fake.open === 0);
		expect(fake.commands).toEqual(['op Steve']);
	});

	test('closing while it is being opened leaves none behind', async () => {
		const { fake, rcon } = await setup({ login: 'silent' });
		const waiting = failure(rcon.command('list'));
		await fake.until(() => fake.open === 1);
		rcon.close();
		expect(await waiting).toMatchObject({ kind: 'offline' });
		await fake.until(() => fake.open === 0);
	});
});

describe('what a caller may send', () => {
	test('1,446 bytes pass, one byte more is rejected and nothing is sent', async () => {
		const { fake, rcon } = await setup({ answer: (line) => String(line.length) });
		expect(await rcon.command(`say ${'x'.repeat(1442)}`)).toBe('1446');
		expect(fake.requests.at(-1)?.bytes).toBe(1460);
		const before = fake.requests.length;
		for (const line of [`say ${'x'.repeat(1443)}`, `say ${'я'.repeat(722)}`])
			expect(await failure(rcon.command(line))).toMatchObject({ kind: 'invalid' });
		expect(await rcon.command(`say ${'я'.repeat(721)}`)).toBe('725');
		expect(fake.requests).toHaveLength(before + 1);
		expect(fake.violations).toEqual([]);
	});

	test('newlines, control characters, lone surrogates and blanks are rejected before there is a connection', async () => {
		const { fake, rcon } = await setup();
		const bad = [
			'a\nop x',
			'a\rb',
			'a\0b',
			'a\u001b[31m',
			'a\u0085b',
			'a\u2028b',
			'\ud800',
			'',
			' '
		];
		for (const line of bad)
			expect(await failure(rcon.command(line))).toMatchObject({
				kind: 'invalid',
				issues: [{ path: 'command' }]
			});
		expect(fake.connections).toBe(0);
	});

	test('an aborted waiting command is never sent; one already sent rejects and its connection is closed', async () => {
		const { fake, rcon } = await setup({
			answer: (line) => (line === 'slow' ? { fault: 'never' } : echo(line))
		});
		const [first, second] = [new AbortController(), new AbortController()];
		const slow = rcon.command('slow', { signal: first.signal }).catch((error) => error);
		const waiting = rcon.command('say no', { signal: second.signal }).catch((error) => error);
		await fake.until(() => fake.commands.length === 1);
		second.abort('changed my mind');
		expect(await waiting).toBe('changed my mind');
		first.abort('enough');
		expect(await slow).toBe('enough');
		expect(await rcon.command('say yes')).toBe('<say yes>');
		expect(fake.connections).toBe(2);
		expect(fake.commands).not.toContain('say no');
		await expect(rcon.command('x', { signal: first.signal })).rejects.toBe('enough');
	});
});

describe('answers', () => {
	test('are the same however the network splits them: byte by byte, merged, at every position', async () => {
		const { fake, rcon } = await setup({ answer: () => 'Grüße €' });
		const deliveries: FakeRconScript['delivery'][] = ['bytes', 'together', 'packets'];
		for (let splitAt = 1; splitAt < 24; splitAt++) deliveries.push({ splitAt });
		for (const delivery of deliveries) {
			fake.script.delivery = delivery;
			expect(await rcon.command('list')).toBe('Grüße €');
		}
		expect(fake.connections).toBe(1);
	});

	test('of any length come whole, including multiples of 4,096 and characters of three and four bytes', async () => {
		const { fake, rcon } = await setup();
		for (const unit of ['x', '€'])
			for (const length of [0, 1, 4095, 4096, 4097, 8191, 8192, 8889, 12_288, 60_000]) {
				fake.script.answer = (line) => (line === 'help' ? unit.repeat(length) : undefined);
				for (const delivery of ['packets', 'together'] as const) {
					fake.script.delivery = delivery;
					expect((await rcon.command('help')) === unit.repeat(length)).toBe(true);
				}
			}
		fake.script.answer = (line) => (line === 'help' ? `x${'😀'.repeat(4096)}` : undefined);
		// The game itself cuts a pair in two, each half becomes a question mark; nothing else is lost.
		expect(await rcon.command('help')).toBe(`x${'😀'.repeat(2047)}??${'😀'.repeat(2047)}??`);
		expect(fake.violations).toEqual([]);
		expect(fake.connections).toBe(1);
		expect(fake.requests.every(({ type }) => type === 2 || type === 3)).toBe(true);
	});

	test('in fragments of 4,096 bytes split inside a character are joined byte by byte', async () => {
		const text = `x${'€'.repeat(3000)}`;
		const { fake, rcon } = await setup();
		fake.script.answer = (line) => {
			if (line !== 'help') return undefined;
			const id = fake.requests.at(-1)?.id ?? 0;
			const bytes = Buffer.from(text);
			const packets = [];
			for (let at = 0; at < bytes.length; at += 4096) {
				const part = rconPacket({
					id,
					type: 0,
					text: 'x'.repeat(Math.min(4096, bytes.length - at))
				});
				bytes.copy(part, 12, at, at + 4096);
				packets.push(part);
			}
			return { bytes: packets };
		};
		expect(await rcon.command('help')).toBe(text);
	});

	test('over 1 MiB are cut with a mark, and the rest is discarded', async () => {
		const { fake, rcon } = await setup({
			answer: (line) => (line === 'big' ? 'x'.repeat(3 << 20) : echo(line))
		});
		const answer = await rcon.command('big');
		expect(answer.length).toBeLessThan((1 << 20) + 100);
		expect(answer).toMatch(/^x+\n… \(cut: .*\)$/);
		expect(await rcon.command('say next')).toBe('<say next>');
		expect(fake.connections).toBe(2);
	});

	test('with an unknown id, or of an invalid type, are ignored', async () => {
		const { fake, rcon } = await setup({
			answer: (line) => {
				const id = fake.requests.at(-1)?.id ?? 0;
				const stray = [
					rconPacket({ id: id - 1, type: 0, text: 'late' }),
					rconPacket({ id: 0x7fffffff, type: 0, text: 'stray' }),
					rconPacket({ id, type: 77, text: 'odd' })
				];
				return { bytes: Buffer.concat([...stray, rconPacket({ id, type: 0, text: echo(line) })]) };
			}
		});
		expect(await rcon.command('one')).toBe('<one>');
		expect(await rcon.command('two')).toBe('<two>');
		expect(fake.connections).toBe(1);
	});

	test.each([0, 2, 3])('of type %i count', async (type) => {
		const { rcon } = await setup({ answer: (line) => ({ output: echo(line), type }) });
		expect(await rcon.command('list')).toBe('<list>');
	});

	test('full of HTML, ANSI, § and NUL are passed on unchanged, and converted to plain text', async () => {
		const hostile = `<script>alert(1)</script>\u001b[31mred\u001b]0;title\u0007§cX\0${'y'.repeat(100_000)}`;
		const { rcon } = await setup({ answer: (line) => (line === 'list' ? undefined : hostile) });
		const answer = await rcon.command('help');
		expect(answer === hostile).toBe(true);
		expect(stripCodes(answer).startsWith('<script>alert(1)</script>redXy')).toBe(true);
		expect(plainText(answer, 50)).toBe(`<script>alert(1)</script>redX${'y'.repeat(20)}…`);
	});
});

test('a console that was refused while the game was loading is retried at once when the game answers', async () => {
	const { fake, rcon } = await setup();
	await fake.close();
	for (let tries = 0; tries < 3; tries++)
		await expect(rcon.command('list')).rejects.toMatchObject({ kind: 'offline' });
	const { port, password } = fake.address;
	const again = await startFakeRcon({ answer: echo, port, password });
	onTestFinished(() => again.close());
	await expect(rcon.command('list')).rejects.toMatchObject({ kind: 'offline' });
	expect(again.connections).toBe(0);
	rcon.wake();
	await expect(rcon.command('list')).resolves.toBe('<list>');
});
