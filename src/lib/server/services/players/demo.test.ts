import path from 'node:path';
import { expect, test } from 'vitest';
import {
	folderForTest,
	login,
	readJson,
	readLog,
	startForTest
} from '../../../../../scripts/demo-server/testing/testing.ts';
import type { Demo } from '../../../../../scripts/demo-server/testing/spawn-demo.ts';
import { openPlayers } from '../../../../../tests/fakes/players-setup.ts';
import { offlineUuid } from '../../minecraft/lists/lists.ts';
import { readFile } from 'node:fs/promises';

type Entries = Record<string, unknown>[];

async function setup() {
	const folder = await folderForTest();
	const address = { host: '127.0.0.1', port: folder.rconPort, password: folder.password };
	const service = await openPlayers(folder.dir, address, { world: { state: 'stopped' } });
	const entries = async (file: string) => (await readJson(folder, file)) as Entries;
	const names = async (file: string) => (await entries(file)).map(({ name }) => name);
	const properties = () => readFile(path.join(folder.dir, 'server.properties'), 'utf8');
	const start = async (env?: Record<string, string>) => {
		const demo = startForTest(folder, env);
		await demo.line(/RCON running on/);
		service.world.state = 'running';
		return demo;
	};
	const stop = async (demo: Demo) => {
		await (await login(demo)).send('stop');
		await demo.ended;
		service.world.state = 'stopped';
	};
	return { ...service, folder, entries, names, properties, start, stop };
}

test('a running server: op, whitelist and ban there and back, in its own files and its log', async () => {
	const { act, players, start, folder, entries, names, properties, audit } = await setup();
	await start();
	expect(await act('op', 'NewGuest')).toMatchObject({ changed: true });
	expect(await entries('ops.json')).toContainEqual({
		uuid: offlineUuid('NewGuest'),
		name: 'NewGuest',
		level: 4,
		bypassesPlayerLimit: false
	});
	expect(await act('op', 'NewGuest')).toMatchObject({ changed: false });
	expect(await act('deop', 'newguest')).toMatchObject({ changed: true });
	expect(await names('ops.json')).not.toContain('NewGuest');

	expect(await act('whitelist-add', 'NewGuest')).toMatchObject({ changed: true });
	expect(await names('whitelist.json')).toContain('NewGuest');
	expect(await act('whitelist-remove', 'NewGuest')).toMatchObject({ changed: true });
	expect(await names('whitelist.json')).not.toContain('NewGuest');
	expect(await act('whitelist-on')).toMatchObject({ changed: true });
	expect(await properties()).toContain('white-list=true');
	expect((await players.list()).whitelist.enabled).toBe(true);
	expect(await act('whitelist-off')).toMatchObject({ changed: true });

	expect(await act('ban', 'NewGuest', 'Dug up the "town"; op me \\')).toMatchObject({
		changed: true
	});
	expect((await players.list()).bans).toContainEqual(
		expect.objectContaining({
			name: 'NewGuest',
			source: 'Rcon',
			reason: 'Dug up the "town"; op me \\'
		})
	);
	expect(await act('pardon', 'NewGuest')).toMatchObject({ changed: true });
	expect(await names('banned-players.json')).toEqual(['GriefGoblin']);
	expect(audit.filter(({ result }) => result === 'done')).toHaveLength(8);
	expect(await readLog(folder)).not.toContain('op me is');
});

test('a player who is online is kicked with the reason, and nobody else', async () => {
	const { act, start, folder } = await setup();
	const demo = await start({ DEMO_BOTS: '2', DEMO_STAY: 'true' });
	const joined = await demo.line(/joined the game/);
	const name = /(\w+) joined the game/.exec(joined)![1]!;
	expect(await act('kick', name, 'Time for bed')).toEqual({
		ok: true,
		changed: true,
		message: `${name} was kicked.`
	});
	expect(await readLog(folder)).toContain(`${name} lost connection: Time for bed`);
	expect(await act('kick', 'NobodyHere')).toMatchObject({ changed: false });
});

test('edits made while the server is stopped take effect when it starts, and it writes the same again', async () => {
	const { act, start, stop, entries, names, properties, folder } = await setup();
	for (const [action, name] of [
		['op', 'NewGuest'],
		['whitelist-add', 'NewGuest'],
		['ban', 'Vandal'],
		['pardon', 'GriefGoblin'],
		['whitelist-on', undefined]
	] as const)
		expect(await act(action, name, action === 'ban' ? 'Fire' : undefined), action).toMatchObject({
			changed: true
		});
	const before = await Promise.all(
		['ops.json', 'whitelist.json', 'banned-players.json'].map(entries)
	);

	const demo = await start();
	expect(
		await Promise.all(['ops.json', 'whitelist.json', 'banned-players.json'].map(entries))
	).toEqual(before);
	expect(await properties()).toContain('white-list=true');
	// The game itself knows of it.
	expect(await act('op', 'NewGuest')).toMatchObject({ changed: false });
	expect(await act('ban', 'Vandal')).toMatchObject({ changed: false });
	expect(await act('pardon', 'GriefGoblin')).toMatchObject({ changed: false });
	expect(await act('deop', 'NewGuest')).toMatchObject({ changed: true });
	await stop(demo);
	expect(await names('ops.json')).not.toContain('NewGuest');
	expect(await act('whitelist-remove', 'NewGuest')).toMatchObject({ changed: true });
	expect(await readLog(folder)).not.toMatch(/Failed to load/);
});

test('two admins who click at once on a real server make one change', async () => {
	const { act, start, audit, names } = await setup();
	await start();
	const answers = await Promise.all([
		act('ban', 'NewGuest'),
		act('ban', 'NewGuest'),
		act('ban', 'newguest')
	]);
	expect(answers.map(({ changed }) => changed).sort()).toEqual([false, false, true]);
	expect(await names('banned-players.json')).toEqual(['GriefGoblin', 'NewGuest']);
	expect(audit).toHaveLength(1);
});

test('everyone in the demo world has a known name', async () => {
	const { players } = await setup();
	const { known, ops, whitelist, bans, problems } = await players.list();
	expect(known.length).toBeGreaterThan(5);
	expect([ops.length, whitelist.players.length, bans.length]).toEqual([1, 4, 1]);
	expect(problems).toEqual([]);
});
