import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderForTest, LOG_LINE, login, messages, readLog, readyDemo } from './testing/testing.ts';
import { runDemo, startForTest } from './testing/testing.ts';

const spaced = (text: string) => messages(text).filter((line) => line !== '');

describe('starting', () => {
	test('it prints the boot sequence in order, the same to stdout and latest.log', async () => {
		const demo = await readyDemo();
		const said = spaced(demo.output());
		const order = [
			'Loading Minecraft 1.21.1 with Fabric Loader 0.16.9',
			'Loading 9 mods:',
			'\t- lantern-keeper 1.4.2',
			'Starting minecraft server version 1.21.1',
			`Starting Minecraft server on 127.0.0.1:${demo.port}`,
			'Preparing level "world"',
			'Preparing spawn area: 0%',
			'Preparing spawn area: 100%',
			expect.stringMatching(/^Done \(\d+\.\d{3}s\)! For help, type "help"$/),
			'Thread RCON Listener started',
			`RCON running on 127.0.0.1:${demo.rconPort}`
		];
		expect(
			said.filter((line) =>
				order.some((o) => (typeof o === 'string' ? o === line : /^Done/.test(line)))
			)
		).toEqual(order);
		expect(await readLog(demo)).toBe(demo.output());
	});

	test('every line except the list of mods has the prefix of a Fabric log', async () => {
		const demo = await readyDemo();
		const odd = demo
			.output()
			.split('\n')
			.filter((line) => line !== '' && !LOG_LINE.test(line));
		expect(odd.every((line) => /^\t(- | {3}\\-- )/.test(line))).toBe(true);
	});

	test('without agreement to the EULA it says so and exits with 0', async () => {
		const folder = await folderForTest();
		await fs.writeFile(path.join(folder.dir, 'eula.txt'), 'eula=false\n');
		const demo = startForTest(folder);
		expect(await demo.ended).toEqual({ code: 0, signal: null });
		expect(spaced(demo.output()).at(-1)).toBe(
			'You need to agree to the EULA in order to run the server. Go to eula.txt for more info.'
		);
		expect(demo.output()).not.toContain('Starting minecraft server');
	});

	test('a missing eula.txt is written with eula=false', async () => {
		const folder = await folderForTest();
		await fs.rm(path.join(folder.dir, 'eula.txt'));
		await startForTest(folder).ended;
		expect(await fs.readFile(path.join(folder.dir, 'eula.txt'), 'utf8')).toContain('eula=false');
	});

	test('a port in use ends it with the lines of the game and a crash report', async () => {
		const folder = await folderForTest();
		const other = net.createServer();
		await new Promise<void>((resolve) => other.listen(folder.port, '127.0.0.1', resolve));
		onTestFinished(() => void other.close());
		const demo = startForTest(folder);
		expect((await demo.ended).code).toBe(0);
		const said = spaced(demo.output());
		expect(said).toContain('**** FAILED TO BIND TO PORT!');
		expect(said).toContain('The exception was: java.net.BindException: Address already in use');
		expect(said.at(-1)).toBe('ThreadedAnvilChunkStorage: All dimensions are saved');
		expect(await fs.readdir(path.join(folder.dir, 'crash-reports'))).toHaveLength(1);
	});

	test('a second server on the same world is refused and does not harm the first', async () => {
		const demo = await readyDemo();
		const second = startForTest(demo, {});
		expect((await second.ended).code).toBe(0);
		expect(second.output()).toContain('session.lock: already locked (possibly by other Minecraft');
		expect(await fs.readFile(path.join(demo.dir, 'world/session.lock'), 'utf8')).toBe('☃');
		const rcon = await login(demo);
		expect(await rcon.send('list')).toBe('There are 0 of a max of 20 players online: ');
		const third = startForTest(demo, {});
		await third.ended;
		expect(third.output()).toContain('already locked');
	});

	test('a world without level.dat is created, one with it continues from its time', async () => {
		const folder = await folderForTest();
		await fs.rm(path.join(folder.dir, 'world'), { recursive: true });
		const first = startForTest(folder);
		await first.line(/No existing world data, creating new world/);
		await first.line(/RCON running/);
		first.process.kill('SIGTERM');
		await first.ended;
		const second = startForTest(folder);
		await second.line(/RCON running/);
		expect(second.output()).not.toContain('No existing world data');
	});
});

