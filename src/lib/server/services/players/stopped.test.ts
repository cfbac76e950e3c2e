import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
	ben,
	json,
	openPlayersIn,
	setupPlayers,
	serverDir,
	type World
} from '../../../../../tests/fakes/players-setup.ts';
import type { Operation } from '#schemas/operation';
import { systemClock } from '#core/clock';
import { createLock } from '#core/lock';
import { offlineUuid } from '../../minecraft/lists/lists.ts';

const ADA = '5744db97-0924-4ba0-a373-b904d3cd35fb';
const NOWHERE = { host: '127.0.0.1', port: 1, password: 'x' };
const stopped = { state: 'stopped' } as const;

test.each(['stopped', 'crashed'] as const)(
	'of a %s server the files are edited, and nothing is sent',
	async (state) => {
		const { act, rcon, entries, text, audit, dir } = await setupPlayers({
			world: { state },
			files: { 'server.properties': '#mine\nonline-mode=false\nop-permission-level=3\n' }
		});
		expect(await act('op', 'Ada')).toEqual({
			ok: true,
			changed: true,
			message: 'Ada is an operator now.'
		});
		const uuid = offlineUuid('Ada');
		expect(await text('ops.json')).toBe(
			json([{ uuid, name: 'Ada', level: 3, bypassesPlayerLimit: false }])
		);
		await act('whitelist-add', 'Ada');
		expect(await text('whitelist.json')).toBe(json([{ uuid, name: 'Ada' }]));
		await act('ban', 'Bob', 'Griefing', ben);
		expect(await entries('banned-players.json')).toEqual([
			{
				uuid: offlineUuid('Bob'),
				name: 'Bob',
				created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/),
				source: 'Craftwarden',
				expires: 'forever',
				reason: 'Griefing'
			}
		]);
		await act('whitelist-on');
		expect(await text('server.properties')).toBe(
			'#mine\nonline-mode=false\nop-permission-level=3\nwhite-list=true\n'
		);

		for (const [action, name] of [
			['deop', 'Ada'],
			['whitelist-remove', 'ada'],
			['pardon', 'Bob'],
			['whitelist-off', undefined]
		] as const)
			expect(await act(action, name), action).toMatchObject({ changed: true });
		for (const file of ['ops.json', 'whitelist.json', 'banned-players.json'])
			expect(await text(file)).toBe('[]');
		expect(audit).toHaveLength(8);
		expect(audit[2]).toMatchObject({
			by: 'ben',
			action: 'player.ban',
			subject: 'Bob',
			detail: 'Griefing'
		});
		expect(rcon.connections).toBe(0);
		expect((await readdir(dir)).sort()).toEqual([
			'banned-players.json',
			'ops.json',
			'server.properties',
			'whitelist.json'
		]);
	}
);

test('a no-op is neither written nor audited', async () => {
	const files = { 'ops.json': `[{"uuid":"${offlineUuid('Ada')}","name":"Ada","level":1}]` };
	const { act, audit, text, dir } = await setupPlayers({ world: stopped, files });
	expect(await act('op', 'Ada')).toEqual({
		ok: true,
		changed: false,
		message: 'Ada is an operator already.'
	});
	for (const action of ['whitelist-remove', 'pardon'] as const)
		expect(await act(action, 'Ada')).toMatchObject({ changed: false });
	expect(await act('deop', 'Bob')).toMatchObject({ changed: false });
	expect(await act('whitelist-off')).toMatchObject({ changed: false });
	expect(await text('ops.json')).toBe(files['ops.json']);
	expect(await readdir(dir)).toHaveLength(2);
	expect(audit).toEqual([]);
});

const ONLINE = { 'server.properties': 'online-mode=true\n' };
const cache = (...entries: [name: string, uuid: string][]) => ({
	'usercache.json': JSON.stringify(
		entries.map(([name, uuid]) => ({ name, uuid, expiresOn: '2026-01-01 00:00:00 +0000' }))
	)
});

test('on a server with accounts the id comes from what the server has seen', async () => {
	const { act, entries } = await setupPlayers({
		world: stopped,
		files: { ...ONLINE, ...cache(['Ada', ADA]) }
	});
	expect(await act('whitelist-add', 'ada')).toMatchObject({
		changed: true,
		message: 'ada is on the whitelist now. The server knows them as Ada.'
	});
	expect(await entries('whitelist.json')).toEqual([{ uuid: ADA, name: 'Ada' }]);
});

