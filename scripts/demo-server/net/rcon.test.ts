import fs from 'node:fs/promises';
import path from 'node:path';
import { Rcon } from 'rcon-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Demo } from '../testing/spawn-demo.ts';
import { makeDemoFolder, startDemo } from '../testing/spawn-demo.ts';
import { folderForTest, login, parsePackets, rawSocket } from '../testing/testing.ts';
import { rconPacket, readyDemo, startForTest } from '../testing/testing.ts';

const LOGIN = 3;
const COMMAND = 2;

let demo: Demo;
beforeAll(async () => {
	demo = startDemo(await makeDemoFolder());
	await demo.line(/RCON running/);
});
afterAll(async () => {
	await demo.kill();
	await fs.rm(demo.dir, { recursive: true, force: true });
});

/** A bare connection that is logged in. */
async function rawLogin(server = demo) {
	const connection = await rawSocket(server.rconPort);
	connection.socket.write(rconPacket(7, LOGIN, server.password));
	await connection.bytes(14);
	return connection;
}

/** Resolves when the flush that `start` asks for holds up the main thread: level.dat is there, the answer is not. */
async function flushing(server: Demo, start: () => void): Promise<void> {
	const inode = async () => (await fs.stat(path.join(server.dir, 'world/level.dat'))).ino;
	const before = await inode();
	start();
	await expect.poll(inode, { interval: 10 }).not.toBe(before);
}

