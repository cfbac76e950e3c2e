import { expect, test } from 'vitest';
import type { Mod } from '$lib/schemas/mod';
import { commandsOf, pagesOf } from './commands.ts';
import { dashboardOf } from './dashboard.ts';
import { sections } from './entries.ts';
import { elsewhere, errandsFor } from './errands.ts';
import { mods, players, playerTabs } from './things.ts';

const nothing = () => {};
const dashboard = dashboardOf({
	theme: { next: 'dark', change: nothing },
	singleKeys: { on: true, change: nothing },
	...{ help: nothing, install: nothing, logOut: nothing }
});
const commandsFor = (isCrashed: boolean) => [
	...commandsOf({
		...{ isSuperadmin: true, isCrashed, blocked: null, noServer: null },
		run: { start: nothing, backup: nothing, recheck: nothing }
	}),
	...errandsFor('superadmin', null),
	...dashboard.before,
	...pagesOf('superadmin'),
	dashboard.last
];
const mod = (fileName: string, name: string, modId: string) =>
	({ fileName, name, modId, enabled: !fileName.endsWith('.disabled'), locked: false }) as Mod;
const someone = (name: string, nth: number) => ({
	name,
	uuid: `00000000-0000-4000-8000-00000000000${nth}`,
	since: null,
	lastSeenAt: null
});
const things = [
	...playerTabs,
	...elsewhere,
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
	// Said at length.
	'server lags': 'How fast the server runs',
	lags: 'How fast the server runs',
	'lag spikes': 'How fast the server runs',
	'why is it slow': 'How fast the server runs',
	'tps drop': 'How fast the server runs',
	'not responding': 'How fast the server runs',
	'why did it crash': 'Crash reports',
	'crash report': 'Crash reports',
	error: 'Errors in the log',
	errors: 'Errors in the log',
	exception: 'Errors in the log',
	'logs of yesterday': 'Logs of earlier days',
	'old logs': 'Logs of earlier days',
	'view logs': 'Logs',
	'latest.log': 'Logs',
	uptime: 'Overview',
	'disk space': 'Overview',
	'server down': 'Overview',
	'cancel restart': 'Overview',
	metrics: 'Analytics',
	playtime: 'Stats',
	'who did that': 'Activity',
	'audit log': 'Activity',
	'who is online': 'Players: Online',
	'list players': 'Players: Online',
	'op list': 'Players: Ops',
	admins: 'Players: Ops',
	'banned players': 'Players: Bans',
	'make someone op': 'Op a player…',
	'ban someone': 'Ban a player…',
	'kick someone': 'Kick a player…',
	unban: 'Unban a player…',
	'whitelist on': 'Turn the whitelist on or off',
	'turn off the whitelist': 'Turn the whitelist on or off',
	'add to whitelist': 'Whitelist a player…',
	'turn off mod': 'Enable, disable or remove mods',
	'disable a mod': 'Enable, disable or remove mods',
	'delete mod': 'Enable, disable or remove mods',
	'missing mod': 'Mods with problems',
	'add mod': 'Search mods to install…',
	'update all mods': 'Update mods…',
	update: 'Update mods…',
	'undo update': 'Put old mods back…',
	'roll back mods': 'Put old mods back…',
	rollback: 'Restore a backup…',
	'restore world': 'Restore a backup…',
	'load backup': 'Restore a backup…',
	'download backup': 'Backups',
	'download the world': 'Backups',
	'save world': 'Back up now',
	'save-all': 'Back up now',
	'nightly backup': 'New scheduled task…',
	'schedule restart': 'New scheduled task…',
	'auto restart': 'New scheduled task…',
	'restart on crash': 'New trigger…',
	'restart now': 'Restart the server…',
	'turn the server off': 'Stop the server…',
	'turn it off': 'Stop the server…',
	'update minecraft': 'Upgrade Minecraft…',
	'update the server': 'Upgrade Minecraft…',
	'newer fabric': 'Java, game and loader',
	'update java': 'Java, game and loader',
	'client mods': 'Modpack for players',
	'discord webhook': 'Notifications',
	telegram: 'Notifications',
	email: 'Notifications',
	'change password': 'Passwords and accounts',
	'add admin': 'Passwords and accounts',
	users: 'Passwords and accounts',
	'log out': 'Log out',
	'sign out': 'Log out',
	dark: 'Theme: change to dark',
	light: 'Theme: change to dark',
	help: 'Show the keyboard shortcuts',
	sessions: 'My devices',
	'install app': 'Install as an app',
	ip: 'Public page',
	'how to join': 'Public page',
	// The game's own commands, for those who may type them.
	'run a command': 'Type a command of the game…',
	rcon: 'Type a command of the game…',
	gamemode: 'Type a command of the game…',
	'time set day': undefined,
	seed: 'Type a command of the game…',
	tp: 'Type a command of the game…',
	// Not done here: it says where.
	'change motd': 'Settings of the game',
	port: 'Settings of the game',
	'max players': 'Settings of the game',
	'view distance': 'Settings of the game',
	'change the seed': 'Settings of the game',
	'new world': 'Another world',
	'more ram': 'More memory for the game',
	'edit file': 'Files of the server',
	// Nothing of that.
	language: undefined,
	mute: undefined,
	hang: undefined,
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

test('what is not done here says where, only when it was asked for', () => {
	expect(found('motd')[0]?.blocked).toMatch(/server\.properties/);
	expect(found('online').map(({ label }) => label)).toEqual(['Players: Online']);
	expect(found('lag').map(({ label }) => label)).toEqual(['How fast the server runs']);
});

test('what cannot be done to somebody now says why', () => {
	expect(found('kick wanderer_3')[0]?.blocked).toBe('Is not online.');
	expect(found('deop wanderer_3')[0]?.blocked).toBe('Is no operator.');
	expect(found('kick moss')[0]?.blocked).toBeNull();
});
