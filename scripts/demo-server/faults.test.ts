import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { modJar, type ModFault } from './seed/seed-mods.ts';
import {
	folderForTest,
	login,
	rawSocket,
	rconPacket,
	readyDemo,
	runDemo
} from './testing/testing.ts';
import { startForTest } from './testing/testing.ts';

const faults = (dir: string, switches: object) =>
	fs.writeFile(path.join(dir, 'demo-faults.json'), JSON.stringify(switches));

const reports = (dir: string) => fs.readdir(path.join(dir, 'crash-reports'));

describe('a mod that is incompatible', () => {
	const mod = { id: 'waymarks', version: '0.9.0+1.21.1', name: 'Waymarks', description: '' };

	test('failWithMod refuses to boot and names the mod, but only while it is installed', async () => {
		const folder = await folderForTest();
		await faults(folder.dir, { failWithMod: 'waymarks' });
		const demo = startForTest(folder);
		expect((await demo.ended).code).toBe(1);
		expect(demo.output()).toContain('[main/ERROR]: Incompatible mods found!');
		expect(demo.output()).toContain(
			"\t - Mod 'Waymarks' (waymarks) 0.9.0+1.21.1 requires version 1.21.4 or later of 'Minecraft'"
		);
		expect(demo.output()).not.toContain('Loading 9 mods');
		await fs.rm(path.join(folder.dir, 'mods/waymarks-0.9.0+1.21.1.jar'));
		await startForTest(folder).line(/RCON running/);
	});

	test('with a version only that version is refused', async () => {
		const folder = await folderForTest();
		await faults(folder.dir, { failWithMod: 'waymarks@1.0.0' });
		const good = startForTest(folder);
		await good.line(/RCON running/);
		await good.kill();
		const jar = path.join(folder.dir, 'mods/waymarks-0.9.0+1.21.1.jar');
		await fs.writeFile(jar, modJar({ ...mod, version: '1.0.0' }));
		expect((await startForTest(folder).ended).code).toBe(1);
	});

	test('a broken jar aborts the start, one for another loader is skipped', async () => {
		const folder = await folderForTest();
		await fs.copyFile(
			path.join(folder.dir, 'fabric-server-mc.1.21.1-loader.0.16.9-launcher.1.0.1.jar'),
			path.join(folder.dir, 'mods/other-loader.jar')
		);
		const good = startForTest(folder);
		await good.line(/RCON running/);
		expect(good.output()).toContain('Found 1 non-fabric mod:\n\t- other-loader.jar');
		await good.kill();
		await fs.writeFile(path.join(folder.dir, 'mods/half.jar'), 'PK and then nothing');
		const bad = startForTest(folder);
		expect((await bad.ended).code).toBe(1);
		expect(bad.output()).toMatch(/Error analyzing \[.*half\.jar\]: .*zip END header not found/);
	});
});

describe('a mod built to misbehave', () => {
	const lithium = { id: 'lithium', version: '0.14.0', name: 'Lithium', description: '' };
	const spoiled = async (fault: ModFault) => {
		const folder = await folderForTest();
		await fs.rm(path.join(folder.dir, 'mods/lithium-fabric-0.13.0+mc1.21.1.jar'));
		await fs.writeFile(path.join(folder.dir, 'mods/new.jar'), modJar({ ...lithium, fault }));
		return startForTest(folder);
	};

	test('refuse aborts the start', async () => {
		const demo = await spoiled('refuse');
		expect((await demo.ended).code).toBe(1);
		expect(demo.output()).toContain("Mod 'Lithium' (lithium) 0.14.0 requires version");
	});

	test('die gets ready, and crashes the server a little later', async () => {
		const demo = await spoiled('die');
		await demo.ready();
		await demo.ended;
		expect(demo.output()).toContain('at knot//dev.demo.lithium.Ticker.tick');
	});

	test('hang never gets ready, and ignores every signal but SIGKILL', async () => {
		const demo = await spoiled('hang');
		await demo.line(/Preparing level/);
		demo.process.kill('SIGTERM');
		const silent = new Promise((resolve) => setTimeout(resolve, 300, 'silent'));
		expect(await Promise.race([silent, demo.ended])).toBe('silent');
		await demo.kill();
		expect((await demo.ended).signal).toBe('SIGKILL');
	});
});

