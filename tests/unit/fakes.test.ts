import { status } from 'minecraft-server-util';
import { once } from 'node:events';
import net from 'node:net';
import { Rcon } from 'rcon-client';
import { afterEach, describe, expect, test } from 'vitest';
import { startFakePing } from '../fakes/game/ping.ts';
import { rconPacket, startFakeRcon, type FakeRconScript } from '../fakes/game/rcon.ts';

// Third-party clients and raw bytes show whether the fakes are honest.

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function fakeRcon(script: FakeRconScript = {}) {
	const fake = await startFakeRcon(script);
	cleanups.push(() => fake.close());
	return fake;
}

/** Logs in by hand. */
async function rawClient(fake: Awaited<ReturnType<typeof fakeRcon>>) {
	const socket = net.connect({ ...fake.address, noDelay: true });
	socket.on('error', () => {});
	cleanups.push(() => socket.destroy());
	await once(socket, 'connect');
	const bytes: Buffer[] = [];
	socket.on('data', (chunk: Buffer) => bytes.push(chunk));
	socket.write(rconPacket({ id: 1, type: 3, text: fake.address.password }));
	await once(socket, 'data');
	return { socket, received: () => Buffer.concat(bytes) };
}

/** Also when it was reset. */
const closed = (socket: net.Socket) =>
	new Promise<void>((resolve) => socket.once('close', () => resolve()));

describe('the fake RCON server', () => {
	test('talks to rcon-client: login, commands, silent commands, a refused password', async () => {
		const fake = await fakeRcon();
		const { host, port, password } = fake.address;
		const client = await Rcon.connect({ host, port, password });
		client.on('error', () => {});
		expect(await client.send('list')).toBe('There are 0 of a max of 20 players online: ');
		expect(await client.send('say hello')).toBe('');
		expect(await client.send('foo')).toBe(
			'Unknown or incomplete command. See below for errorfoo<--[HERE]'
		);
		await client.end();
		await expect(Rcon.connect({ host, port, password: 'wrong' })).rejects.toThrow('Authentication');
		expect(fake.commands).toEqual(['list', 'say hello', 'foo']);
		expect([fake.logins, fake.refused]).toEqual([1, 1]);
	});

	test('cuts answers at 4,096 units: rcon-client returns only the first piece', async () => {
		const fake = await fakeRcon({ answer: () => '€'.repeat(8889) });
		const client = await Rcon.connect({ ...fake.address });
		expect(await client.send('help')).toBe('€'.repeat(4096));
		await client.end();
	});

	test('hangs up, as the game does, when one read brings two requests, a part of one, or too long a one', async () => {
		const fake = await fakeRcon();
		const list = rconPacket({ id: 2, type: 2, text: 'list' });
		const wrong = [
			Buffer.concat([list, list]),
			list.subarray(0, 11),
			list.subarray(0, 9),
			rconPacket({ id: 2, type: 2, text: 'x'.repeat(1447) })
		];
		for (const bytes of wrong) {
			const { socket } = await rawClient(fake);
			socket.write(bytes);
			await closed(socket);
		}
		expect(fake.violations).toHaveLength(wrong.length);
		expect(fake.commands).toEqual([]);
	});

	test('takes requests that arrive while it works as one read, and hangs up', async () => {
		let letGo = () => {};
		const gate = new Promise<void>((resolve) => (letGo = resolve));
		const fake = await fakeRcon({
			answer: async (line) => {
				if (line === 'slow') await gate;
				return undefined;
			}
		});
		const { socket } = await rawClient(fake);
		socket.write(rconPacket({ id: 2, type: 2, text: 'slow' }));
		await fake.until(() => fake.commands.length === 1);
		socket.write(rconPacket({ id: 3, type: 2, text: 'a' }));
		socket.write(rconPacket({ id: 4, type: 2, text: 'b' }), letGo);
		await closed(socket);
		expect(fake.commands).toEqual(['slow']);
	});

	test('answers another type with its number, and a command before the login with -1', async () => {
		const fake = await fakeRcon();
		const { socket, received } = await rawClient(fake);
		socket.write(rconPacket({ id: 9, type: 100, text: '' }));
		await once(socket, 'data');
		expect(received().subarray(14)).toEqual(
			rconPacket({ id: 9, type: 0, text: 'Unknown request 64' })
		);
		const stranger = net.connect({ ...fake.address });
		cleanups.push(() => stranger.destroy());
		stranger.write(rconPacket({ id: 5, type: 2, text: 'op me' }));
		const [answer] = await once(stranger, 'data');
		expect(answer).toEqual(rconPacket({ id: -1, type: 2, text: '' }));
		expect(fake.commands).toEqual([]);
	});

	test('hangs up like Cuberite on a packet of type 100 and answers with type 2, twice', async () => {
		const fake = await fakeRcon({ software: 'cuberite' });
		const { socket, received } = await rawClient(fake);
		socket.write(rconPacket({ id: 3, type: 2, text: 'list' }));
		const [output, empty] = [
			rconPacket({ id: 3, type: 2, text: 'Players (0): ' }),
			rconPacket({ id: 3, type: 2, text: '' })
		];
		while (received().length < 14 + output.length + empty.length) await once(socket, 'data');
		expect(received().subarray(14)).toEqual(Buffer.concat([output, empty]));
		socket.write(rconPacket({ id: 4, type: 100, text: '' }));
		await closed(socket);
	});
});

describe('the fake ping server', () => {
	test('talks to minecraft-server-util', async () => {
		const fake = await startFakePing({
			status: {
				description: { text: 'Hi', color: 'gold' },
				players: { max: 20, online: 2, sample: [] },
				version: { name: '1.21.1', protocol: 767 }
			}
		});
		cleanups.push(() => fake.close());
		const answer = await status(fake.host, fake.port, { enableSRV: false, timeout: 5_000 });
		expect(answer).toMatchObject({
			version: { name: '1.21.1', protocol: 767 },
			players: { online: 2, max: 20 },
			motd: { clean: 'Hi' }
		});
		expect(fake.handshakes).toEqual([{ protocol: 47, host: fake.host, port: fake.port, next: 1 }]);
		expect(fake.packets).toEqual([0, 0, 1]);
	});
});
