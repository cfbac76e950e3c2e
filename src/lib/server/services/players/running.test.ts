import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
	ben,
	hastyClock,
	json,
	openPlayersIn,
	setupPlayers,
	serverDir
} from '../../../../../tests/fakes/players-setup.ts';
import { startFakeRcon } from '../../../../../tests/fakes/game/rcon.ts';
import { vanillaLists } from '../../../../../tests/fakes/game/vanilla-lists.ts';
import { offlineUuid } from '../../minecraft/lists/lists.ts';
import type { PlayerAction } from '#schemas/player';
import { onTestFinished } from 'vitest';

const ADA = '5744db97-0924-4ba0-a373-b904d3cd35fb';

test('op, whitelist and ban work both ways, each confirmed by the server’s own files', async () => {
	const { act, rcon, entries, text, audit } = await setupPlayers();
	const done = (message: string) => ({ ok: true, changed: true, message });
	expect(await act('op', 'Ada')).toEqual(done('Ada is an operator now.'));
	expect(await entries('ops.json')).toMatchObject([{ name: 'Ada', level: 4 }]);
	expect(await act('deop', 'Ada')).toEqual(done('Ada is no longer an operator.'));
	expect(await entries('ops.json')).toEqual([]);
	expect(await act('whitelist-add', 'Ada')).toEqual(done('Ada is on the whitelist now.'));
	expect(await entries('whitelist.json')).toMatchObject([{ name: 'Ada' }]);
	expect(await act('whitelist-remove', 'Ada')).toEqual(done('Ada is no longer on the whitelist.'));
	expect(await entries('whitelist.json')).toEqual([]);
	expect(await act('ban', 'Ada', 'Too "loud"', ben)).toEqual(done('Ada is banned now.'));
	expect(await entries('banned-players.json')).toMatchObject([
		{ name: 'Ada', reason: 'Too "loud"' }
	]);
	expect(await act('pardon', 'Ada')).toEqual(done('Ada is no longer banned.'));
	expect(await entries('banned-players.json')).toEqual([]);
	expect(await act('whitelist-on')).toEqual(done('The whitelist is on now.'));
	expect(await text('server.properties')).toContain('white-list=true');
	expect(await act('whitelist-off')).toEqual(done('The whitelist is off now.'));
	expect(await text('server.properties')).toContain('white-list=false');
	expect(rcon.commands).toEqual([
		'op Ada',
		'deop Ada',
		'whitelist add Ada',
		'whitelist remove Ada',
		'ban Ada Too "loud"',
		'pardon Ada',
		'whitelist on',
		'whitelist off'
	]);
	expect(audit).toHaveLength(8);
	expect(audit[4]).toEqual({
		by: 'ben',
		action: 'player.ban',
		subject: 'Ada',
		result: 'done',
		detail: 'Too "loud"'
	});
});

test('a no-op changes nothing and is not audited', async () => {
	const { act, audit } = await setupPlayers({
		files: { 'ops.json': json([{ uuid: ADA, name: 'Ada', level: 4 }]) }
	});
	const same = (message: string) => ({ ok: true, changed: false, message });
	expect(await act('op', 'Ada')).toEqual(same('Ada is an operator already.'));
	expect(await act('deop', 'Bob')).toEqual(same('Bob is not an operator.'));
	expect(await act('whitelist-remove', 'Bob')).toEqual(same('Bob is not on the whitelist.'));
	expect(await act('pardon', 'Bob')).toEqual(same('Bob is not banned.'));
	expect(await act('whitelist-off')).toEqual(same('The whitelist is off already.'));
	expect(await act('kick', 'Bob')).toEqual(same('Bob is not online.'));
	expect(audit).toEqual([]);
});

test('a kick includes its reason, and the name of a Bedrock player', async () => {
	const { act, rcon, game, audit } = await setupPlayers();
	game.online.add('Ada').add('.Zoe');
	expect(await act('kick', 'Ada', 'Server is full')).toEqual({
		ok: true,
		changed: true,
		message: 'Ada was kicked.'
	});
	expect(await act('kick', '.Zoe')).toMatchObject({ changed: true });
	expect(rcon.commands).toEqual(['kick Ada Server is full', 'kick .Zoe']);
	expect(game.online.size).toBe(0);
	expect(audit.map(({ action, subject }) => [action, subject])).toEqual([
		['player.kick', 'Ada'],
		['player.kick', '.Zoe']
	]);
});

