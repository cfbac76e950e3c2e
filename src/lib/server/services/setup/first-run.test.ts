import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ServerState } from '#schemas/status';
import { jar } from '../../../../../tests/fakes/mods/jars.ts';
import { readInstallation } from '../../minecraft/folder/installation.ts';
import { createFirstRun } from './first-run.ts';

const LINES = ['enable-rcon=true', 'rcon.password=very-secret'];
const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((dir) => rm(dir, { recursive: true }))));

/** `inside`: a folder that is there already. */
async function setUp(inside?: string) {
	const dir = inside ?? (await mkdtemp(path.join(tmpdir(), 'first-run-')));
	if (!inside) folders.push(dir);
	const world = {
		state: 'stopped' as ServerState,
		occupied: null as string | null,
		run: null as { startedAt: string } | null,
		last: null as { at: string; trouble: string | null } | null,
		isQueued: async () => false,
		command: null as string[] | null
	};
	const firstRun = createFirstRun({
		installation: () =>
			readInstallation(dir, {
				command: world.command && { argv: world.command, how: 'SERVER_COMMAND is set.' },
				rcon: { host: null, port: null, password: null }
			}),
		observe: async () => world,
		rconLast: () => world.last,
		occupied: async () => world.occupied,
		setup: { rconLines: async () => LINES, queued: () => world.isQueued() },
		serverDir: dir
	});
	const ticked = async () =>
		(await firstRun.steps()).filter(({ done }) => done).map(({ id }) => id);
	const put = (name: string, content: string | Uint8Array) =>
		writeFile(path.join(dir, name), content);
	return { dir, firstRun, world, ticked, put };
}

test('a folder inside that of a server leads to the one above, and nothing is written into it', async () => {
	const outer = await setUp();
	await outer.put('server.properties', 'motd=Hi\n');
	const mods = path.join(outer.dir, 'mods');
	await mkdir(mods);
	const { firstRun } = await setUp(mods);
	const steps = await firstRun.steps();
	expect(steps[0]).toMatchObject({
		done: false,
		detail: expect.stringContaining(`Set SERVER_DIR to ${outer.dir} if that is the one`)
	});
	expect(steps[0]).not.toHaveProperty('here');
	expect(steps.map(({ action, lines }) => [action, lines])).toEqual(Array(4).fill([null, []]));
});

test('an empty folder is guided to a server that can be run, step by step', async () => {
	const { dir, firstRun, ticked, put } = await setUp();
	const steps = await firstRun.steps();
	expect(steps.map(({ id, done, action }) => [id, done, action])).toEqual([
		['server', false, null],
		['command', false, null],
		// There is nothing yet that these could be done to.
		['eula', false, null],
		['rcon', false, null]
	]);
	expect(steps[2]!.detail).toContain('asked when a server is set up');
	expect(steps[3]).toMatchObject({
		lines: [],
		detail: expect.stringMatching(/set up here has it/)
	});
	expect(await firstRun.unready()).toMatchObject({ server: false });
	expect(steps[0]).toMatchObject({
		here: true,
		detail: `It needs the internet. Or copy your own server into ${dir}.`
	});
	expect(steps[1]!.detail).toContain('SERVER_COMMAND');

	await put(
		'paper-1.21.8-60.jar',
		jar('io.papermc.paperclip.Main', { 'version.json': '{"id":"1.21.8","name":"1.21.8"}' })
	);
	expect(await ticked()).toEqual(['server', 'command']);
	expect((await firstRun.steps()).map(({ action }) => action)).toEqual([
		...[null, null, 'acceptEula', 'enableRcon']
	]);
	expect((await firstRun.steps())[3]).toMatchObject({ lines: LINES });
	expect(await firstRun.unready()).toMatchObject({
		server: true,
		why: expect.stringContaining('EULA')
	});
	await put('eula.txt', '#Hi\neula=false\n');
	expect(await ticked()).toEqual(['server', 'command']);
	await put('eula.txt', '#Hi\neula = TRUE\n');
	expect(await ticked()).toEqual(['server', 'command', 'eula']);
	expect(await firstRun.unready()).toBeNull();
	await put('server.properties', 'enable-rcon=true\nrcon.password=\n');
	expect(await ticked()).toEqual(['server', 'command', 'eula']);
	expect(await firstRun.open()).toEqual(['RCON turned on']);
	await put('server.properties', 'enable-rcon=true\nrcon.password=x\n');
	expect(await ticked()).toEqual(['server', 'command', 'eula']);
	expect(await firstRun.open()).toEqual([]);
	expect(JSON.stringify(await firstRun.steps())).not.toContain('very-secret');
});

