import { expect, test } from 'vitest';
import { ben, json, setupPlayers } from '../../../../../tests/fakes/players-setup.ts';
import { LISTED_MAX, PlayerAction, type PlayerVerb } from '#schemas/player';
import { offlineUuid } from '../../minecraft/lists/lists.ts';

const GHOST = '5744db97-0924-4ba0-a373-b904d3cd35fb';

async function setup(options: Parameters<typeof setupPlayers>[0] = {}) {
	const made = await setupPlayers({
		...options,
		world: { lastSeen: new Map([[GHOST, '2026-01-01T00:00:00.000Z']]), ...options?.world }
	});
	const act = (action: PlayerVerb, uuid = GHOST) => made.players.act({ action, uuid }, ben);
	return { ...made, act };
}

test('a player whose name is unknown is added to and removed from the lists of a stopped server', async () => {
	const { act, entries, audit, rcon } = await setup({ world: { state: 'stopped' } });
	for (const [add, remove, file] of [
		['whitelist-add', 'whitelist-remove', 'whitelist.json'],
		['ban', 'pardon', 'banned-players.json'],
		['op', 'deop', 'ops.json']
	] as const) {
		expect(await act(add)).toMatchObject({ changed: true });
		expect(await entries(file)).toMatchObject([{ uuid: GHOST, name: GHOST }]);
		expect(await act(add)).toMatchObject({ changed: false });
		expect(await act(remove)).toMatchObject({ changed: true });
		expect(await entries(file)).toEqual([]);
	}
	expect(audit[0]).toMatchObject({ action: 'player.whitelist-add', subject: GHOST });
	expect(rcon.commands).toEqual([]);
});

test('a running server is never sent an id, which it would take for a name', async () => {
	const { act, rcon, audit } = await setup();
	for (const action of ['whitelist-add', 'ban', 'pardon', 'op', 'kick'] as const)
		await expect(act(action)).rejects.toMatchObject({
			kind: 'conflict',
			message: expect.stringMatching(/running server can only be told names.*while .* stopped/)
		});
	expect(rcon.commands).toEqual([]);
	expect(audit[0]).toMatchObject({ subject: GHOST, result: 'refused' });
});

test('where a name is known for the id the server is sent that', async () => {
	const uuid = offlineUuid('Ada');
	const cache = json([{ name: 'Ada', uuid, expiresOn: '2099-01-01 00:00:00 +0000' }]);
	const { act, rcon } = await setup({ files: { 'usercache.json': cache } });
	expect(await act('whitelist-add', uuid)).toEqual({
		ok: true,
		changed: true,
		message: 'Ada is on the whitelist now.'
	});
	expect(rcon.commands).toEqual(['whitelist add Ada']);
});

test('a name that belongs to somebody else by now is not sent', async () => {
	const cache = json([
		{ name: 'Ada', uuid: offlineUuid('Ada'), expiresOn: '2099-01-01 00:00:00 +0000' },
		{ name: 'Ada', uuid: GHOST, expiresOn: '2020-01-01 00:00:00 +0000' }
	]);
	const { act, rcon } = await setup({ files: { 'usercache.json': cache } });
	await expect(act('ban')).rejects.toMatchObject({ kind: 'conflict' });
	expect(rcon.commands).toEqual([]);
});

test('an id that is unknown on the server is refused', async () => {
	const { act } = await setup({ world: { state: 'stopped' } });
	await expect(act('ban', offlineUuid('Nobody'))).rejects.toMatchObject({
		kind: 'invalid',
		issues: [{ path: 'uuid' }]
	});
});

test('a name or an id, never both, and an id is not a name', () => {
	const says = (body: object) => PlayerAction.safeParse(body).error?.issues[0]?.path;
	expect(says({ action: 'ban', uuid: GHOST })).toBeUndefined();
	expect(says({ action: 'ban', uuid: GHOST, player: 'Ada' })).toEqual(['uuid']);
	expect(says({ action: 'ban' })).toEqual(['player']);
	expect(says({ action: 'ban', player: GHOST })).toEqual(['player']);
	expect(says({ action: 'ban', uuid: '@a' })).toEqual(['uuid']);
});

test.each(['running', 'stopped'] as const)(
	'a list of a %s server has a limit, for those who are not on it',
	async (state) => {
		const uuidOf = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
		const full = Array.from({ length: LISTED_MAX.ops }, (_, i) => ({
			...{ uuid: uuidOf(i), name: `p${i}`, level: 4 }
		}));
		const { players, act, rcon, entries } = await setup({
			files: { 'ops.json': json(full) },
			world: { state }
		});
		const op = (player: string) => players.act({ action: 'op', player }, ben);
		await expect(op('Ada')).rejects.toMatchObject({
			kind: 'conflict',
			message: expect.stringMatching(/^ops\.json has 1000 entries already/)
		});
		expect(rcon.commands).toEqual([]);
		expect(await op('p7')).toMatchObject({ changed: false });
		expect(await players.act({ action: 'deop', player: 'p7' }, ben)).toMatchObject({
			changed: true
		});
		expect(await op('Ada')).toMatchObject({ changed: true });
		expect(await entries('ops.json')).toHaveLength(LISTED_MAX.ops);
		await expect(act('whitelist-add', uuidOf(3))).resolves.toMatchObject({ changed: true });
	}
);
