import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { offlineUuid } from '../../../src/lib/server/minecraft/lists/profiles.ts';
import { startFakeRcon } from '../../fakes/game/rcon.ts';
import { ADMIN, eventually, signedIn, type Visitor } from '../../harness.ts';
import { begin, ended, operation, power, status } from '../kit/actions.ts';
import {
	ASKED_NOTHING,
	isAlive,
	newestPid,
	open,
	pageText,
	type Setup
} from '../kit/servers-kit.ts';

describe('RCON that is off', () => {
	/** The port depends on what else runs on this machine. */
	const LINES = /enable-rcon=true rcon\.port=(\d+) rcon\.password=([\w-]{20,})/;
	const ORIGINAL = '#Minecraft server properties\n#made by hand\nenable-status=false\nmotd=Hi\n';
	const setUp = () =>
		open('vanilla', {
			async prepare({ write }) {
				await write(FILE, ORIGINAL);
				await write('eula.txt', 'eula=true\n'); // otherwise accepting it would be the next step
			}
		});
	const FILE = 'server.properties';
	const read = ({ folder }: Setup) => readFile(path.join(folder.dir, FILE), 'utf8');
	const written = ({ port, password }: { port: string; password: string }) =>
		`${ORIGINAL}enable-rcon=true\nrcon.port=${port}\nrcon.password=${password}\n`;
	const shownLines = async (visitor: Visitor) => {
		const [, port = '', password = 'not shown'] =
			LINES.exec(await pageText(visitor, '/admin')) ?? [];
		return { port, password };
	};

	test('is turned on with the very lines that were shown, by a superadmin only', async () => {
		const setup = await setUp();
		const { ada, dashboard } = setup;
		const bob = await signedIn(dashboard, ADMIN);
		expect(await pageText(bob, '/admin')).toContain('A superadmin can');
		const shown = await shownLines(ada);
		// Anybody who knows it is an operator.
		for (const target of ['/admin', '/admin/__data.json'])
			expect(await (await bob.fetch(target)).text()).not.toContain(shown.password);
		expect(shown.password).not.toBe('not shown');
		expect((await bob.form('/admin?/enableRcon')).status).toBe(403);
		expect(await read(setup)).toBe(ORIGINAL);

		expect((await ada.form('/admin?/enableRcon')).status).toBe(303);
		expect(await read(setup)).toBe(written(shown));
		const page = await pageText(ada, '/admin');
		expect(page).toContain('RCON is on from the next start of the server.');
		expect(page).not.toContain('RCON is off');
	});

	test.each(['stop', 'restart'] as const)(
		'waits for the %s while the server runs',
		async (action) => {
			const setup = await setUp();
			const { ada } = setup;
			await power(ada, 'start');
			const shown = await shownLines(ada);
			expect((await ada.form('/admin?/enableRcon')).status).toBe(303);
			expect(await pageText(ada, '/admin')).toContain(
				'RCON will be turned on when the server stops next'
			);
			expect(await read(setup)).toBe(ORIGINAL);
			expect(await power(ada, action)).toMatchObject({ state: 'succeeded' });
			await eventually(
				() => read(setup),
				(text) => text === written(shown),
				5_000
			);
			expect(await pageText(ada, '/admin')).not.toMatch(/RCON is (?:off|turned on)/);
		}
	);
});