test('where the jar is missing among other files it is said why none is set up here, and the rest can be done', async () => {
	const { firstRun, world, put } = await setUp();
	await put('server.properties', 'motd=Hi\n');
	world.occupied = 'There is something in the folder already: mods.';
	const [server, , eula, rcon] = await firstRun.steps();
	expect(server!.here).toBeUndefined();
	expect(server!.detail).toMatch(/Copy yours there.* There is something .*: mods\.$/);
	expect(eula).toMatchObject({ action: 'acceptEula' });
	expect(rcon).toMatchObject({ action: 'enableRcon', lines: LINES });
	expect(rcon!.detail).not.toContain('set up here');
});

test('a server whose launcher lacks the game exists, but cannot be started', async () => {
	const { firstRun, put } = await setUp();
	await put(
		'fabric-server-launch.jar',
		jar('net.fabricmc.loader.launch.server.FabricServerLauncher')
	);
	const [server, command] = await firstRun.steps();
	expect(server).toMatchObject({ done: true });
	expect(command).toMatchObject({ done: false, detail: expect.stringContaining('server.jar') });
});

test("the owner's own command counts as a server and a way to start it", async () => {
	const { world, ticked } = await setUp();
	world.command = ['./run.sh'];
	expect(await ticked()).toEqual(['server', 'command']);
	world.command = ['java', '-Dcom.mojang.eula.agree=true', '-jar', 'x.jar'];
	expect(await ticked()).toEqual(['server', 'command', 'eula']);
});

test('a running server has already agreed, and queued steps are not offered again', async () => {
	const { firstRun, world } = await setUp();
	Object.assign(world, { state: 'running', isQueued: async () => true });
	const [, , eula, rcon] = await firstRun.steps();
	expect(eula).toMatchObject({ done: true, action: null });
	expect(rcon).toMatchObject({ done: false, action: null, lines: [] });
	expect(rcon!.detail).toContain('stops next');
});

test('a queued step that is being written counts as on, and nothing secret is shown', async () => {
	const { firstRun, world, put } = await setUp();
	world.isQueued = async () => {
		await put('server.properties', 'enable-rcon=true\nrcon.password=x\n');
		return false;
	};
	expect((await firstRun.steps())[3]).toMatchObject({ waits: true, lines: [], action: null });
});

test('RCON counts as working once it has answered in this run, and says until then what keeps it', async () => {
	const { firstRun, world, put } = await setUp();
	await put('server.properties', 'enable-rcon=true\nrcon.port=25600\nrcon.password=x\n');
	const rcon = async () => (await firstRun.steps())[3]!;
	expect(await rcon()).toMatchObject({ done: false, waits: true });
	expect((await rcon()).detail).toBe(
		'RCON is on in server.properties, with port 25600. It takes effect at the next start of the server.'
	);
	// What answered was the run before, or another game on that port.
	world.last = { at: '2026-01-01T10:00:00.000Z', trouble: null };
	expect(await rcon()).toMatchObject({ done: false, waits: true });
	Object.assign(world, { state: 'starting', run: { startedAt: '2026-01-01T11:00:00.000Z' } });
	expect((await rcon()).detail).toMatch(/works once the server has started\.$/);
	world.state = 'running';
	expect((await rcon()).detail).toMatch(/has not answered yet\.$/);
	world.last = { at: '2026-01-01T11:01:00.000Z', trouble: 'It refused the password.' };
	expect(await rcon()).toMatchObject({
		...{ done: false, waits: true, detail: 'It refused the password.' }
	});
	world.last = { at: '2026-01-01T11:02:00.000Z', trouble: null };
	const working = await rcon();
	expect(working).toMatchObject({ done: true, detail: expect.stringMatching(/can send commands/) });
	expect(working.waits).toBeUndefined();
});
