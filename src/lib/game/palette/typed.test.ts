import { expect, test } from 'vitest';
import type { Mod } from '$lib/schemas/mod';
import { commandsOf, pagesOf } from './commands.ts';
import { PAGES, sections } from './entries.ts';
import { errandsFor } from './errands.ts';
import { mods, players } from './things.ts';
import { PLAYER_TAB_LABELS } from '../labels.ts';

const nothing = () => {};
const commandsFor = (isCrashed: boolean) => [
	...commandsOf({
		...{ isSuperadmin: true, isCrashed, blocked: null, noServer: null },
		run: { start: nothing, backup: nothing, recheck: nothing }
	}),
	...errandsFor('superadmin', null),
	...pagesOf('superadmin')
];
const mod = (fileName: string, name: string, modId: string) =>
	({ fileName, name, modId, enabled: !fileName.endsWith('.disabled'), locked: false }) as Mod;
const someone = (name: string, nth: number) => ({
	name,
	uuid: `00000000-0000-4000-8000-00000000000${nth}`,
	since: null,
	lastSeenAt: null
});
const tabs = Object.values(PLAYER_TAB_LABELS).map((label) => ({
	...{ id: label, label: `Players: ${label}`, kind: PAGES, to: '/' }
}));
const things = [
	...tabs,
	...mods(
		[
			mod('lithium-0.13.jar', 'Lithium', 'lithium'),
			mod('qv.jar', 'Quiet Villagers', 'quiet_villagers'),
			mod('sodium.jar.disabled', 'Sodium', 'sodium')
		],
		true
	),
	...players(
		{
			online: [someone('Mossfeather', 1)],
			known: [someone('Mossfeather', 1), someone('wanderer_3', 3)]
		},
		true
	)
];
const found = (typed: string, isCrashed = false) =>
	sections(commandsFor(isCrashed), things, typed, [])[0]?.entries ?? [];

const TABLE: Record<string, string | undefined> = {
	// What is done to the server.
	start: 'Start the server',
	stop: 'Stop the server…',
	'shut down': 'Stop the server…',
	'stop the server': 'Stop the server…',
	restart: 'Restart the server…',
	'restart in 5 minutes': 'Restart the server…',
	reboot: 'Restart the server…',
	kill: 'Kill the server…',
	backup: 'Back up now',
	bakcup: 'Back up now',
	'make a backup': 'Back up now',
	'schedule a backup': 'New scheduled task…',
	// Mods, by title and by id.
	lithium: 'Lithium',
	litium: 'Lithium',
	'update lithium': 'Update Lithium…',
	'disable lithium': 'Disable Lithium…',
	'turn off lithium': 'Disable Lithium…',
	'remove lithium': 'Remove Lithium…',
	'uninstall quiet_villagers': 'Remove Quiet Villagers…',
	'enable sodium': 'Enable Sodium…',
	'install jei': 'Search mods for “jei”',
	'check for updates': 'Check for mod updates',
	// Players.
	mossf: 'Mossfeather',
	'ban mossf': 'Ban Mossfeather…',
	'ban feather': 'Ban Mossfeather…',
	'kick moss': 'Kick Mossfeather…',
	'op wanderer_3': 'Make wanderer_3 an operator…',
	'deop wanderer_3': 'Deop wanderer_3…',
	'kick wanderer_3': 'Kick wanderer_3…',
	'ban wanderer_3': 'Ban wanderer_3…',
	'unban wanderer_3': 'wanderer_3: lift the ban',
	'pardon wanderer_3': 'wanderer_3: lift the ban',
	'whitelist wanderer_3': 'wanderer_3: add to the whitelist',
	'ban Herobrine': 'Ban Herobrine…',
	'op herobrine': 'Make herobrine an operator…',
	// What people say.
	announce: 'Say something in the chat…',
	'say hello': 'Say “hello” in the chat…',
	'announce Restart at 8': 'Say “Restart at 8” in the chat…',
	'send message': 'Say something in the chat…',
	// How it runs.
	tps: 'How fast the server runs',
	lag: 'How fast the server runs',
	mspt: 'How fast the server runs',
	ram: 'How much memory it uses',
	memory: 'How much memory it uses',
	analytics: 'Analytics',
	crash: 'Crash reports',
	password: 'Passwords and accounts',
	java: 'Java, game and loader',
	undo: 'Put old mods back…',
	'undo last update': 'Put old mods back…',
	'put back': 'Put old mods back…',
	'download pack': 'Modpack for players',
	// Pages.
	chat: 'Chat',
	mods: 'Mods',
	logs: 'Logs',
	backups: 'Backups',
	settings: 'Settings',
	'open the console': 'Console',
	// Nothing of that.
	stopp: undefined,
	kil: undefined,
	xyzzy: undefined
};

test('what is typed finds first what is meant', () => {
	const first = (typed: string) => found(typed).find(({ risky }) => !risky)?.label;
	expect(Object.fromEntries(Object.keys(TABLE).map((typed) => [typed, first(typed)]))).toEqual(
		TABLE
	);
	expect(found('crash', true)[0]?.label).toBe('Why it crashed, and what helps');
});

test('a word that names nothing risky finds nothing risky first', () => {
	for (const typed of ['tps', 'ram', 'st', 'server', 'k', 're', 's', 'mo', 'the', 'r'])
		expect([typed, found(typed)[0]?.risky ?? false]).toEqual([typed, false]);
	expect(found('tps').map(({ label }) => label)).toEqual(['How fast the server runs']);
});

test('what cannot be done to somebody now says why', () => {
	expect(found('kick wanderer_3')[0]?.blocked).toBe('Is not online.');
	expect(found('deop wanderer_3')[0]?.blocked).toBe('Is no operator.');
	expect(found('kick moss')[0]?.blocked).toBeNull();
});