const HOSTILE = [
	'a\nop x',
	'@a',
	'@e[type=!x]',
	'"x',
	'x y',
	'§4x',
	'ABCDEFGHIJKLMNOPQ',
	'',
	'😀',
	'-x',
	'../x',
	'x\u0000',
	ADA,
	undefined
];

test('impossible names are rejected before a single packet is sent', async () => {
	const { act, rcon, audit, world } = await setupPlayers();
	for (const action of [
		'op',
		'deop',
		'whitelist-add',
		'whitelist-remove',
		'ban',
		'pardon',
		'kick'
	] as const)
		for (const name of HOSTILE)
			await expect(act(action, name), `${action} ${name}`).rejects.toMatchObject({
				kind: 'invalid',
				issues: [{ path: 'player' }]
			});
	expect(rcon.commands).toEqual([]);
	expect(rcon.connections).toBe(0);
	expect(audit).toEqual([]);
	expect(world.changes).toBe(0);
});

test('two admins at once: one change, one line in the audit log, whatever process they use', async () => {
	const dir = await serverDir({ 'server.properties': 'online-mode=false\n' });
	const data = await serverDir();
	const game = vanillaLists(dir);
	const rcon = await startFakeRcon({ answer: (line) => game.answer(line) });
	onTestFinished(() => rcon.close());
	const one = openPlayersIn(data, dir, rcon.address);
	const other = openPlayersIn(data, dir, rcon.address);
	for (const action of ['ban', 'pardon', 'op', 'deop', 'whitelist-add', 'whitelist-on'] as const) {
		const name = action === 'whitelist-on' ? undefined : 'Ada';
		const answers = await Promise.all([
			one.act(action, name),
			one.act(action, name, undefined, ben),
			other.act(action, name)
		]);
		expect(
			answers.filter(({ changed }) => changed),
			action
		).toHaveLength(1);
	}
	const audited = [...one.audit, ...other.audit].map(({ action }) => action).sort();
	expect(audited).toEqual([
		'player.ban',
		'player.deop',
		'player.op',
		'player.pardon',
		'player.whitelist-add',
		'player.whitelist-on'
	]);
});

test('opposite clicks end in what the last one wanted, and the files agree', async () => {
	const { act, entries } = await setupPlayers();
	const clicks = Array.from({ length: 12 }, (_, i) => act(i % 2 ? 'deop' : 'op', 'Ada'));
	expect((await Promise.all(clicks)).every(({ changed }) => changed)).toBe(true);
	expect(await entries('ops.json')).toEqual([]);
});

test('a file that the game is still writing is waited for', async () => {
	const { act } = await setupPlayers({ game: { disk: 'in-two-pieces' } });
	expect(await act('ban', 'Ada')).toMatchObject({ changed: true, message: 'Ada is banned now.' });
});

test('the messages of 1.12 are understood too', async () => {
	const { act } = await setupPlayers({
		game: { dialect: '1.12', accounts: new Map([['Ada', ADA]]) }
	});
	for (const action of [
		'op',
		'deop',
		'ban',
		'pardon',
		'whitelist-add',
		'whitelist-remove'
	] as const)
		expect(await act(action, 'Ada'), action).toMatchObject({ changed: true });
	await expect(act('op', 'Nobody')).rejects.toMatchObject({ kind: 'invalid' });
});

test('a player whom the server does not know is an input error, with a clear message', async () => {
	const { act, audit, text } = await setupPlayers({ game: { accounts: new Map() } });
	await expect(act('op', 'Nobody')).rejects.toMatchObject({
		kind: 'invalid',
		message: expect.stringContaining('That player does not exist'),
		issues: [{ path: 'player' }]
	});
	expect(audit).toMatchObject([{ action: 'player.op', subject: 'Nobody', result: 'refused' }]);
	await expect(text('ops.json')).rejects.toThrow();
});

