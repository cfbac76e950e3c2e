import { expect, test } from 'vitest';
import type { Queries } from '$lib/client/queries.svelte.ts';
import { commandsOf } from './commands.ts';
import { sections } from './entries.ts';
import { errandsFor } from './errands.ts';
import { players, thingsOf } from './things.ts';

const nothing = () => {};
const commands = [
	...commandsOf({
		...{ isSuperadmin: true, isCrashed: false, blocked: null, noServer: null, noBackup: null },
		run: { start: nothing, backup: nothing, recheck: nothing }
	}),
	...errandsFor('superadmin', null)
];
const found = (things: ReturnType<typeof thingsOf>, typed: string) =>
	sections(commands, things, typed, []).flatMap(({ entries }) => entries);

test('a backup that cannot be made now says why', () => {
	const why = 'The server is starting.';
	const now = { isSuperadmin: true, isCrashed: false, blocked: null, noServer: null };
	const run = { start: nothing, backup: nothing, recheck: nothing };
	const found = commandsOf({ ...now, noBackup: why, run }).find(({ id }) => id === 'backup');
	expect(found?.blocked).toBe(why);
});

test('who plays is listed in the order of their names, numbers by their size', () => {
	const online = [18, 9, 3].map((i) => ({ name: `Wanderer_${i}`, uuid: `${i}` }));
	const labels = players({ online: online as never }, true).map(({ label }) => label);
	expect(labels).toEqual(['Wanderer_3', 'Wanderer_9', 'Wanderer_18']);
});

test('a verb alone offers only who joined last of those who play, in the order of their names, and chooses nobody', () => {
	const online = [18, 9, 10, 11, 12, 13].map((i) => ({
		...{ name: `Wanderer_${i}`, uuid: `${i}` },
		since: `2026-01-01T10:${i === 10 ? 59 : 60 - i}:00Z`
	}));
	const things = players(
		{
			...{ online: online as never, known: [{ name: 'Mossfeather', uuid: '1' }] as never },
			bans: [{ name: 'Wanderer_9', uuid: '9' }] as never
		},
		true
	);
	const kicks = found(things, 'kick').filter(({ id }) => id.startsWith('kick:'));
	expect(kicks.map(({ label }) => label)).toEqual([9, 10, 11].map((i) => `Kick Wanderer_${i}…`));
	expect(kicks.every(({ risky }) => risky)).toBe(true);
	for (const said of ['kick', 'kick someone', 'kick a player', 'throw out'])
		expect(found(things, said).slice(0, 2), said).toMatchObject([
			...[{ label: 'Kick a player…' }, { label: 'Kick Wanderer_9…' }]
		]);
	const bans = found(things, 'ban').filter(({ id }) => id.startsWith('ban:'));
	expect(bans.map(({ label }) => label)[0]).toBe('Ban Wanderer_10…');
	expect(bans).toHaveLength(2);
	expect(found(things, 'kick wanderer_18')[0]?.label).toBe('Kick Wanderer_18…');
});

test('a name alone offers what can be done now with who is called so, after them, and chooses none of it', () => {
	const of = (names: string[]) => names.map((name) => ({ name, uuid: `id-${name}` })) as never;
	const things = players(
		{
			...{ online: of(['Mossfeather', 'Moss']), bans: of(['Grumbleroot']) },
			known: of(['quietfox', 'quietowl'])
		},
		true
	);
	const labels = (typed: string) => found(things, typed).map(({ label }) => label);
	const all = (name: string) => [...[name, `Message ${name}…`, `Kick ${name}…`, `Ban ${name}…`]];
	expect(labels('mossf')).toEqual(all('Mossfeather'));
	expect(found(things, 'mossf').map(({ risky }) => !!risky)).toEqual([false, false, true, true]);
	expect(found(things, 'mossf')[1]?.to).toBe('/admin/chat?to=Mossfeather');
	expect(labels('moss')).toEqual([...all('Moss'), 'Mossfeather']);
	expect(labels('grumbleroot')).toEqual(['Grumbleroot', 'Pardon Grumbleroot…']);
	expect(labels('quietfox')).toEqual(['quietfox', 'Ban quietfox…']);
	// It is not known yet which of them is meant, or nobody is.
	expect(labels('quiet')).toEqual(['quietfox', 'quietowl']);
	expect(labels('mo').filter((label) => label.endsWith('Moss…'))).toEqual([]);
});