describe('logging in', () => {
	test('the right password is answered with one packet of type 2 and the same id', async () => {
		const { received } = await rawLogin();
		expect(parsePackets(received())).toEqual([{ id: 7, type: COMMAND, payload: '' }]);
	});

	test('rcon-client logs in with the right password and not with a wrong one', async () => {
		const rcon = await login(demo);
		expect(await rcon.send('list')).toBe('There are 0 of a max of 20 players online: ');
		await expect(login(demo, 'wrong')).rejects.toThrow('Authentication failed');
	});

	test('a wrong password is answered with -1 and leaves the connection open for another try', async () => {
		const { socket, bytes } = await rawSocket(demo.rconPort);
		socket.write(rconPacket(1, LOGIN, 'wrong'));
		await bytes(14);
		socket.write(rconPacket(2, COMMAND, 'list'));
		await bytes(28);
		socket.write(rconPacket(3, LOGIN, demo.password));
		expect(parsePackets(await bytes(42)).map(({ id, type }) => [id, type])).toEqual([
			[-1, 2],
			[-1, 2],
			[3, 2]
		]);
	});

	test('a failed login revokes an earlier one', async () => {
		const { socket, bytes } = await rawLogin();
		socket.write(rconPacket(8, LOGIN, 'wrong'));
		await bytes(28);
		socket.write(rconPacket(9, COMMAND, 'list'));
		expect(parsePackets(await bytes(42)).map(({ id }) => id)).toEqual([7, -1, -1]);
	});

	test('each connection writes two lines to the log', async () => {
		const server = await readyDemo();
		const rcon = await login(server);
		await server.line(/\[RCON Listener #1\/INFO\]: Thread RCON Client \/127\.0\.0\.1 started$/);
		await rcon.end();
		await server.line(
			/\[RCON Client \/127\.0\.0\.1 #2\/INFO\]: Thread RCON Client \/127\.0\.0\.1 shutting down$/
		);
	});
});

describe('one read is one request', () => {
	test('two requests in one write close the connection and neither is answered', async () => {
		const { socket, closed, received } = await rawLogin();
		socket.write(Buffer.concat([rconPacket(1, COMMAND, 'list'), rconPacket(2, COMMAND, 'seed')]));
		await closed;
		expect(parsePackets(received())).toHaveLength(1);
	});

	test('two requests that queue up behind a long command close it too, after its answer', async () => {
		const server = await readyDemo({ DEMO_SAVE_MS: '1500' });
		const { socket, closed, received } = await rawLogin(server);
		await flushing(server, () => socket.write(rconPacket(1, COMMAND, 'save-all flush')));
		socket.write(rconPacket(2, COMMAND, 'list'));
		socket.write(rconPacket(3, COMMAND, 'seed'));
		await closed;
		expect(parsePackets(received()).map(({ id }) => id)).toEqual([7, 1]);
	});

	test('half a request, a short one and one over 1460 bytes close it', async () => {
		const wrong = [
			rconPacket(1, COMMAND, 'list').subarray(0, 11),
			Buffer.from([0, 0, 0]),
			rconPacket(1, COMMAND, `say ${'x'.repeat(1443)}`)
		];
		for (const bytes of wrong) {
			const { socket, closed, received } = await rawLogin();
			socket.write(bytes);
			await closed;
			expect(parsePackets(received())).toHaveLength(1);
		}
	});

	test('a request of exactly 1460 bytes is accepted', async () => {
		const { socket, bytes } = await rawLogin();
		socket.write(rconPacket(5, COMMAND, `say ${'x'.repeat(1442)}`));
		expect(parsePackets(await bytes(28)).at(-1)).toEqual({ id: 5, type: 0, payload: '' });
	});

	test('another packet type is named in hexadecimal, logged in or not', async () => {
		const { socket, bytes } = await rawSocket(demo.rconPort);
		socket.write(rconPacket(4, 100, ''));
		expect(parsePackets(await bytes(32))).toEqual([
			{ id: 4, type: 0, payload: 'Unknown request 64' }
		]);
	});
});

describe('answers', () => {
	test('a long one comes in fragments of 4096 units, and rcon-client sees only the first', async () => {
		const { socket, received } = await rawLogin();
		socket.write(rconPacket(1, COMMAND, 'help'));
		await expect.poll(() => parsePackets(received()).length).toBe(3);
		const [, first, second] = parsePackets(received());
		expect(first!.payload).toHaveLength(4096);
		expect(second!.payload.length).toBeLessThan(4096);
		expect([first!.id, second!.id]).toEqual([1, 1]);
		expect(first!.payload.startsWith('/advancement (grant|revoke)/attribute <target>')).toBe(true);
		const rcon = await login(demo);
		expect(await rcon.send('help')).toBe(first!.payload);
	});

	/** A connection to a server whose `banlist` is exactly `units` long before `reason` of the last ban. */
	async function withBanlist(units: number, reason: string) {
		const server = await readyDemo();
		const rcon = await login(server);
		for (const name of ['Aa', 'Bb']) await rcon.send(`ban ${name} ${'r'.repeat(1400)}`);
		const before = (await rcon.send('banlist')).length + 'Cc was banned by Rcon: '.length;
		await rcon.send(`ban Cc ${'f'.repeat(units - before)}${reason}`);
		const { socket, received } = await rawLogin(server);
		socket.write(rconPacket(1, COMMAND, 'banlist'));
		const answered = () => parsePackets(received()).filter(({ id }) => id === 1);
		await expect.poll(() => answered().length).toBeGreaterThan(0);
		// Had there been more packets, they would come before the next answer.
		socket.write(rconPacket(2, COMMAND, 'seed'));
		await expect.poll(() => parsePackets(received()).at(-1)!.id).toBe(2);
		return answered().map(({ payload }) => payload);
	}

	test('an answer of exactly 4096 units is not followed by an empty packet', async () => {
		const packets = await withBanlist(4095, '!');
		expect(packets.map((payload) => payload.length)).toEqual([4096]);
	});

	test('a character split by the fragments becomes two question marks', async () => {
		const [first, second] = await withBanlist(4095, '🐄 moo');
		expect(first!.endsWith('f?')).toBe(true);
		expect(second).toBe('? moo');
	});

	test('two connections share one buffer: the output of a slow command leaks into the other', async () => {
		const server = await readyDemo({ DEMO_SAVE_MS: '1500' });
		const [slow, quick] = [await login(server), await login(server)];
		let saved: Promise<string> | undefined;
		await flushing(server, () => (saved = slow.send('save-all flush')));
		const seed = await quick.send('seed');
		expect(await saved).toBe(seed);
		expect(seed).toMatch(/^Saved the gameSeed: \[-?\d+\]$/);
	});
});

describe('switched off', () => {
	test.each([
		[
			'rcon.password=.*',
			'rcon.password=',
			'No rcon password set in server.properties, rcon disabled!'
		],
		[
			'rcon.port=.*',
			'rcon.port=0',
			'Invalid rcon port 0 found in server.properties, rcon disabled!'
		]
	])('%s replaced by "%s" disables it with a warning', async (key, value, warning) => {
		const folder = await folderForTest();
		const file = path.join(folder.dir, 'server.properties');
		const text = await fs.readFile(file, 'utf8');
		await fs.writeFile(file, text.replace(new RegExp(key), value));
		const server = startForTest(folder);
		await server.line(/rcon disabled!/);
		expect(server.output()).toContain(warning);
		const rcon = new Rcon({ host: '127.0.0.1', port: folder.rconPort, password: 'x' });
		await expect(rcon.connect()).rejects.toThrow('ECONNREFUSED');
	});
});
