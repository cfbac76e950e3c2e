import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
	encodeVarInt,
	packet,
	startFakePing,
	text,
	type FakePingScript
} from '../../../../../tests/fakes/game/ping.ts';
import { AppError } from '#core/errors';
import { createPacketReader } from './packets.ts';
import { ping } from './ping.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function setup(script: FakePingScript = {}) {
	const fake = await startFakePing(script);
	cleanups.push(() => fake.close());
	return { fake, target: { host: fake.host, port: fake.port, timeoutMs: 3_000 } };
}

const failure = (promise: Promise<unknown>) =>
	promise.then(
		(value) => expect.unreachable(`it worked: ${JSON.stringify(value)}`),
		(error: unknown) => error as AppError
	);

const NOTHING = { version: null, protocol: null, motd: null, online: null, max: null };

describe('a server that answers', () => {
	test('returns version, players, MOTD and a latency, and sees a correct handshake', async () => {
		const { fake, target } = await setup();
		const pong = await ping(target);
		expect(pong).toEqual({
			version: '1.21.1',
			protocol: 767,
			motd: 'A Minecraft Server',
			online: 0,
			max: 20,
			latencyMs: expect.any(Number)
		});
		expect(pong.latencyMs).toBeGreaterThanOrEqual(0);
		expect(fake.handshakes).toEqual([{ protocol: -1, host: fake.host, port: fake.port, next: 1 }]);
		expect(fake.packets).toEqual([0, 0, 1]);
		await fake.until(() => fake.open === 0);
	});

	test('may send its bytes one by one', async () => {
		const { target } = await setup({ delivery: 'bytes' });
		expect(await ping(target)).toMatchObject({ online: 0, max: 20 });
	});

	test('may have an icon of 600 kB', async () => {
		const status = {
			favicon: `data:image/png;base64,${'A'.repeat(600_000)}`,
			players: { online: 3, max: 9 }
		};
		const { target } = await setup({ status });
		expect(await ping(target)).toMatchObject({ online: 3, max: 9 });
	});

	test.each(['never', 'close', 'wrong'] as const)(
		'counts even when the echo is answered with %s',
		async (pong) => {
			const { target } = await setup({ pong });
			const { latencyMs, ...rest } = await ping(target);
			expect(rest).toMatchObject({ online: 0, version: '1.21.1' });
			expect(latencyMs).toBeLessThan(3_000);
		}
	);

	test('is believed when the time runs out after the status', async () => {
		const { target } = await setup({ pong: 'never' });
		expect(await ping({ ...target, timeoutMs: 400 })).toMatchObject({ online: 0 });
	});
});

describe('hostile or odd status records', () => {
	test.each([
		['nothing in it', {}, NOTHING],
		[
			'no players',
			{ version: { name: 'x', protocol: 1 } },
			{ ...NOTHING, version: 'x', protocol: 1 }
		],
		['wrong types', { players: [], version: 'v', description: 7 }, { ...NOTHING, motd: '7' }],
		[
			'wrong types deeper',
			{
				players: { online: '3', max: null },
				version: { name: {}, protocol: 1.5 },
				description: true
			},
			{ ...NOTHING, motd: 'true' }
		],
		['negative and huge numbers', { players: { online: -1, max: 1e300 } }, NOTHING],
		['zero players', { players: { online: 0, max: 0 } }, { ...NOTHING, online: 0, max: 0 }],
		['null everywhere', { players: null, version: null, description: null }, NOTHING],
		[
			'HTML, § and ANSI in every text',
			{
				description: {
					text: '§c<script>alert(1)</script>',
					extra: [{ text: '\u001b[31m\u202eX\0' }]
				},
				version: { name: '§4Paper\u0007 1.21', protocol: 767 }
			},
			{ ...NOTHING, motd: '<script>alert(1)</script>X', version: 'Paper 1.21', protocol: 767 }
		]
	])('%s', async (_, status, expected) => {
		const { target } = await setup({ status });
		expect(await ping(target)).toEqual({ ...expected, latencyMs: expect.any(Number) });
	});

	test('texts of 30 kB and components 1,000 deep are cut', async () => {
		const deep = `${'{"text":"a","extra":['.repeat(1000)}"end"${']}'.repeat(1000)}`;
		const { fake, target } = await setup({ status: `{"description":${deep}}` });
		expect((await ping(target)).motd).toMatch(/^a{1,100}$/);
		fake.script.status = {
			description: 'm'.repeat(30_000),
			version: { name: 'v'.repeat(30_000), protocol: 1 }
		};
		const pong = await ping(target);
		expect([pong.motd?.length, pong.version?.length]).toEqual([500, 80]);
		expect(pong.motd?.endsWith('…')).toBe(true);
		fake.script.status = '['.repeat(200_000);
		expect(await failure(ping(target))).toMatchObject({ kind: 'upstream' });
	});

	test.each(['', 'null', '[]', '"text"', '{"players":', '\0', '<html>'])(
		'%j is not a status at all',
		async (status) => {
			const { target } = await setup({ status });
			expect(await failure(ping(target))).toMatchObject({ kind: 'upstream' });
		}
	);

	test.each([
		['a length that never ends', Buffer.alloc(64, 0xff)],
		['a length of 0', Buffer.alloc(8)],
		['a negative length', encodeVarInt(-1)],
		['a length over 1 MiB', Buffer.concat([encodeVarInt((1 << 20) + 1), Buffer.alloc(100)])],
		['another packet', packet(5, text('{}'))],
		[
			'a text longer than its packet',
			packet(0, Buffer.concat([encodeVarInt(1000), Buffer.from('{}')]))
		],
		['an empty packet id', Buffer.concat([encodeVarInt(2), Buffer.of(0xff, 0xff)])],
		['an HTTP server', Buffer.from(`HTTP/1.1 400 Bad Request\r\nX: ${'x'.repeat(99)}\r\n\r\n`)]
	])('%s is reported as nonsense at once, not as a time-out', async (_, bytes) => {
		const { fake, target } = await setup({ bytes });
		const error = await failure(ping({ ...target, timeoutMs: 60_000 }));
		expect(error).toMatchObject({ kind: 'upstream' });
		await fake.until(() => fake.open === 0);
	});
});