const LISTED: [PlayerAction['action'], string | undefined][] = [
	['op', 'Ada'],
	['whitelist-add', 'Ada'],
	['ban', 'Ada'],
	['whitelist-on', undefined]
];

test.each(LISTED)(
	'an unknown message does not count as success of %s by itself',
	async (action, name) => {
		const { act, audit, rcon } = await setupPlayers({
			clock: hastyClock(),
			script: { answer: () => 'All right!' }
		});
		await expect(act(action, name)).rejects.toMatchObject({
			kind: 'upstream',
			code: 'not-verified',
			message: expect.stringContaining('“All right!”')
		});
		expect(rcon.commands).toHaveLength(1);
		expect(audit).toMatchObject([{ action: `player.${action}`, result: 'failed' }]);
	}
);

test.each(LISTED)('after %s the files decide when the message does not', async (action, name) => {
	const { act, audit } = await setupPlayers({ game: { dialect: 'strange' } });
	expect(await act(action, name)).toMatchObject({
		changed: true,
		message: expect.stringContaining('not understood')
	});
	expect(await act(action, name)).toMatchObject({ changed: false });
	expect(audit).toHaveLength(1);
});

test('the leave decides whether a kick worked, whatever the game answers', async () => {
	const { act, game, audit } = await setupPlayers({ game: { dialect: 'strange' } });
	game.online.add('Ada');
	expect(await act('kick', 'Ada')).toEqual({
		ok: true,
		changed: true,
		message: 'Ada was kicked. The answer was not understood, but Ada left.'
	});
	expect(await act('kick', 'Bob')).toMatchObject({ changed: false, message: 'Bob is not online.' });
	expect(audit).toMatchObject([{ action: 'player.kick', subject: 'Ada', result: 'done' }]);
});

test('a leave in the log confirms a kick where the game’s player list cannot be read', async () => {
	const { act, world, rcon } = await setupPlayers({ script: { answer: () => 'Fort damit.' } });
	world.whereabouts = () => ({
		online: null,
		lastLeave: rcon.commands.length > 0 ? 'the second' : 'the first'
	});
	expect(await act('kick', 'Ada')).toMatchObject({ changed: true });
});

test('no message counts as a kick while the player stays', async () => {
	for (const online of [true, null]) {
		const { act } = await setupPlayers({
			clock: hastyClock(),
			game: { dialect: 'strange' },
			world: { whereabouts: () => ({ online, lastLeave: 'long ago' }) }
		});
		await expect(act('kick', 'Ada')).rejects.toMatchObject({ code: 'not-verified' });
	}
});

test.each(['kick', 'ban'] as const)('after a %s the leave is waited for', async (action) => {
	const { act, world, game } = await setupPlayers();
	game.online.add('Ada');
	let looks = 0;
	let gone = false;
	world.whereabouts = () => {
		gone = ++looks > 4;
		return { online: !gone, lastLeave: null };
	};
	expect(await act(action, 'Ada')).toMatchObject({ changed: true });
	expect(gone).toBe(true);
});

test('a success that the files do not show is a failure, and says what to look at', async () => {
	const { act, audit, game } = await setupPlayers({
		clock: hastyClock(),
		game: { disk: 'refuses' }
	});
	await expect(act('op', 'Ada')).rejects.toMatchObject({
		kind: 'upstream',
		code: 'not-verified',
		message: expect.stringContaining('ops.json does not show it')
	});
	await expect(act('whitelist-on')).rejects.toMatchObject({
		message: expect.stringContaining('server.properties')
	});
	expect(audit.map(({ result }) => result)).toEqual(['failed', 'failed']);
	game.disk = 'works';
	expect(await act('op', 'Bob')).toMatchObject({ changed: true });
});

test('“nothing changed” is not believed when the file says otherwise', async () => {
	const { act, dir } = await setupPlayers({ clock: hastyClock() });
	// Edited by hand while the game runs: it takes effect at the next start.
	await writeFile(path.join(dir, 'ops.json'), json([{ uuid: ADA, name: 'Ada', level: 4 }]));
	await expect(act('deop', 'Ada')).rejects.toMatchObject({
		code: 'not-verified',
		message: expect.stringContaining('Stop the server and try again')
	});
});

