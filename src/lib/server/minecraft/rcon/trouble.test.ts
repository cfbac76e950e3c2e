import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rconPacket, startFakeRcon } from '../../../../../tests/fakes/game/rcon.ts';
import { echo, setup, failure } from '../../../../../tests/fakes/game/rcon-kit.ts';

async function closedPort() {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

describe('connection trouble', () => {
	test('a server that accepts and never answers the login: offline, and no immediate retry', async () => {
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

	test('lengths of -1, 0, 9 and 0x7fffffff drop the connection; a new one is opened after a pause (4,097 is allowed, see the frames)', async () => {
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
		'%s of the pooled connection while it was idle: the next command runs, once',
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

	test('the connection is reset while it is opened: one more try, then offline', async () => {
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
	test('is left alone for 1, 2, 5 and then 10 s, fails at once in between, and is used as soon as it is back', async () => {
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
		onTestFinished(() => fake.close());
		expect(await failure(rcon.command('list'))).toMatchObject({ code: 'rcon-unreachable' });
		expect(fake.connections).toBe(0);
		clock.forward(9_999);
		expect(await rcon.command('list')).toBe('<list>');
	});

	test('the pause starts small again once it was back', async () => {
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
