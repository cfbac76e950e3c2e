import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { exists } from '#core/files';
import { ownPort } from '../../../scripts/demo-server/testing/own-port.ts';
import { startFakePing } from '../../fakes/game/ping.ts';
import { levelDat } from '../../fakes/mods/jars.ts';
import { fabricJar } from '../../fakes/mods/mod-jars.ts';
import type { Behaviour } from '../../fakes/game/stand-in-java.ts';
import { ADMIN, eventually, signedIn, type Visitor } from '../../harness.ts';
import { begin, ended, power, reaches, status } from '../kit/actions.ts';
import { newestPid, open, pageText, type Setup } from '../kit/servers-kit.ts';

/** By then the overview must say why the server exited. */
const SHOWN_WITHIN_MS = 10_000;
/** What the overview says before it lists earlier operations. */
const overview = async (visitor: Visitor) =>
	(await pageText(visitor, '/admin')).split('Recent operations')[0]!;
const shows = (visitor: Visitor, words: string) =>
	eventually(
		() => overview(visitor),
		(page) => page.includes(words),
		SHOWN_WITHIN_MS
	);

describe('a server that exits by itself', () => {
	let setup: Setup;
	const cleanups: (() => Promise<void>)[] = [];
	beforeAll(async () => {
		setup = await open('fabric', {}, (cleanup) => cleanups.push(cleanup));
	});
	afterAll(async () => {
		for (const cleanup of cleanups.reverse()) await cleanup();
	});

	test.each<[string, Behaviour, { message: string; line: string | null; mods?: string[] }]>([
		[
			'the EULA is not accepted',
			{
				exitCode: 0,
				log: [
					'[10:00:00] [main/WARN]: Failed to load eula.txt',
					'[10:00:00] [main/INFO]: You need to agree to the EULA in order to run the server. Go to eula.txt for more info.'
				]
			},
			{
				message: 'The server did not start because the Minecraft EULA has not been accepted.',
				line: '[10:00:00] [main/INFO]: You need to agree to the EULA in order to run the server. Go to eula.txt for more info.'
			}
		],
		[
			'the port is in use',
			{
				exitCode: 0,
				log: [
					'[10:00:00] [Server thread/INFO]: Starting Minecraft server on *:25570',
					'[10:00:01] [Server thread/WARN]: **** FAILED TO BIND TO PORT!',
					'[10:00:01] [Server thread/WARN]: The exception was: io.netty.channel.unix.Errors$NativeIoException: bind(..) failed: Address already in use',
					'[10:00:01] [Server thread/WARN]: Perhaps a server is already running on that port?',
					'[10:00:01] [Server thread/INFO]: Stopping server'
				]
			},
			{
				message: 'Port 25570 is already in use, so the server could not start.',
				line: '[10:00:01] [Server thread/WARN]: **** FAILED TO BIND TO PORT!'
			}
		],
		[
			'Java is too old, which only its error output tells',
			{
				exitCode: 1,
				output: [
					'Error: LinkageError occurred while loading main class net.minecraft.bundler.Main',
					'\tjava.lang.UnsupportedClassVersionError: net/minecraft/bundler/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0'
				]
			},
			{
				message:
					'The server or one of its mods needs Java 21 (class file version 65), but it was started with Java 17 (class file version 61).',
				line: ' java.lang.UnsupportedClassVersionError: net/minecraft/bundler/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0'
			}
		],
		[
			'two mods do not get on',
			{
				exitCode: 1,
				log: [
					[
						'[10:00:00] [main/ERROR]: Incompatible mods found!',
						'net.fabricmc.loader.impl.FormattedException: Some of your mods are incompatible with the game or each other!',
						'A potential solution has been determined, this may resolve your problem:',
						'\t - Install sodium, version 0.5.0 or later.',
						'More details:',
						"\t - Mod 'Sodium <Extra>' (sodium-extra) 0.5.4 requires version 0.5.0 or later of sodium, which is missing!",
						'\tat net.fabricmc.loader.impl.FormattedException.ofLocalized(FormattedException.java:51)'
					].join('\n')
				]
			},
			{
				message:
					"The mod loader refuses these mods: Mod 'Sodium <Extra>' (sodium-extra) 0.5.4 requires version 0.5.0 or later of sodium, which is missing!",
				line: '[10:00:00] [main/ERROR]: Incompatible mods found!',
				mods: ['sodium-extra']
			}
		],
		[
			'the machine has not enough memory',
			{
				exitCode: 1,
				output: [
					'Error occurred during initialization of VM',
					'Could not reserve enough space for 67108864KB object heap'
				]
			},
			{
				message: 'Java could not get the memory that the server is started with.',
				line: 'Could not reserve enough space for 67108864KB object heap'
			}
		],
		[
			'it just ends, with code 0 and without a word',
			{ exitCode: 0 },
			{
				message: 'The server ended with exit code 0 and did not say why.',
				line: null
			}
		]
	])('before it is ready: %s', async (_, behaviour, { message, line, mods = [] }) => {
		const { folder, ada } = setup;
		await folder.behave(behaviour);
		const id = await begin(ada, 'start');
		const page = await shows(ada, message);
		expect(page).toContain('Mark as seen : the crash');
		if (line) expect(page).toContain(line.replace(/\s+/g, ' '));
		const { state, cause } = await ended(ada, id);
		expect({ state, mods: cause?.mods }).toEqual({ state: 'failed', mods });
		expect(cause?.log).toEqual(line ? expect.arrayContaining([line]) : []);
		// Followed by what to do about it.
		expect(cause?.message.startsWith(`${message} `)).toBe(true);
		expect(await status(ada)).toMatchObject({ state: 'crashed', reason: message });
		expect(await pageText(ada, `/admin/operations/${id}`)).toContain(message);
	});

	test.each<[string, Behaviour, string]>([
		[
			'out of memory',
			{
				exitCode: 1,
				exitLater: true,
				log: [
					'[10:00:09] [Server thread/ERROR]: Encountered an unexpected exception\njava.lang.OutOfMemoryError: Java heap space\n\tat example.Mod.tick(Mod.java:1)'
				],
				crashReport:
					'---- Minecraft Crash Report ----\n\nTime: 2026-01-01 10:00:00\nDescription: Exception in server tick loop\n\njava.lang.OutOfMemoryError: Java heap space\n\tat example.Mod.tick(Mod.java:1)\n'
			},
			'The server ran out of memory (Java heap space).'
		],
		[
			'with code 0 after a crash, as vanilla does',
			{
				exitCode: 0,
				exitLater: true,
				log: [
					'[10:00:09] [Server thread/ERROR]: Encountered an unexpected exception\njava.lang.IllegalStateException: Oh no\n\tat example.Main.main(Main.java:1)',
					'[10:00:09] [Server thread/INFO]: Stopping server'
				]
			},
			'The server crashed: IllegalStateException: Oh no.'
		],
		[
			'with code 0 and without a word',
			{ exitCode: 0, exitLater: true },
			'The server ended with exit code 0 and did not say why.'
		]
	])('while it runs: %s', async (_, behaviour, message) => {
		const { folder, ada } = setup;
		await folder.behave(behaviour);
		expect(await power(ada, 'start')).toMatchObject({ state: 'succeeded' });
		process.kill(await newestPid(setup), 'SIGHUP');
		await shows(ada, message.replace('The server crashed: ', ''));
		expect(await status(ada)).toMatchObject({ state: 'crashed', reason: message });
	});

	test('because somebody on the machine killed it', async () => {
		const { folder, ada } = setup;
		await folder.behave({});
		await power(ada, 'start');
		process.kill(await newestPid(setup), 'SIGKILL');
		await shows(ada, 'The server was killed from outside');
		expect(await status(ada)).toMatchObject({ state: 'crashed' });
	});

	test('because an operator typed /stop: that is no crash', async () => {
		const { folder, ada } = setup;
		await folder.behave({});
		await power(ada, 'start');
		process.kill(await newestPid(setup), 'SIGUSR2');
		const { reason } = await reaches(ada, 'stopped', SHOWN_WITHIN_MS);
		expect(reason).toBe('Stopped from inside the game.');
		// The unseen crash of an earlier test is over.
		expect(await overview(ada)).not.toMatch(/The server crashed(?!.{0,60}, and was started)/);
	});
});

