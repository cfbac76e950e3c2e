import fs from 'node:fs/promises';
import path from 'node:path';
import { status } from 'minecraft-server-util';
import { describe, expect, test } from 'vitest';
import type { Demo, DemoFolder } from '../testing/spawn-demo.ts';
import {
	folderForTest,
	login,
	rawSocket,
	readyDemo,
	runDemo,
	startForTest
} from '../testing/testing.ts';

const ask = (demo: DemoFolder) =>
	status('127.0.0.1', demo.port, { enableSRV: false, timeout: 5000 });

async function withProperty(key: string, value: string, env?: Record<string, string>) {
	const folder = await folderForTest();
	const file = path.join(folder.dir, 'server.properties');
	const text = await fs.readFile(file, 'utf8');
	await fs.writeFile(file, text.replace(new RegExp(`^${key}=.*$`, 'm'), `${key}=${value}`));
	const demo = startForTest(folder, env);
	await demo.line(/RCON running/);
	return demo;
}

/** A handshake and a status request for 127.0.0.1:25565 by protocol 767. */
const REQUEST = Buffer.from('1000ff05093132372e302e302e3163dd010100', 'hex');

async function closedUnanswered(demo: Demo): Promise<boolean> {
	const { socket, closed, received } = await rawSocket(demo.port);
	socket.write(REQUEST);
	await closed;
	return received().length === 0;
}

describe('Server List Ping', () => {
	test('a ready server reports name, players, protocol and a round trip', async () => {
		const demo = await readyDemo();
		const answer = await ask(demo);
		expect(answer.version).toEqual({ name: '1.21.1', protocol: 767 });
		expect(answer.players).toEqual({ online: 0, max: 20, sample: null });
		expect(answer.motd.clean).toBe('Craftwarden demo');
		expect(answer.roundTripLatency).toBeGreaterThanOrEqual(0);
	});

	test('while the world loads the port is open and clients are cut off', async () => {
		const demo = await runDemo({ DEMO_HANG_IN_BOOT: 'true' });
		await demo.line(/Preparing level/);
		expect(await closedUnanswered(demo)).toBe(true);
		await expect(ask(demo)).rejects.toThrow();
	});

	test('players are in the sample, and not with hide-online-players', async () => {
		const bots = { DEMO_BOTS: '1', DEMO_STAY: 'true', DEMO_SPEED: '100' };
		const open = await readyDemo(bots);
		await open.line(/joined the game/);
		await expect
			.poll(async () => (await ask(open)).players.sample)
			.toEqual([{ name: 'Mossfeather', id: '57a832fa-0a23-3702-a6bd-9d6b7a2706e8' }]);
		const hidden = await withProperty('hide-online-players', 'true', bots);
		await hidden.line(/joined the game/);
		await expect.poll(async () => (await ask(hidden)).players.online).toBe(1);
		expect((await ask(hidden)).players.sample).toBeNull();
	});

	test('the answer is rebuilt every five seconds at most', async () => {
		const demo = await readyDemo({ DEMO_BOTS: '1', DEMO_SPEED: '2' });
		await demo.line(/joined the game/);
		const online = async () => (await ask(demo)).players.online;
		await expect.poll(online, { timeout: 10_000 }).toBe(1);
		const rcon = await login(demo);
		await rcon.send('kick @a');
		expect(await online()).toBe(1);
		await expect.poll(online, { timeout: 10_000 }).toBe(0);
	});

	test('enable-status=false disconnects everybody', async () => {
		const demo = await withProperty('enable-status', 'false');
		expect(await closedUnanswered(demo)).toBe(true);
	});

	test('garbage and endless packets end the connection, not the server', async () => {
		const demo = await readyDemo();
		for (const bytes of [Buffer.alloc(5000, 0xff), Buffer.from([1, 9]), Buffer.from([0])]) {
			const { socket, closed } = await rawSocket(demo.port);
			socket.write(bytes);
			await closed;
		}
		expect((await ask(demo)).players.max).toBe(20);
	});

	test('a client that tries to join is told that nobody can', async () => {
		const demo = await readyDemo();
		const { socket, closed, received } = await rawSocket(demo.port);
		const hello = Buffer.from(REQUEST.subarray(0, 17));
		hello[16] = 2;
		socket.write(Buffer.concat([hello, Buffer.from([2, 0, 0])]));
		await closed;
		expect(received().toString()).toContain('demonstration server');
	});
});