describe('stopping', () => {
	test('stop is answered, then players and worlds are saved, then it exits with 0', async () => {
		const demo = await readyDemo();
		const rcon = await login(demo);
		expect(await rcon.send('stop')).toBe('Stopping the server');
		expect(await demo.ended).toEqual({ code: 0, signal: null });
		const said = spaced(demo.output());
		expect(said.slice(said.indexOf('[Rcon: Stopping the server]'))).toEqual([
			'[Rcon: Stopping the server]',
			'Stopping server',
			'Saving players',
			'Saving worlds',
			"Saving chunks for level 'ServerLevel[world]'/minecraft:overworld",
			"Saving chunks for level 'ServerLevel[world]'/minecraft:the_end",
			"Saving chunks for level 'ServerLevel[world]'/minecraft:the_nether",
			'ThreadedAnvilChunkStorage (world): All chunks are saved',
			'ThreadedAnvilChunkStorage (DIM1): All chunks are saved',
			'ThreadedAnvilChunkStorage (DIM-1): All chunks are saved',
			'ThreadedAnvilChunkStorage: All dimensions are saved',
			'Thread RCON Client /127.0.0.1 shutting down',
			'Thread RCON Listener stopped'
		]);
	});

	test('the port closes long before the process has exited', async () => {
		const demo = await readyDemo({ DEMO_SAVE_MS: '9000' });
		const rcon = await login(demo);
		await rcon.send('stop');
		await demo.line(/Saving worlds/);
		const refused = await new Promise<string>((resolve) =>
			net
				.connect(demo.port, '127.0.0.1')
				.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
				.on('connect', () => resolve('connected'))
		);
		expect(refused).toBe('ECONNREFUSED');
		expect(demo.process.exitCode).toBeNull();
	});

	test.each([
		['SIGTERM', 143],
		['SIGINT', 130]
	] as const)('%s saves as stop does and exits with %i', async (signal, code) => {
		const demo = await readyDemo();
		demo.process.kill(signal);
		expect(await demo.ended).toEqual({ code, signal: null });
		expect(demo.output()).toContain('ThreadedAnvilChunkStorage: All dimensions are saved');
		expect(demo.output()).not.toContain('Stopping the server');
	});

	test('SIGTERM while the world loads also ends it, saved', async () => {
		const demo = await runDemo({ DEMO_BOOT_MS: '2000' });
		await demo.line(/Preparing spawn area: 3%/);
		demo.process.kill('SIGTERM');
		expect((await demo.ended).code).toBe(143);
		expect(demo.output()).toContain('All dimensions are saved');
		expect(demo.output()).not.toContain('Done (');
	});
});

describe('the console', () => {
	test('a line on stdin is a command, and the end of stdin changes nothing', async () => {
		const demo = await readyDemo();
		demo.process.stdin!.write('op Some_One\n');
		await demo.line(/: Made Some_One a server operator$/);
		demo.process.stdin!.end('say still here\n');
		await demo.line(/: \[Not Secure\] \[Server\] still here$/);
		const rcon = await login(demo);
		expect(await rcon.send('seed')).toMatch(/^Seed: \[-?\d+\]$/);
		expect(demo.output()).not.toContain('[Server: Made');
	});
});

describe('the process that started it', () => {
	test('may exit: it keeps running when nobody reads its output', async () => {
		const demo = await readyDemo();
		for (const stream of [demo.process.stdin!, demo.process.stdout!, demo.process.stderr!])
			stream.destroy();
		const rcon = await login(demo);
		for (let said = 0; said < 5; said++) await rcon.send(`say number ${said}`);
		expect(await readLog(demo)).toContain('[Not Secure] [Rcon] number 4\n');
		expect(await rcon.send('stop')).toBe('Stopping the server');
		expect((await demo.ended).code).toBe(0);
	});
});

describe('the log', () => {
	test('each start archives the old latest.log under the next number of its day', async () => {
		const folder = await folderForTest();
		const logs = path.join(folder.dir, 'logs');
		await fs.writeFile(path.join(logs, 'latest.log'), 'first\n');
		await fs.utimes(path.join(logs, 'latest.log'), 0, new Date(2024, 4, 30, 12));
		await fs.writeFile(path.join(logs, '2024-05-30-9.log.gz'), '');
		const demo = startForTest(folder);
		await demo.line(/RCON running/);
		expect((await fs.readdir(logs)).sort()).toEqual([
			'2024-05-30-10.log.gz',
			'2024-05-30-9.log.gz',
			'latest.log'
		]);
		const archive = await fs.readFile(path.join(logs, '2024-05-30-10.log.gz'));
		expect(gunzipSync(archive).toString()).toBe('first\n');
	});
});