const LEVEL = levelDat('1.21.1', 3955);

// One in the usual folder is found without a PATH.
test.skipIf(existsSync('/usr/lib/jvm'))(
	'without Java the start fails and says what to install',
	async () => {
		const { folder, ada } = await open('paper', {
			env: () => ({ PATH: '/nonexistent', JAVA_HOME: '' })
		});
		const message = /^The server could not be started: Java was not found\. Install the Java/;
		const failed = await power(ada, 'start');
		expect(failed).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(message), mods: [] }
		});
		expect(await status(ada)).toMatchObject({
			state: 'crashed',
			reason: expect.stringMatching(message)
		});
		await shows(ada, 'Java was not found. Install the Java version that this game version needs');
		expect(await folder.starts()).toEqual([]);
	}
);

describe('automatic restart', () => {
	const switchOn = (visitor: Visitor) =>
		visitor.json('/api/settings', { autoRestart: true, autoRestartLimit: 1 }, 'PATCH');

	test('restarts a crashed server after a while, and gives up at the limit', async () => {
		const setup = await open('paper');
		const { folder, dashboard, ada } = setup;
		expect((await switchOn(ada)).status).toBe(200);
		await power(ada, 'start');
		process.kill(await newestPid(setup), 'SIGKILL');
		await shows(ada, 'It is started again after 10 s.');
		expect(await status(ada)).toMatchObject({ state: 'crashed' });
		await reaches(ada, 'running', 25_000);
		expect(await folder.starts()).toHaveLength(2);
		const { operations } = (await ada.json('/api/operations')).body;
		expect(operations[0]).toMatchObject({ kind: 'start', by: 'dashboard' });
		await ended(ada, operations[0].id);

		process.kill(await newestPid(setup), 'SIGKILL');
		const { reason } = await eventually(
			() => status(ada),
			({ reason }) => /left alone/.test(reason ?? '')
		);
		expect(reason).toMatch(/^The server was killed .* within 10 minutes and is left alone/);
		await shows(ada, 'is left alone now.');
		const bob = await signedIn(dashboard, ADMIN);
		const { entries } = (await bob.json('/api/audit')).body;
		expect(entries).toContainEqual(
			expect.objectContaining({
				by: 'dashboard',
				action: 'server.start',
				result: 'refused',
				detail: expect.stringContaining('left alone')
			})
		);
		expect(await folder.starts()).toHaveLength(2);
	}, 60_000);
});