test.each([
	[
		'accounts are checked unless the file says no',
		{ 'server.properties': '' },
		'Ada',
		'online-mode'
	],
	['a name that nobody has seen', ONLINE, 'Ada', 'Start the server and do it then'],
	[
		'an id of the time without accounts',
		{ ...ONLINE, ...cache(['Ada', offlineUuid('Ada')]) },
		'Ada',
		'online-mode'
	],
	[
		'a Bedrock player who never joined',
		{ 'server.properties': 'online-mode=false' },
		'.Ada',
		'Bedrock'
	]
])('nobody is added to a list when their id cannot be known: %s', async (_, files, name, why) => {
	const { act, audit, dir } = await setupPlayers({ world: stopped, files });
	for (const action of ['op', 'whitelist-add', 'ban'] as const)
		await expect(act(action, name)).rejects.toMatchObject({
			kind: 'invalid',
			message: expect.stringContaining(why),
			issues: [{ path: 'player' }]
		});
	expect(await readdir(dir)).toHaveLength(Object.keys(files).length);
	expect(audit.map(({ result }) => result)).toEqual(['refused', 'refused', 'refused']);
});

test('a player whose present name is not on the list is found there by their id', async () => {
	const { act, entries } = await setupPlayers({
		world: stopped,
		files: {
			...ONLINE,
			...cache(['NewName', ADA]),
			'ops.json': json([{ uuid: ADA, name: 'OldName', level: 4 }])
		}
	});
	expect(await act('deop', 'NewName')).toMatchObject({ changed: true });
	expect(await entries('ops.json')).toEqual([]);
});

test('of two who differ only in case the one typed is meant, and without an exact match it asks', async () => {
	const list = json(['PlayerEO', 'playereo'].map((name) => ({ uuid: offlineUuid(name), name })));
	const { act, entries, text } = await setupPlayers({
		world: stopped,
		files: { 'whitelist.json': list }
	});
	await expect(act('whitelist-remove', 'PLAYEREO')).rejects.toMatchObject({
		kind: 'invalid',
		message: expect.stringContaining('PlayerEO, playereo')
	});
	expect(await text('whitelist.json')).toBe(list);
	expect(await act('whitelist-remove', 'playereo')).toMatchObject({ changed: true });
	expect(await entries('whitelist.json')).toMatchObject([{ name: 'PlayerEO' }]);
});

test('nobody can be kicked from a stopped server', async () => {
	const { act } = await setupPlayers({ world: stopped });
	await expect(act('kick', 'Ada')).rejects.toMatchObject({ kind: 'offline' });
});

const OPERATION = { id: '20260102T030405123Z-1a2b', kind: 'backup', by: 'ben' } as Operation;

test('an operation locks the files and is named', async () => {
	const { act, dir, world } = await setupPlayers({ world: { ...stopped, operation: OPERATION } });
	const refusal = {
		kind: 'conflict',
		operation: OPERATION.id,
		message: expect.stringContaining('an operation that ben started')
	};
	await expect(act('op', 'Ada')).rejects.toMatchObject(refusal);
	await expect(act('whitelist-on')).rejects.toMatchObject(refusal);
	expect(await readdir(dir)).toEqual(['server.properties']);
	world.operation = null;
	expect(await act('op', 'Ada')).toMatchObject({ changed: true });
});

test('a lock held by another process is waited for briefly, then the request is refused', async () => {
	const dir = await serverDir({ 'server.properties': 'online-mode=false' });
	const data = await serverDir();
	const { act } = openPlayersIn(data, dir, NOWHERE, { world: stopped });
	const other = createLock(path.join(data, 'operation.lock'), systemClock);
	onTestFinished(() => other.close());
	expect(other.tryAcquire()).toBe(true);
	const waits = act('op', 'Ada');
	setTimeout(() => other.release(), 100);
	expect(await waits).toMatchObject({ changed: true });

	expect(other.tryAcquire()).toBe(true);
	await expect(act('op', 'Bob')).rejects.toMatchObject({ kind: 'conflict' });
	other.release();
	expect(await act('op', 'Bob')).toMatchObject({ changed: true });
});