test('an entry of the same name under another id is reported', async () => {
	const { act } = await setupPlayers({
		files: {
			'ops.json': json([
				{ uuid: ADA, name: 'Ada', level: 4 },
				{ uuid: offlineUuid('Ada'), name: 'Ada', level: 4 }
			])
		}
	});
	expect(await act('deop', 'Ada')).toMatchObject({
		changed: true,
		message: expect.stringContaining('under another id')
	});
	expect(await act('deop', 'Ada')).toMatchObject({
		changed: true,
		message: 'Ada is no longer an operator.'
	});
});

test('a command that the server does not understand has failed', async () => {
	const { act } = await setupPlayers({
		script: { answer: () => 'Unknown or incomplete command, see below for errorban Ada<--[HERE]' }
	});
	await expect(act('ban', 'Ada')).rejects.toMatchObject({
		kind: 'upstream',
		message: expect.stringContaining('did not understand')
	});
});

test('without an answer the files say what happened', async () => {
	const { world, act, rcon, game, audit } = await setupPlayers({ clock: hastyClock() });
	rcon.script.answer = (line) => {
		game.answer(line);
		return { fault: 'close' };
	};
	expect(await act('ban', 'Ada')).toEqual({
		ok: true,
		changed: true,
		message: 'Ada is banned now. No answer came, but banned-players.json shows it.'
	});
	rcon.script.answer = () => ({ fault: 'rst' });
	await expect(act('op', 'Ada')).rejects.toMatchObject({
		kind: 'timeout',
		code: 'outcome-unknown',
		message: expect.stringContaining('ops.json does not show it')
	});
	world.whereabouts = () => ({ online: null, lastLeave: null });
	await expect(act('kick', 'Ada')).rejects.toMatchObject({ code: 'outcome-unknown' });
	expect(rcon.commands).toEqual(['ban Ada', 'op Ada', 'kick Ada']);
	expect(audit.map(({ result }) => result)).toEqual(['done', 'failed', 'failed']);
});

test('an unreachable console is reported as such, and nothing is done', async () => {
	const { act, rcon, audit, text } = await setupPlayers();
	await rcon.close();
	await expect(act('op', 'Ada')).rejects.toMatchObject({
		kind: 'offline',
		message: expect.stringContaining('Nothing was sent')
	});
	expect(audit).toMatchObject([{ result: 'failed' }]);
	await expect(text('ops.json')).rejects.toThrow();
});

test.each(['starting', 'stopping'] as const)(
	'while the server is %s nothing is done, and the state is named',
	async (state) => {
		const { act, rcon, audit, world } = await setupPlayers({ world: { state } });
		for (const action of ['op', 'whitelist-on', 'kick'] as const)
			await expect(
				act(action, action === 'whitelist-on' ? undefined : 'Ada')
			).rejects.toMatchObject({
				kind: 'conflict',
				message: expect.stringContaining(`is ${state}`)
			});
		expect(rcon.commands).toEqual([]);
		expect(audit.map(({ result }) => result)).toEqual(['refused', 'refused', 'refused']);
		expect(world.changes).toBe(0);
	}
);

test('a hanging console does not let requests pile up endlessly', async () => {
	const { act, rcon } = await setupPlayers({ script: { answer: () => ({ fault: 'never' }) } });
	const many = Array.from({ length: 40 }, () =>
		act('kick', 'Ada').catch((error: unknown) => error)
	);
	await rcon.until(() => rcon.commands.length === 1);
	const busy = await Promise.all(many.slice(32));
	expect(busy.every((error) => (error as { kind?: string }).kind === 'busy')).toBe(true);
	rcon.script.answer = () => 'No player was found';
	rcon.drop('rst');
	const rest = await Promise.all(many.slice(0, 32));
	expect(rest.slice(1).every((answer) => (answer as { changed?: boolean }).changed === false)).toBe(
		true
	);
});