describe('a server that dies', () => {
	test('dieAfterReadyMs prints the ready line and crashes later, with a crash report', async () => {
		const demo = await runDemo({ DEMO_DIE_AFTER_READY_MS: '300' });
		await demo.ready();
		expect((await demo.ended).code).toBe(0);
		expect(demo.output()).toContain('[Server thread/ERROR]: Encountered an unexpected exception');
		const [name] = await reports(demo.dir);
		expect(name).toMatch(/^crash-\d{4}-\d\d-\d\d_\d\d\.\d\d\.\d\d-server\.txt$/);
		expect(demo.output()).toContain(
			`This crash report has been saved to: ${path.join(demo.dir, 'crash-reports', name!)}`
		);
		const report = await fs.readFile(path.join(demo.dir, 'crash-reports', name!), 'utf8');
		expect(report).toMatch(/^---- Minecraft Crash Report ----\n/);
	});

	test('dieWithMod needs the mod and blames it', async () => {
		const folder = await folderForTest();
		await faults(folder.dir, { dieAfterReadyMs: 100, dieWithMod: 'lithium' });
		const demo = startForTest(folder);
		await demo.ended;
		expect(demo.output()).toContain('at knot//dev.demo.lithium.Ticker.tick');
		await fs.rm(path.join(folder.dir, 'mods/lithium-fabric-0.13.0+mc1.21.1.jar'));
		const without = startForTest(folder);
		await without.line(/RCON running/);
		const rcon = await login(without);
		for (let asked = 0; asked < 20; asked++) await rcon.send('list');
		expect(without.process.exitCode).toBeNull();
	});

	test('dieWithMod of a mod that is not there spares no other that brings the server down', async () => {
		const folder = await folderForTest();
		await faults(folder.dir, { dieAfterReadyMs: 100, dieWithMod: 'absent' });
		const keeper = { id: 'ruin-keeper', version: '1.0.0', name: 'Ruin Keeper', description: '' };
		await fs.writeFile(
			path.join(folder.dir, 'mods/ruin-keeper.jar'),
			modJar({ ...keeper, fault: 'die' })
		);
		const demo = startForTest(folder);
		await demo.ended;
		expect(demo.output()).toContain('at knot//dev.demo.ruin_keeper.');
	});

	test('the watchdog exits with 1 and saves nothing', async () => {
		const demo = await runDemo({ DEMO_DIE_AFTER_READY_MS: '50', DEMO_DIE_AS: 'watchdog' });
		expect((await demo.ended).code).toBe(1);
		expect(demo.output()).toContain(
			'[Server Watchdog/ERROR]: A single server tick took 60.16 seconds'
		);
		expect(demo.output()).not.toContain('Saving');
		expect(await reports(demo.dir)).toHaveLength(1);
	});

	test('it can run out of memory', async () => {
		const demo = await runDemo({ DEMO_DIE_AFTER_READY_MS: '50', DEMO_DIE_AS: 'memory' });
		await demo.ended;
		expect(demo.output()).toContain('java.lang.OutOfMemoryError: Java heap space');
	});
});

describe('a server that hangs', () => {
	test('hangInBoot holds the port and never gets ready, and a SIGTERM ends it at once', async () => {
		const demo = await runDemo({ DEMO_HANG_IN_BOOT: 'true' });
		await demo.line(/Preparing level/);
		const { socket, closed } = await rawSocket(demo.port);
		socket.write(Buffer.from('1000ff05093132372e302e302e3163dd010100', 'hex'));
		await closed;
		expect(demo.output()).not.toContain('Preparing spawn area');
		demo.process.kill('SIGTERM');
		expect((await demo.ended).code).toBe(143);
	});

	test('ignoreStop answers stop, then nothing more, and survives SIGTERM', async () => {
		const demo = await readyDemo({ DEMO_IGNORE_STOP: 'true' });
		const rcon = await login(demo);
		expect(await rcon.send('stop')).toBe('Stopping the server');
		await demo.line(/: Stopping server$/);
		demo.process.kill('SIGTERM');
		const { socket, received, closed } = await rawSocket(demo.rconPort);
		socket.write(rconPacket(1, 3, demo.password));
		const silent = new Promise((resolve) => setTimeout(resolve, 400, 'silent'));
		expect(await Promise.race([silent, closed, demo.ended])).toBe('silent');
		expect(received()).toHaveLength(0);
		expect(demo.output()).not.toContain('Saving players');
		await demo.kill();
		expect((await demo.ended).signal).toBe('SIGKILL');
	});

	test('freeze prints the ready line, answers nothing and survives SIGTERM', async () => {
		const demo = await runDemo({ DEMO_FREEZE: 'true' });
		await demo.line(/RCON running/);
		const game = await rawSocket(demo.port);
		game.socket.write(Buffer.from('1000ff05093132372e302e302e3163dd010100', 'hex'));
		const rcon = await rawSocket(demo.rconPort);
		rcon.socket.write(rconPacket(1, 3, demo.password));
		demo.process.kill('SIGTERM');
		const silent = new Promise((resolve) => setTimeout(resolve, 400, 'silent'));
		expect(await Promise.race([silent, game.closed, rcon.closed, demo.ended])).toBe('silent');
		expect([game.received(), rcon.received()]).toEqual([Buffer.alloc(0), Buffer.alloc(0)]);
	});
});

describe('the switches', () => {
	test('the environment takes precedence over demo-faults.json, which is read at each start', async () => {
		const folder = await folderForTest();
		await faults(folder.dir, { failWithMod: 'lithium' });
		await startForTest(folder, { DEMO_FAIL_WITH_MOD: 'no-such-mod' }).line(/RCON running/);
	});

	test.each([
		[{ bootDelay: 5 }, 'demo-faults.json: unknown switch "bootDelay"'],
		[{ freeze: 'yes' }, 'freeze must be true or false'],
		[{ dieAs: 'old age' }, 'dieAs must be one of crash, watchdog, memory'],
		[[], 'demo-faults.json must hold an object']
	])('%j is rejected before anything is written', async (switches, why) => {
		const folder = await folderForTest();
		await faults(folder.dir, switches);
		const demo = startForTest(folder);
		let errors = '';
		demo.process.stderr!.on('data', (text: string) => (errors += text));
		expect((await demo.ended).code).toBe(2);
		expect(errors).toBe(`demo-server: ${why}\n`);
		expect(await fs.readdir(path.join(folder.dir, 'logs'))).toEqual([]);
	});

	test('exitAfterMs ends it whatever it is doing', async () => {
		const demo = await runDemo({ DEMO_EXIT_AFTER_MS: '300', DEMO_FREEZE: 'true' });
		expect((await demo.ended).code).toBe(86);
	});
});