test('a server that was started while waiting for the lock is left alone', async () => {
	const dir = await serverDir({ 'server.properties': 'online-mode=false' });
	const data = await serverDir();
	const { act, world } = openPlayersIn(data, dir, NOWHERE, { world: stopped });
	const other = createLock(path.join(data, 'operation.lock'), systemClock);
	onTestFinished(() => other.close());
	for (const state of ['starting', 'running'] as const) {
		world.state = 'stopped';
		other.tryAcquire();
		const waits = act('op', 'Ada');
		setTimeout(() => {
			world.state = state;
			other.release();
		}, 60);
		await expect(waits).rejects.toMatchObject({ kind: 'conflict' });
	}
	expect(await readdir(dir)).toEqual(['server.properties']);
});

test('a server that answers though its process cannot be seen is not edited behind its back', async () => {
	const { act, dir } = await setupPlayers({ world: { ...stopped, answers: true } });
	await expect(act('op', 'Ada')).rejects.toMatchObject({
		kind: 'conflict',
		message: expect.stringContaining('not visible from here')
	});
	expect(await readdir(dir)).toEqual(['server.properties']);
});

test('two processes that edit one list at once lose no entry and audit each change once', async () => {
	const dir = await serverDir({ 'server.properties': 'online-mode=false' });
	const data = await serverDir();
	const setups = [0, 1].map(() => openPlayersIn(data, dir, NOWHERE, { world: stopped }));
	const names = Array.from({ length: 10 }, (_, i) => `Player${i}`);
	const answers = await Promise.all(
		setups.flatMap(({ act }) => names.map((name) => act('whitelist-add', name)))
	);
	expect(answers.filter(({ changed }) => changed)).toHaveLength(10);
	const { players } = await setups[0]!.players.list().then(({ whitelist }) => whitelist);
	expect(players.map(({ name }) => name).sort()).toEqual(names.sort());
	expect(setups.flatMap(({ audit }) => audit)).toHaveLength(10);
});

const PLANTS: [string, (file: string) => Promise<unknown>][] = [
	['a link', (file) => symlink('/etc/passwd', file)],
	['a folder', (file) => mkdir(file)],
	['half a list', (file) => writeFile(file, '[{"uuid":')]
];
test.each(PLANTS)(
	'with %s in place of a list file nothing is changed, and it says what to do',
	async (_, plant) => {
		const { act, dir, audit, entries } = await setupPlayers({ world: stopped });
		const file = path.join(dir, 'ops.json');
		await plant(file);
		const refusal = {
			kind: 'upstream',
			message: expect.stringMatching(/^ops\.json .*Nothing was changed/)
		};
		await expect(act('op', 'Ada')).rejects.toMatchObject(refusal);
		await expect(act('deop', 'Ada')).rejects.toMatchObject(refusal);
		expect(audit.map(({ result }) => result)).toEqual(['failed', 'failed']);
		expect((await readdir(dir)).sort()).toEqual(['ops.json', 'server.properties']);
		// The others keep working, and so does this one once it is repaired.
		expect(await act('whitelist-add', 'Ada')).toMatchObject({ changed: true });
		await rm(file, { recursive: true });
		expect(await act('op', 'Ada')).toMatchObject({ changed: true });
		expect(await entries('ops.json')).toHaveLength(1);
	}
);

test('without readable properties the owner of a name is unknown, and nothing is changed', async () => {
	const { act, dir } = await setupPlayers({ world: stopped });
	await rm(path.join(dir, 'server.properties'));
	await mkdir(path.join(dir, 'server.properties'));
	for (const [action, name] of [
		['op', 'Ada'],
		['whitelist-on', undefined]
	] as const)
		await expect(act(action, name)).rejects.toMatchObject({ kind: 'upstream' });
	expect(await readdir(dir)).toEqual(['server.properties']);
});

test('an impossible name is rejected before a file is read', async () => {
	const world: Partial<World> = { ...stopped, operation: OPERATION };
	const { act } = await setupPlayers({ world });
	await expect(act('op', '../x')).rejects.toMatchObject({ kind: 'invalid' });
});
