import fs from 'node:fs/promises';
import path from 'node:path';
import type { Rcon } from 'rcon-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseList } from '#minecraft/commands';
import { readPlaces } from '#minecraft/stats';
import { offlineUuid } from '../world/lists.ts';
import type { Demo } from '../testing/spawn-demo.ts';
import { makeDemoFolder, startDemo } from '../testing/spawn-demo.ts';
import { connect, login, readJson, readyDemo } from '../testing/testing.ts';

const UNKNOWN = 'Unknown or incomplete command, see below for error';

describe('without players', () => {
	let demo: Demo;
	let rcon: Rcon;
	const send = (command: string) => rcon.send(command);
	beforeEach(async () => {
		demo = await readyDemo();
		rcon = await login(demo);
	});

	test('op and deop go to ops.json, once, and to the log', async () => {
		expect(await send('op Somebody')).toBe('Made Somebody a server operator');
		expect(await readJson(demo, 'ops.json')).toContainEqual({
			uuid: offlineUuid('Somebody'),
			name: 'Somebody',
			level: 4,
			bypassesPlayerLimit: false
		});
		expect(await send('op somebody')).toBe('Nothing changed. The player already is an operator');
		await demo.line(/\[Server thread\/INFO\]: \[Rcon: Made Somebody a server operator\]$/);
		expect(await send('deop SOMEBODY')).toBe('Made Somebody no longer a server operator');
		expect(await send('deop Somebody')).toBe('Nothing changed. The player is not an operator');
		expect(JSON.stringify(await readJson(demo, 'ops.json'))).not.toContain('Somebody');
		expect(JSON.stringify(await readJson(demo, 'usercache.json'))).toContain('Somebody');
	});

	test('whitelist add, remove, list, on, off and reload change the files', async () => {
		expect(await send('whitelist add Newcomer')).toBe('Added Newcomer to the whitelist');
		expect(await send('whitelist add Newcomer')).toBe('Player is already whitelisted');
		expect(await readJson(demo, 'whitelist.json')).toContainEqual({
			uuid: offlineUuid('Newcomer'),
			name: 'Newcomer'
		});
		expect(await send('whitelist list')).toMatch(
			/^There are 5 whitelisted player\(s\): .+, Newcomer$/
		);
		expect(await send('whitelist remove Newcomer')).toBe('Removed Newcomer from the whitelist');
		expect(await send('whitelist remove Newcomer')).toBe('Player is not whitelisted');
		expect(await send('whitelist on')).toBe('Whitelist is now turned on');
		expect(await send('whitelist on')).toBe('Whitelist is already turned on');
		const properties = path.join(demo.dir, 'server.properties');
		expect(await fs.readFile(properties, 'utf8')).toMatch(/^white-list=true$/m);
		expect(await send('whitelist off')).toBe('Whitelist is now turned off');
		await fs.writeFile(path.join(demo.dir, 'whitelist.json'), '[]');
		expect(await send('whitelist reload')).toBe('Reloaded the whitelist');
		expect(await send('whitelist list')).toBe('There are no whitelisted players');
	});

	test('ban, banlist and pardon work on banned-players.json', async () => {
		expect(await send('ban Rude_One said bad things')).toBe('Banned Rude_One: said bad things');
		expect(await send('ban Rude_One')).toBe('Nothing changed. The player is already banned');
		expect(await readJson(demo, 'banned-players.json')).toContainEqual({
			uuid: offlineUuid('Rude_One'),
			name: 'Rude_One',
			created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$/),
			source: 'Rcon',
			expires: 'forever',
			reason: 'said bad things'
		});
		expect(await send('banlist')).toBe(
			'There are 2 ban(s):GriefGoblin was banned by Server: Flooded the village. Twice.' +
				'Rude_One was banned by Rcon: said bad things'
		);
		expect(await send('banlist ips')).toBe('There are no bans');
		expect(await send('pardon Rude_One')).toBe('Unbanned Rude_One');
		expect(await send('pardon Rude_One')).toBe("Nothing changed. The player isn't banned");
		expect(await send('ban Other')).toBe('Banned Other: Banned by an operator.');
	});

	test('saving can be switched off, switched on and run', async () => {
		expect(await send('save-off')).toBe('Automatic saving is now disabled');
		expect(await send('save-off')).toBe('Saving is already turned off');
		const level = path.join(demo.dir, 'world/level.dat');
		const before = await fs.readFile(level);
		expect(await send('save-all flush')).toBe(
			'Saving the game (this may take a moment!)Saved the game'
		);
		expect((await fs.readFile(level)).equals(before)).toBe(false);
		expect(await send('save-on')).toBe('Automatic saving is now enabled');
		expect(await send('save-on')).toBe('Saving is already turned on');
		expect(await send('save-all')).toMatch(/Saved the game$/);
	});

	test('a save that fails because of the disk is reported', async () => {
		await fs.rm(path.join(demo.dir, 'world'), { recursive: true });
		expect(await send('save-all')).toBe(
			'Saving the game (this may take a moment!)Unable to save the game (is there enough disk space?)'
		);
	});

	test('tick query, time query and seed have the format of 1.21.1', async () => {
		expect(await send('tick query')).toMatch(
			/^The game is running normallyTarget tick rate: 20\.0 per second\.\nAverage time per tick: \d+\.\dms \(Target: 50\.0ms\)Percentiles: P50: \d+\.\dms P95: \d+\.\dms P99: \d+\.\dms, sample: 100$/
		);
		const first = /^The time is (\d+)$/.exec(await send('time query gametime'));
		expect(Number(first![1])).toBeGreaterThan(214_000);
		await expect
			.poll(async () => Number(/\d+/.exec(await send('time query gametime'))![0]))
			.toBeGreaterThan(Number(first![1]));
		expect(await send('seed')).toBe('Seed: [7305820264180561023]');
	});

	test('say prints only to the log, tellraw is silent or finds nobody', async () => {
		expect(await send('say Grüße an alle')).toBe('');
		await demo.line(/: \[Not Secure\] \[Rcon\] Grüße an alle$/);
		expect(await send('tellraw @a {"text":"hi"}')).toBe('No player was found');
		expect(await send('tellraw @a {"text":')).toMatch(/^Invalid chat component: .*<--\[HERE\]$/s);
		expect(await send('tellraw @a 5')).toMatch(/^Invalid chat component: /);
	});
});