test('a message to one, whose name is begun, comes before one to all', () => {
	const online = [
		{ name: 'quietfox', uuid: '1' },
		{ name: 'Mossfeather', uuid: '2' }
	];
	const things = players({ online: online as never }, true);
	const labels = (typed: string) => found(things, typed).map(({ label }) => label);
	for (const typed of ['message quiet', 'tell quietfox'])
		expect(labels(typed), typed).toEqual([
			'Message quietfox…',
			expect.stringMatching(/^Say “quiet(?:fox)?” in the chat…$/)
		]);
	expect(labels('message hello')).toEqual(['Say “hello” in the chat…']);
});

test('what is scheduled is found by what it does and how often', () => {
	const lists: Record<string, unknown> = {
		tasks: [
			{ id: 'a', human: 'Every night at 04:30', sentence: 'Every night at 04:30, make a backup' },
			{ id: 'b', human: 'Every day at 12:00', sentence: 'Every day at 12:00, restart the server' }
		]
	};
	const things = thingsOf({ read: ([key]: string[]) => lists[key!] } as never as Queries, true);
	expect(found(things, 'nightly')[1]).toMatchObject({
		label: 'Every night at 04:30, make a backup',
		to: '/admin/schedule#task-a'
	});
	expect(found(things, '12:00')[0]?.id).toBe('task:b');
	// It is not what somebody comes to do.
	expect(found(things, 'backup')[0]?.id).toBe('backup');
	expect(found(things, 'restart')[0]?.kind).toBe('Server');
});

test('what a word asks for comes before what was only named or made with it', () => {
	const createdAt = '2026-01-02T03:04:05Z';
	const snapshots = [
		{ id: '1', createdAt, note: 'Before the summer update', reason: 'manual' },
		{ id: '2', createdAt, note: '', reason: 'update' }
	];
	const read = ([key]: string[]) => (key === 'snapshots' ? snapshots : undefined);
	const things = thingsOf({ read } as never as Queries, true);
	const kinds = found(things, 'update').map(({ kind }) => kind);
	expect(kinds.slice(-2)).toEqual(['Snapshot', 'Snapshot']);
	expect(found(things, 'update').map(({ id }) => id)).toContain('recheck');
	expect(found(things, 'summer')[0]?.id).toBe('snapshot:1');
	expect(found(things, 'update snapshot')[0]?.id).toBe('snapshot:2');
});

test('of many mods and players some of each are shown, in natural order, with a way to all of them', () => {
	const many = (word: string, count: number) =>
		Array.from({ length: count }, (_, i) => `${word} ${count - i}`);
	const lists: Record<string, unknown> = {
		mods: { mods: many('Wandering Mod', 101).map((name) => ({ name, fileName: `${name}.jar` })) },
		players: { known: many('Wanderer', 66).map((name) => ({ name, uuid: name })) }
	};
	const things = thingsOf({ read: ([key]: string[]) => lists[key!] } as never as Queries, true);
	const shown = sections(commands, things, 'wand', []).map(({ title, entries }) => [
		title,
		...entries.map(({ label }) => label)
	]);
	expect(shown).toEqual([
		...[['Mods', ...[1, 2, 3].map((i) => `Wandering Mod ${i}`), 'All 101 mods with “wand”']],
		...[['Players', ...[1, 2, 3].map((i) => `Wanderer ${i}`), 'All 66 players with “wand”']]
	]);
	const last = sections(commands, things, 'wand', []).at(-1)!.entries.at(-1)!;
	expect(last.to).toBe('/admin/players?tab=everyone&q=wand');
	// One kind alone needs no heading, and what can be done with each is no crowd.
	expect(sections(commands, things, 'wanderer', [])).toMatchObject([{ title: 'Found' }]);
	expect(sections(commands, things, 'ban wanderer', [])).toMatchObject([{ title: 'Found' }]);
});
