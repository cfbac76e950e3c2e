import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { rconPacket, startFakeRcon, type FakeRconScript } from '../../../../tests/fakes/rcon.ts';
import { systemClock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { createLock, type Lock } from '../core/lock.ts';
import { createRcon, type Rcon, type RconAddress } from './rcon.ts';
import { plainText, stripCodes } from './text.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Never waits and is never busy. */
const freeLock: Lock = {
	tryAcquire: () => true,
	acquire: async () => {},
	release: () => {},
	held: false,
	close: () => {}
};

async function tempDir() {
	const dir = await mkdtemp(path.join(tmpdir(), 'rcon-test-'));
	cleanups.push(() => rm(dir, { recursive: true, force: true }));
	return dir;
}

/** A clock that runs like the real one and can be put forward. */
function skewedClock() {
	let skewMs = 0;
	return {
		...systemClock,
		monotonicMs: () => systemClock.monotonicMs() + skewMs,
		forward: (ms: number) => (skewMs += ms)
	};
}

const echo = (line: string) => `<${line}>`;

type Changes = { idleMs?: number; quietMs?: number; lock?: Lock };

async function setup(script: FakeRconScript = {}, changes: Changes = {}) {
	const fake = await startFakeRcon({ answer: echo, ...script });
	cleanups.push(() => fake.close());
	const clock = skewedClock();
	const place: { address: RconAddress | null } = { address: fake.address };
	const client = () => {
		const rcon = createRcon({
			address: async () => place.address,
			lock: freeLock,
			clock,
			...changes
		});
		cleanups.push(() => rcon.close());
		return rcon;
	};
	return { fake, clock, place, client, rcon: client() };
}

const failure = async (promise: Promise<unknown>): Promise<AppError> => {
	const error = await promise.then(
		(value) => new Error(`it worked: ${String(value).slice(0, 100)}`),
		(error: unknown) => error
	);
	if (!(error instanceof AppError)) throw error;
	return error;
};

async function closedPort() {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

describe('one connection', () => {
	test('serves many commands, one after the other, however many come at once', async () => {
		const { fake, rcon } = await setup();
		const lines = Array.from({ length: 40 }, (_, i) => `say ${i}`);
		expect(await Promise.all(lines.map((line) => rcon.command(line)))).toEqual(lines.map(echo));
		expect(fake.commands).toEqual(lines);
		expect(fake.violations).toEqual([]);
		expect([fake.connections, fake.logins]).toEqual([1, 1]);
	});

	test('is closed when nobody has used it for a while, and made again on demand', async () => {
		const { fake, rcon } = await setup({}, { idleMs: 20 });
		await rcon.command('list');
		expect(fake.open).toBe(1);
		await fake.until(() => fake.open === 0);
		expect(await rcon.command('seed')).toBe('<seed>');
		expect(fake.connections).toBe(2);
	});

	test('is not made before the first command', async () => {
		const { fake } = await setup();
		expect(fake.connections).toBe(0);
	});

	test('65 waiting commands are one too many, and that one is never sent', async () => {
		const { fake, rcon } = await setup();
		const accepted = Array.from({ length: 65 }, (_, i) => rcon.command(`say ${i}`));
		expect(await failure(rcon.command('say too much'))).toMatchObject({ kind: 'busy' });
		await Promise.all(accepted);
		expect(fake.commands).toHaveLength(65);
		expect(fake.commands).not.toContain('say too much');
	});

	test('closing ends it and refuses what waits; what was sent is said to be unknown', async () => {
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

	test('closing while it is being made leaves none behind', async () => {
		const { fake, rcon } = await setup({ login: 'silent' });
		const waiting = failure(rcon.command('list'));
		await fake.until(() => fake.open === 1);
		rcon.close();
		expect(await waiting).toMatchObject({ kind: 'offline' });
		await fake.until(() => fake.open === 0);
	});
});

describe('what a caller may send', () => {
	test('1,446 bytes pass, one byte more is refused and nothing is sent', async () => {
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

	test('newlines, control characters, half characters and blanks are refused before there is a connection', async () => {
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

	test('an aborted command that waits is never sent; one on its way rejects and its connection is gone', async () => {
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
	test('are the same however the network cuts them: byte by byte, glued, at every place', async () => {
		const { fake, rcon } = await setup({ answer: () => 'Grüße €' });
		const deliveries: FakeRconScript['delivery'][] = ['bytes', 'together', 'packets'];
		for (let splitAt = 1; splitAt < 24; splitAt++) deliveries.push({ splitAt });
		for (const delivery of deliveries) {
			fake.script.delivery = delivery;
			expect(await rcon.command('list')).toBe('Grüße €');
		}
		expect(fake.connections).toBe(1);
	});

	test('of any length come whole, also multiples of 4,096 and characters of three and four bytes', async () => {
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

	test('in parts of 4,096 bytes that are cut inside a character are put together byte by byte', async () => {
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

	test('over 1 MiB are cut with a mark, and the rest reaches nobody', async () => {
		const { fake, rcon } = await setup({
			answer: (line) => (line === 'big' ? 'x'.repeat(3 << 20) : echo(line))
		});
		const answer = await rcon.command('big');
		expect(answer.length).toBeLessThan((1 << 20) + 100);
		expect(answer).toMatch(/^x+\n… \(cut: .*\)$/);
		expect(await rcon.command('say next')).toBe('<say next>');
		expect(fake.connections).toBe(2);
	});

	test('with an unknown id, or of a type that is none, are nobody’s', async () => {
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

	test('full of HTML, ANSI, § and NUL pass as they are, and plain text is made of them', async () => {
		const hostile = `<script>alert(1)</script>\u001b[31mred\u001b]0;title\u0007§cX\0${'y'.repeat(100_000)}`;
		const { rcon } = await setup({ answer: (line) => (line === 'list' ? undefined : hostile) });
		const answer = await rcon.command('help');
		expect(answer === hostile).toBe(true);
		expect(stripCodes(answer).startsWith('<script>alert(1)</script>redXy')).toBe(true);
		expect(plainText(answer, 50)).toBe(`<script>alert(1)</script>redX${'y'.repeat(20)}…`);
	});
});

describe('trouble on the way', () => {
	test('a server that accepts and never answers the login: offline, and no second try at once', async () => {
		const { fake, rcon, clock } = await setup({ login: 'silent' });
		const all = Array.from({ length: 5 }, () => failure(rcon.command('list', { timeoutMs: 300 })));
		for (const error of await Promise.all(all))
			expect(error).toMatchObject({ kind: 'offline', code: 'rcon-silent' });
		expect(fake.connections).toBe(1);
		await fake.until(() => fake.open === 0);
		fake.script.login = 'check';
		clock.forward(1_000);
		expect(await rcon.command('list')).toBe('<list>');
	});

	test('a server that never answers a command: outcome unknown, one connection, sent once', async () => {
		const { fake, rcon } = await setup({ answer: () => ({ fault: 'never' }) });
		const error = await failure(rcon.command('op Steve', { timeoutMs: 300 }));
		expect(error).toMatchObject({ kind: 'timeout', code: 'outcome-unknown' });
		await fake.until(() => fake.open === 0);
		expect(fake.commands).toEqual(['op Steve']);
	});

	test('half an answer and then silence: the socket is destroyed, the next command uses a new one', async () => {
		const { fake, rcon } = await setup({
			answer: (line) => (line === 'half' ? { output: 'abc', fault: 'half' } : echo(line))
		});
		expect(await failure(rcon.command('half', { timeoutMs: 300 }))).toMatchObject({
			code: 'outcome-unknown'
		});
		expect(await rcon.command('whole')).toBe('<whole>');
		expect(fake.connections).toBe(2);
	});

	test('lengths of -1, 0, 9 and 0x7fffffff drop the connection; a new one is made after a pause (4,097 is allowed, see the frames)', async () => {
		const { fake, rcon, clock } = await setup();
		for (const length of [-1, 0, 9, 0x7fffffff]) {
			const bytes = Buffer.alloc(4);
			bytes.writeInt32LE(length);
			fake.script.answer = () => ({ bytes });
			expect(await failure(rcon.command('save-all'))).toMatchObject({
				kind: 'timeout',
				code: 'outcome-unknown'
			});
			await fake.until(() => fake.open === 0);
			fake.script.answer = echo;
			const before = fake.connections;
			expect(await failure(rcon.command('list'))).toMatchObject({
				kind: 'offline',
				code: 'rcon-protocol'
			});
			expect(fake.connections).toBe(before);
			clock.forward(1_000);
			expect(await rcon.command('list')).toBe('<list>');
		}
	});

	test.each(['close', 'rst'] as const)(
		'%s after a command was sent: unknown and never repeated, unless it is repeatable',
		async (fault) => {
			const { fake, rcon } = await setup({
				answer: (line, call) => (call === 1 ? { fault } : echo(line))
			});
			expect(await failure(rcon.command('give Steve diamond'))).toMatchObject({
				code: 'outcome-unknown'
			});
			expect(fake.commands).toEqual(['give Steve diamond']);
			fake.script.answer = (line, call) => (call === 2 ? { fault } : echo(line));
			expect(await rcon.command('list', { repeatable: true })).toBe('<list>');
			expect(fake.commands).toEqual(['give Steve diamond', 'list', 'list']);
			fake.script.answer = () => ({ fault });
			expect(await failure(rcon.command('seed', { repeatable: true }))).toMatchObject({
				code: 'outcome-unknown'
			});
			expect(fake.commands).toHaveLength(5);
		}
	);

	test('a connection that closes in the middle of a long answer: unknown', async () => {
		const { rcon, fake } = await setup({
			answer: () => {
				const id = fake.requests.at(-1)?.id ?? 0;
				return { bytes: rconPacket({ id, type: 0, text: 'x'.repeat(4096) }), then: 'close' };
			}
		});
		expect(await failure(rcon.command('help'))).toMatchObject({ code: 'outcome-unknown' });
	});

	test.each(['close', 'rst'] as const)(
		'%s of the pooled connection while nobody used it: the next command runs, once',
		async (how) => {
			const { fake, rcon } = await setup();
			await rcon.command('list');
			fake.drop(how);
			expect(await rcon.command('give Steve diamond')).toBe('<give Steve diamond>');
			expect(fake.commands).toEqual(['list', 'give Steve diamond']);
			expect(fake.connections).toBe(2);
		}
	);

	test('a server that forgot the login is logged in to again', async () => {
		const { fake, rcon } = await setup({
			answer: (line, call) => (call === 1 ? { output: '', id: -1, type: 2 } : echo(line))
		});
		expect(await rcon.command('seed')).toBe('<seed>');
		expect(fake.logins).toBe(2);
	});

	test('the connection is reset when it is made: one more try, then offline', async () => {
		const { fake, rcon } = await setup({ connect: 'rst' });
		expect(await failure(rcon.command('list'))).toMatchObject({ kind: 'offline' });
		expect(fake.connections).toBeLessThanOrEqual(2);
		expect(fake.commands).toEqual([]);
	});

	test('a port out of range is offline, not a crash', async () => {
		const { rcon, place } = await setup();
		place.address = { host: '127.0.0.1', port: 70_000, password: 'x' };
		expect(await failure(rcon.command('list'))).toMatchObject({ kind: 'offline' });
	});
});

describe('a server that restarts', () => {
	test('is left alone for 1, 2, 5 and then 10 s, fails at once meanwhile, and is used as soon as it is back', async () => {
		const { rcon, place, clock } = await setup();
		const port = await closedPort();
		place.address = { host: '127.0.0.1', port, password: 'secret' };
		for (const [minS, maxS] of [
			[1, 1],
			[2, 2],
			[4, 5],
			[7, 10],
			[7, 10],
			[7, 10]
		] as const) {
			const error = await failure(rcon.command('list'));
			expect(error).toMatchObject({ kind: 'offline', code: 'rcon-unreachable' });
			expect(error.retryAfterS).toBeGreaterThanOrEqual(minS);
			expect(error.retryAfterS).toBeLessThanOrEqual(maxS);
			clock.forward(maxS * 1000);
		}
		await failure(rcon.command('list'));
		const fake = await startFakeRcon({ port, answer: echo });
		cleanups.push(() => fake.close());
		expect(await failure(rcon.command('list'))).toMatchObject({ code: 'rcon-unreachable' });
		expect(fake.connections).toBe(0);
		clock.forward(9_999);
		expect(await rcon.command('list')).toBe('<list>');
	});

	test('the pause starts small again after it was back', async () => {
		const { fake, rcon, clock } = await setup({ login: 'close' });
		for (let i = 0; i < 5; i++) {
			await failure(rcon.command('list'));
			clock.forward(10_000);
		}
		fake.script.login = 'check';
		await rcon.command('list');
		fake.drop('rst');
		fake.script.login = 'close';
		expect((await failure(rcon.command('list'))).retryAfterS).toBe(1);
	});

	test.each([
		[
			'answered, then closed',
			{ output: 'Stopping the server', then: 'close' },
			'Stopping the server'
		],
		['closed without an answer', { fault: 'close' }, ''],
		['reset without an answer', { fault: 'rst' }, '']
	] as const)('stop succeeds when it is %s', async (_, reply, answer) => {
		const { fake, rcon } = await setup({ answer: () => reply });
		for (const line of ['stop', '/stop']) expect(await rcon.command(line)).toBe(answer);
		expect(fake.commands).toEqual(['stop', '/stop']);
	});
});

describe('the password', () => {
	const SECRET = 'pä§s:=#!\\ "wörd€';

	test('may have any characters, and stands in no error, however it fails', async () => {
		const { fake, rcon, place, clock } = await setup({ password: SECRET });
		expect(await rcon.command('list')).toBe('<list>');
		const errors: AppError[] = [];
		fake.drop('rst');
		for (const login of ['silent', 'close', 'rst', 'wrong-type'] as const) {
			fake.script.login = login;
			errors.push(await failure(rcon.command('list', { timeoutMs: 300 })));
			clock.forward(60_000);
		}
		fake.script.login = 'check';
		fake.script.password = 'another';
		errors.push(await failure(rcon.command('list')));
		place.address = { ...fake.address, password: SECRET.repeat(200) };
		errors.push(await failure(rcon.command('list')));
		for (const error of errors) {
			const all = `${error.message} ${error.stack} ${JSON.stringify(error)} ${(error.cause as Error)?.stack}`;
			expect(all).not.toContain(SECRET);
		}
		expect(errors.map(({ code }) => code)).toEqual([
			'rcon-silent',
			'rcon-auth-unsure',
			'rcon-auth-unsure',
			'rcon-auth',
			'rcon-auth',
			'rcon-auth'
		]);
	});

	test('that is refused is not tried again for 30 s, however often somebody asks', async () => {
		const { fake, rcon, place, clock } = await setup();
		place.address = { ...fake.address, password: 'wrong' };
		for (let i = 0; i < 5; i++)
			expect(await failure(rcon.command('list'))).toMatchObject({
				kind: 'offline',
				code: 'rcon-auth'
			});
		clock.forward(29_900);
		expect((await failure(rcon.command('list'))).code).toBe('rcon-auth');
		expect(fake.refused).toBe(1);
		clock.forward(10_000);
		expect((await failure(rcon.command('list'))).code).toBe('rcon-auth');
		expect(fake.refused).toBe(2);
		expect(fake.commands).toEqual([]);
	});

	test('that changed in the file is used at once', async () => {
		const { fake, rcon, place } = await setup();
		place.address = { ...fake.address, password: 'wrong' };
		await failure(rcon.command('list'));
		place.address = fake.address;
		expect(await rcon.command('list')).toBe('<list>');
		expect([fake.refused, fake.logins]).toEqual([1, 1]);
	});

	test('that changed in the file does not end a connection that works: the game reads the file only at its start', async () => {
		const { fake, rcon, place } = await setup();
		await rcon.command('list');
		place.address = { ...fake.address, password: 'for the next start' };
		expect(await rcon.command('seed')).toBe('<seed>');
		expect(fake.connections).toBe(1);
	});

	test('is empty or missing: RCON is off, and nothing is tried', async () => {
		const { fake, rcon, place } = await setup();
		await rcon.command('list');
		for (const address of [null, { ...fake.address, password: '' }]) {
			place.address = address;
			expect(await failure(rcon.command('list'))).toMatchObject({
				kind: 'offline',
				code: 'rcon-off'
			});
		}
		await fake.until(() => fake.open === 0);
		expect(fake.connections).toBe(1);
	});

	test('an empty packet before the answer to the login, as Source servers send it, does not matter', async () => {
		const { rcon } = await setup({ login: 'source' });
		expect(await rcon.command('list')).toBe('<list>');
	});

	test('another port in the file is used for the next command', async () => {
		const { fake, rcon, place } = await setup();
		const other = await startFakeRcon({ answer: () => 'the other' });
		cleanups.push(() => other.close());
		await rcon.command('list');
		place.address = other.address;
		expect(await rcon.command('list')).toBe('the other');
		await fake.until(() => fake.open === 0);
	});
});

describe('other server software', () => {
	test('Cuberite: two packets per answer, none of them cut, and nothing that it hangs up on', async () => {
		const { fake, rcon } = await setup({
			software: 'cuberite',
			answer: (line) => (line.startsWith('help') ? 'x'.repeat(Number(line.slice(5))) : undefined)
		});
		for (const length of [9000, 4096, 0, 17]) {
			expect(await rcon.command(`help ${length}`)).toBe('x'.repeat(length));
			expect(await rcon.command('list')).toBe('Players (0): ');
		}
		expect(fake.violations).toEqual([]);
		expect(fake.connections).toBe(1);
		expect(await rcon.command('stop')).toBe('');
	});

	test('Cuberite: a wrong password is an end without a word; it is said to be perhaps wrong', async () => {
		const { fake, rcon, place } = await setup({ software: 'cuberite' });
		place.address = { ...fake.address, password: 'wrong' };
		expect(await failure(rcon.command('list'))).toMatchObject({
			kind: 'offline',
			code: 'rcon-auth-unsure'
		});
	});

	test('Pumpkin: no packet at all for a silent command is no output, and the next answer is its own', async () => {
		const { fake, rcon } = await setup(
			{ software: 'pumpkin', answer: () => undefined },
			{ quietMs: 20 }
		);
		expect(await rcon.command('say hello')).toBe('');
		expect(await rcon.command('seed')).toContain('Unknown or incomplete command');
		expect(fake.violations).toEqual([]);
		expect(fake.connections).toBe(1);
	});

	test('a slow command on vanilla is waited for, its answer is whole, and the connection survives', async () => {
		const { fake, rcon } = await setup(
			{
				answer: (line) =>
					line === 'save-all flush' ? { output: 'Saved the game', delayMs: 100 } : undefined
			},
			{ quietMs: 10 }
		);
		expect(await rcon.command('save-all flush')).toBe('Saved the game');
		expect(await rcon.command('say hello')).toBe('');
		expect(fake.violations).toEqual([]);
		expect(fake.connections).toBe(1);
	});

	test('an answer that came is kept when the question for its end is not answered, but not the connection', async () => {
		const { fake, rcon } = await setup(
			{
				answer: (line) => {
					if (line === 'list') return { fault: 'never' };
					return line === 'slow' ? { output: 'done', delayMs: 60 } : undefined;
				}
			},
			{ quietMs: 5 }
		);
		expect(await rcon.command('slow', { timeoutMs: 500 })).toBe('done');
		fake.script.answer = () => undefined;
		expect(await rcon.command('say next')).toBe('');
		expect(fake.connections).toBe(2);
	});

	test('a server that was seen to answer a silent command is never asked where its answer is', async () => {
		const { fake, rcon } = await setup(
			{ answer: (line) => (line === 'slow' ? { output: 'done', delayMs: 60 } : undefined) },
			{ quietMs: 5 }
		);
		await rcon.command('say hello');
		expect(await rcon.command('slow')).toBe('done');
		expect(fake.commands.filter((line) => line === 'list').length).toBeLessThanOrEqual(1);
		expect(fake.commands.at(-1)).toBe('slow');
	});
});

describe('vanilla’s one buffer for all connections', () => {
	const slowly = (line: string) => ({ output: echo(line), delayMs: 1 });
	const both = (one: Rcon, two: Rcon) =>
		Promise.all(
			Array.from({ length: 20 }, (_, i) =>
				Promise.all([one.command(`one ${i}`), two.command(`two ${i}`)])
			)
		);
	const own = Array.from({ length: 20 }, (_, i) => [`<one ${i}>`, `<two ${i}>`]);

	test('mixes the answers of two clients without a lock, and never with one', async () => {
		const { client } = await setup({ answer: slowly });
		expect(await both(client(), client())).not.toEqual(own);

		const file = path.join(await tempDir(), 'rcon.lock');
		const locked = async () => {
			const lock = createLock(file, systemClock);
			cleanups.push(() => lock.close());
			return (await setup({ answer: slowly }, { lock })).rcon;
		};
		expect(await both(await locked(), await locked())).toEqual(own);
	});

	test('a lock that another holds for too long: busy, and nothing is sent', async () => {
		const file = path.join(await tempDir(), 'rcon.lock');
		const theirs = createLock(file, systemClock);
		let nowMs = 0;
		const ours = createLock(file, { ...systemClock, monotonicMs: () => (nowMs += 6_000) });
		cleanups.push(
			() => theirs.close(),
			() => ours.close()
		);
		theirs.tryAcquire();
		const { fake, rcon } = await setup({}, { lock: ours });
		expect(await failure(rcon.command('list'))).toMatchObject({ kind: 'busy' });
		expect(fake.commands).toEqual([]);
		theirs.release();
		expect(await rcon.command('list')).toBe('<list>');
		expect(theirs.tryAcquire()).toBe(true);
	});

	/** A server whose main thread hangs in `slow` until it is let go. */
	async function hanging() {
		let letGo = () => {};
		const gate = new Promise<void>((resolve) => (letGo = resolve));
		const { fake, rcon } = await setup({
			answer: async (line) => {
				if (line === 'slow') await gate;
				return echo(line);
			}
		});
		expect(await failure(rcon.command('slow', { timeoutMs: 300 }))).toMatchObject({
			code: 'outcome-unknown'
		});
		return { fake, rcon, letGo };
	}

	test('the output of a command that was given up is not in the next answer', async () => {
		const { fake, rcon, letGo } = await hanging();
		const next = rcon.command('say next');
		await fake.until(() => fake.logins === 2);
		letGo();
		expect(await next).toBe('<say next>');
		expect(fake.commands).toEqual(['slow', 'list', 'say next']);
	});

	test('while a given-up command still hangs, the next ones are not sent at all', async () => {
		const { fake, rcon, letGo } = await hanging();
		const error = await failure(rcon.command('give Steve diamond', { timeoutMs: 300 }));
		expect(error).toMatchObject({ kind: 'offline', code: 'rcon-silent' });
		letGo();
		expect(await rcon.command('say alive')).toBe('<say alive>');
		expect(fake.commands).not.toContain('give Steve diamond');
	});
});

test('two processes share a server without mixing answers, and end by themselves with a connection still open', async () => {
	const { fake } = await setup({ answer: (line) => ({ output: echo(line), delayMs: 1 }) });
	const dir = await tempDir();
	const here = path.dirname(fileURLToPath(import.meta.url));
	const script = `
		import { createRcon } from ${JSON.stringify(path.join(here, 'rcon.ts'))};
		import { createLock } from ${JSON.stringify(path.join(here, '../core/lock.ts'))};
		import { systemClock } from ${JSON.stringify(path.join(here, '../core/clock.ts'))};
		const [name, file, address] = process.argv.slice(1);
		const lock = createLock(file, systemClock);
		const rcon = createRcon({ address: async () => JSON.parse(address), lock, clock: systemClock });
		const lines = Array.from({ length: 20 }, (_, i) => name + ' ' + i);
		const answers = await Promise.all(lines.map((line) => rcon.command(line)));
		console.log(JSON.stringify(answers.filter((answer, i) => answer !== '<' + lines[i] + '>')));
	`;
	const child = async (name: string) => {
		const args = [
			'--input-type=module',
			'-e',
			script,
			name,
			path.join(dir, 'lock'),
			JSON.stringify(fake.address)
		];
		const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', ...args], {
			timeout: 15_000
		});
		return JSON.parse(stdout) as string[];
	};
	expect(await Promise.all([child('one'), child('two')])).toEqual([[], []]);
	expect(fake.commands).toHaveLength(40);
	expect(fake.violations).toEqual([]);
});

test('a console that was refused while the game was loading is tried at once when the game answers', async () => {
	const { fake, rcon } = await setup();
	await fake.close();
	for (let tries = 0; tries < 3; tries++)
		await expect(rcon.command('list')).rejects.toMatchObject({ kind: 'offline' });
	const { port, password } = fake.address;
	const again = await startFakeRcon({ answer: echo, port, password });
	cleanups.push(() => again.close());
	await expect(rcon.command('list')).rejects.toMatchObject({ kind: 'offline' });
	expect(again.connections).toBe(0);
	rcon.wake();
	await expect(rcon.command('list')).resolves.toBe('<list>');
});