describe('invalid commands', () => {
	let demo: Demo;
	let rcon: Rcon;
	beforeAll(async () => {
		demo = startDemo(await makeDemoFolder());
		await demo.line(/RCON running/);
		rcon = await connect(demo);
	});
	afterAll(async () => {
		await rcon.end();
		await demo.kill();
		await fs.rm(demo.dir, { recursive: true, force: true });
	});

	test.each([
		['foo', `${UNKNOWN}foo<--[HERE]`],
		['foo bar baz', `${UNKNOWN}foo bar baz<--[HERE]`],
		['', `${UNKNOWN}<--[HERE]`],
		['/foo', `${UNKNOWN}foo<--[HERE]`],
		['op', `${UNKNOWN}op<--[HERE]`],
		['whitelist add', `${UNKNOWN}...telist add<--[HERE]`],
		['list nobody', 'Incorrect argument for commandlist nobody<--[HERE]'],
		['whitelist add a b', 'Incorrect argument for command...ist add a b<--[HERE]'],
		['list ', 'Incorrect argument for commandlist <--[HERE]'],
		['kick Nobody', 'No player was found'],
		['kick @s', 'No player was found'],
		['kick Überall', 'Invalid name or UUIDkick Überall<--[HERE]'],
		[
			'kick A:b',
			'Expected whitespace to end one argument, but found trailing datakick A:b<--[HERE]'
		],
		['op @a', 'No player was found'],
		['op Name_Of_17_Letters', 'That player does not exist'],
		['data get entity Nobody Dimension', 'No entity was found'],
		['help nonsense', 'Unknown command or insufficient permissions'],
		['help ban', '/ban <targets> [<reason>]'],
		['/list', 'There are 0 of a max of 20 players online: ']
	])('"%s" is answered as the game answers it', async (command, answer) => {
		expect(await rcon.send(command)).toBe(answer);
	});
});

describe('with players', () => {
	async function withPlayers() {
		const demo = await readyDemo({ DEMO_BOTS: '2', DEMO_STAY: 'true', DEMO_SPEED: '300' });
		await demo.line(/Mossfeather joined the game/);
		await demo.line(/tinwhistle_88 joined the game/);
		return { demo, rcon: await login(demo) };
	}

	test('clients that poll player positions get them, dimension by dimension', async () => {
		const { rcon } = await withPlayers();
		const online = parseList(await rcon.send('list uuids'))!.players!.map(({ uuid }) => uuid!);
		const places = await readPlaces((line) => rcon.send(line), online);
		expect(places?.map(({ uuid }) => uuid)).toEqual(online);
		const here = 'execute in minecraft:overworld as @a[distance=0..] run data get entity @s UUID';
		const whoIsHere = () => rcon.send(here); // they come and go
		await expect
			.poll(whoIsHere, { timeout: 20_000 })
			.toMatch(/^\w+ has the following entity data: \[I; -?\d+, /);
		const nowhere = 'execute in mod:moon as @a[distance=0..] run data get entity @s UUID';
		expect(await rcon.send(nowhere)).toBe('');
		expect(await rcon.send('execute in x as @a[distance=0..] run stop')).toContain('argument');
	});

	test('list, list uuids, data get and tellraw find them, whatever the case of the letters', async () => {
		const { rcon } = await withPlayers();
		expect(await rcon.send('list')).toMatch(
			/^There are 2 of a max of 20 players online: (?:Mossfeather, tinwhistle_88|tinwhistle_88, Mossfeather)$/
		);
		expect(await rcon.send('list uuids')).toContain(
			'Mossfeather (57a832fa-0a23-3702-a6bd-9d6b7a2706e8)'
		);
		expect(await rcon.send('data get entity mossfeather Dimension')).toMatch(
			/^Mossfeather has the following entity data: "minecraft:(overworld|the_nether|the_end)"$/
		);
		expect(await rcon.send('tellraw MOSSFEATHER ["",{"text":"hi"}]')).toBe('');
		expect(await rcon.send('tellraw @a "hi"')).toBe('');
	});

	test('kick and ban disconnect them, with the lines of the game', async () => {
		const { demo, rcon } = await withPlayers();
		expect(await rcon.send('kick mossfeather')).toBe('Kicked Mossfeather: Kicked by an operator');
		await demo.line(/: Mossfeather lost connection: Kicked by an operator$/);
		await demo.line(/: Mossfeather left the game$/);
		await demo.line(/: \[Rcon: Kicked Mossfeather: Kicked by an operator\]$/);
		expect(await rcon.send('ban tinwhistle_88 too loud')).toBe('Banned tinwhistle_88: too loud');
		await demo.line(/: tinwhistle_88 lost connection: You are banned from this server$/);
		await demo.line(/Disconnecting tinwhistle_88 \(\/192\.0\.2\.27:\d+\): You are banned from/);
		expect(demo.output()).toContain('\nReason: too loud');
	});
});