test('a native server that crashes through its own fault is not told to update Java', async () => {
	const { ada } = await open('fabric', {
		env: () => ({ SERVER_COMMAND: JSON.stringify(['sh', '-c', 'echo Loading; kill -SEGV $$']) })
	});
	const operation = await power(ada, 'start');
	expect(operation).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringContaining('crashed (SIGSEGV)') }
	});
	await shows(ada, 'crashed (SIGSEGV)');
	expect(await overview(ada)).not.toContain('Update Java');
});

test('a server that answers though its process cannot be seen is unknown, and nothing is copied or changed', async () => {
	const game = await startFakePing();
	onTestFinished(() => game.close());
	const properties = { 'server-port': game.port, 'enable-rcon': 'false', 'online-mode': 'false' };
	const { ada, folder } = await open('fabric', {
		properties,
		prepare: (made) => made.write('world/level.dat', 'a world')
	});
	const words =
		'Something answers at the server’s address, but its process is not visible from here.';
	expect(await status(ada)).toMatchObject({ state: 'unknown', online: true, reason: words });
	const seen = await overview(ada);
	expect(seen).toContain('The server runs where the dashboard cannot see it');
	expect(seen).toContain('The file docs/deploy.md there shows both ways.');
	expect(seen).not.toContain('eeds your attention');

	const { body } = await ada.json('/api/backups', { note: '' });
	expect(await ended(ada, body.operation.id)).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringContaining(words) }
	});
	expect((await ada.json('/api/backups')).body.backups).toEqual([]);

	for (const [target, wish] of [
		['/api/server/start', {}],
		['/api/server/stop', {}],
		['/api/players', { action: 'op', player: 'Ada' }]
	] as const) {
		const answer = await ada.json(target, wish);
		expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining(words) } });
	}
	expect(await exists(path.join(folder.dir, 'ops.json'))).toBe(false);
});

test('nothing is restored, and no mod is swapped, under a server whose process cannot be seen', async () => {
	const port = await ownPort();
	const properties = { 'server-port': port, 'enable-rcon': 'false' };
	const jar = fabricJar('kept');
	const { ada, folder } = await open('fabric', {
		properties,
		async prepare(made) {
			await made.write('world/level.dat', LEVEL);
			await made.write('world/data/notes.txt', 'as it was');
			await made.write('mods/kept.jar', jar);
		}
	});
	const made = await ada.json('/api/backups', { note: '' });
	expect(await ended(ada, made.body.operation.id)).toMatchObject({ state: 'succeeded' });
	const [backup] = (await ada.json('/api/backups')).body.backups;
	const { snapshot } = (await ada.json('/api/snapshots', { note: '' })).body;
	const level = path.join(folder.dir, 'world/data/notes.txt');
	await writeFile(level, 'as it is');

	const game = await startFakePing({ port });
	onTestFinished(() => game.close());
	await reaches(ada, 'unknown');
	for (const [target, wish, method] of [
		[`/api/backups/${backup.id}/restore`, { scope: 'all' }, 'POST'],
		[`/api/snapshots/${snapshot.id}/restore`, {}, 'POST'],
		['/api/mods', { fileName: 'kept.jar', enabled: false }, 'PATCH']
	] as const) {
		const { status, body } = await ada.json(target, wish, method);
		expect(status, `${target} ${body.detail}`).toBe(202);
		expect(await ended(ada, body.operation.id), target).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringContaining('its process is not visible from here') }
		});
	}
	expect(await readFile(level, 'utf8')).toBe('as it is');
	expect(await readFile(path.join(folder.dir, 'mods/kept.jar'))).toEqual(jar);
	expect(await folder.starts()).toEqual([]);
});