test('somebody who is kicked with a message in another language is gone at once, and from every list', async () => {
	const online = new Set(['Ana', 'Bo']);
	const fake = await startFakeRcon({
		connect: 'rst',
		answer(line) {
			if (line.startsWith('list')) {
				const names = [...online].map((name) => `${name} (${offlineUuid(name)})`).join(', ');
				return `There are ${online.size} of a max of 20 players online: ${names}`;
			}
			if (!line.startsWith('kick ')) return undefined;
			setTimeout(() => online.delete(line.slice('kick '.length)), 300);
			return 'Der Spieler wurde hinausgeworfen';
		}
	});
	onTestFinished(fake.close);
	const { ada } = await open('fabric', {
		properties: {
			...ASKED_NOTHING,
			'enable-rcon': 'true',
			'rcon.port': fake.address.port,
			'rcon.password': fake.address.password
		}
	});
	await power(ada, 'start');
	fake.script.connect = 'accept';
	await eventually(
		() => status(ada),
		({ players }) => players.names?.length === 2
	);
	const kicked = await ada.json('/api/players', { action: 'kick', player: 'Bo' });
	expect([kicked.status, kicked.body.changed]).toEqual([200, true]);
	const [lists, now] = await Promise.all([ada.json('/api/players'), status(ada)]);
	expect(lists.body.online).toMatchObject([{ name: 'Ana' }]);
	expect(now.players).toMatchObject({ online: 1, names: ['Ana'] });
});

describe('a countdown', () => {
	/** The stand-in's console: refuses until `answers`, and `stop` stops it. */
	async function setUp() {
		const fake = await startFakeRcon({ connect: 'rst' });
		onTestFinished(fake.close);
		const setup = await open('fabric', {
			properties: {
				...ASKED_NOTHING,
				'enable-rcon': 'true',
				'rcon.port': fake.address.port,
				'rcon.password': fake.address.password
			}
		});
		await power(setup.ada, 'start');
		fake.script.connect = 'accept';
		fake.script.answer = async (line) => {
			if (line !== 'stop') return undefined;
			fake.script.connect = 'rst';
			process.kill(await newestPid(setup), 'SIGUSR2');
			return { output: 'Stopping the server', then: 'close' };
		};
		// A console that refused while the game was loading is retried only after a while.
		await eventually(
			() => status(setup.ada),
			({ via }) => via === 'rcon'
		);
		const told = () =>
			fake.commands.flatMap((line) => {
				const [, component] = /^tellraw @a (\{.*\})$/.exec(line) ?? [];
				return component ? [JSON.parse(component).text as string] : [];
			});
		return { ...setup, setup, fake, told };
	}

	test('tells the players how long is left, then restarts over RCON', async () => {
		const { ada, folder, fake, told } = await setUp();
		const message = 'New "mods": @a \\ {"text":1}';
		const done = await power(ada, 'restart', { delaySeconds: 3, message });
		expect(done).toMatchObject({ state: 'succeeded' });
		expect(done.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
			'countdown done',
			'stop done',
			'exit done',
			'launch done',
			'ready done'
		]);
		expect(done.steps[1]!.detail).toBe('Told to stop over RCON.');
		expect(told()[0]).toBe(`The server restarts in 3 seconds. ${message}`);
		expect(told().length).toBeGreaterThan(1);
		for (const text of told()) expect(text).toMatch(/^The server restarts in [123] seconds?\. New/);
		expect(new Set(told()).size).toBe(told().length);
		expect(fake.commands.filter((line) => line === 'stop')).toHaveLength(1);
		expect(fake.violations).toEqual([]);
		expect(await folder.starts()).toHaveLength(2);
		expect(await status(ada)).toMatchObject({ state: 'running' });
	});

	test('that is cancelled is called off in game, and the server keeps running', async () => {
		const { ada, setup, folder, fake, told } = await setUp();
		const pid = await newestPid(setup);
		const id = await begin(ada, 'stop', { delaySeconds: 300 });
		await fake.until(() => told().length > 0);
		expect(told()[0]).toMatch(/^The server stops in 5 minutes\./);
		expect(await operation(ada, id)).toMatchObject({ state: 'running' });
		expect((await ada.json('/api/server/start', {})).status).toBe(409);
		expect((await ada.json(`/api/operations/${id}/cancel`, {})).status).toBe(200);
		expect(await ended(ada, id)).toMatchObject({ state: 'cancelled' });
		await fake.until(() => told().includes('The stop was called off.'));
		expect(fake.commands).not.toContain('stop');
		expect(isAlive(pid)).toBe(true);
		expect(await status(ada)).toMatchObject({ state: 'running' });
		expect(await folder.starts()).toHaveLength(1);
	});
});