describe('a server that does not answer', () => {
	test('with a closed port is offline', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		server.close();
		await once(server, 'close');
		expect(await failure(ping({ host: '127.0.0.1', port, timeoutMs: 3_000 }))).toMatchObject({
			kind: 'offline',
			code: 'offline'
		});
	});

	test('with a port out of range is offline, not a crash', async () => {
		expect(await failure(ping({ host: '127.0.0.1', port: 70_000, timeoutMs: 100 }))).toMatchObject({
			kind: 'offline'
		});
	});

	test('but closes, as while the world loads, is offline with a code of its own', async () => {
		const { target } = await setup({ fault: 'no-status' });
		expect(await failure(ping(target))).toMatchObject({ kind: 'offline', code: 'no-status' });
	});

	test.each(['rst', 'rst-on-connect'] as const)('and resets (%s) is offline', async (fault) => {
		const { target } = await setup({ fault });
		expect(await failure(ping(target))).toMatchObject({ kind: 'offline' });
	});

	test('and breaks off in the middle is nonsense', async () => {
		const { target } = await setup({ fault: 'half-close' });
		expect(await failure(ping(target))).toMatchObject({ kind: 'upstream' });
	});

	test.each(['silent', 'half'] as const)(
		'and stalls (%s) is a time-out, and its socket is closed',
		async (fault) => {
			const { fake, target } = await setup({ fault });
			const error = await failure(ping({ ...target, timeoutMs: 100 }));
			expect(error).toBeInstanceOf(AppError);
			expect(error).toMatchObject({ kind: 'timeout' });
			await fake.until(() => fake.open === 0);
		}
	);

	test('and drips bytes cannot stretch the time limit', async () => {
		const status = { description: 'x'.repeat(200_000) };
		const { fake, target } = await setup({ status, delivery: 'bytes' });
		expect(await failure(ping({ ...target, timeoutMs: 150 }))).toMatchObject({ kind: 'timeout' });
		await fake.until(() => fake.open === 0);
	});

	test('is abandoned when the caller aborts', async () => {
		const { fake, target } = await setup({ fault: 'silent' });
		const abort = new AbortController();
		const waiting = ping({ ...target, signal: abort.signal }).catch((error) => error);
		await fake.until(() => fake.packets.length === 2);
		abort.abort('enough');
		expect(await waiting).toBe('enough');
		await fake.until(() => fake.open === 0);
		await expect(ping({ ...target, signal: abort.signal })).rejects.toBe('enough');
		expect(fake.connections).toBe(1);
	});
});

test('100,000 random streams never make the packet reader throw', () => {
	let seed = 20_261_120;
	const int = (max: number) => {
		seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
		return seed % max;
	};
	const valid = packet(0, text('{"players":{"online":1}}'));
	for (let round = 0; round < 100_000; round++) {
		const bytes =
			round % 2 ? Buffer.from(valid) : Buffer.from(Array.from({ length: int(30) }, () => int(256)));
		for (let change = int(3); change > 0 && bytes.length > 0; change--)
			bytes[int(bytes.length)] = int(256);
		const reader = createPacketReader();
		const cut = int(bytes.length + 1);
		const found = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut))];
		if (found.length > bytes.length / 2) throw new Error(`round ${round}: packets out of nothing`);
	}
});
