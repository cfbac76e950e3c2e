import { expect, test } from 'vitest';
import type { Mod } from '$lib/schemas/mod';
import type { OperationRow } from '$lib/schemas/operation';
import { cancelling } from './cancelling.ts';
import { commandsOf, pagesOf } from './commands.ts';
import { dashboardOf } from './dashboard.ts';
import { obstacles } from '../power/power.ts';
import { sections } from './entries.ts';
import { elsewhere, errandsFor, reservedFor } from './errands.ts';
import { mods, players, playerTabs } from './things.ts';
import { spanIn } from './said.ts';

const nothing = () => {};
const dashboard = dashboardOf({
	theme: { next: 'dark', change: nothing },
	singleKeys: { on: true, change: nothing },
	...{ help: nothing, install: nothing, logOut: nothing }
});
const commandsFor = (isCrashed: boolean) => [
	...commandsOf({
		...{ isSuperadmin: true, isCrashed, blocked: null, noServer: null, noBackup: null },
		run: { start: nothing, backup: nothing, recheck: nothing }
	}),
	...cancelling([], () => nothing),
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
	'schedule a backup': 'New task: back up…',
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
	'op wanderer_3': 'Op wanderer_3…',
	'deop wanderer_3': 'Deop wanderer_3…',
	'kick wanderer_3': 'Kick wanderer_3…',
	'ban wanderer_3': 'Ban wanderer_3…',
	'unban wanderer_3': 'Pardon wanderer_3…',
	'pardon wanderer_3': 'Pardon wanderer_3…',
	'whitelist wanderer_3': 'wanderer_3: add to the whitelist',
	'ban Herobrine': 'Ban Herobrine…',
	'op herobrine': 'Op herobrine…',
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
	hang: 'How fast the server runs',
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
	'cancel restart': 'Cancel what is in progress',
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
	unban: 'Pardon a player…',
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
	rollback: 'Put old mods back…',
	'roll back': 'Put old mods back…',
	revert: 'Put old mods back…',
	'roll back the world': 'Restore a backup…',
	'restore world': 'Restore a backup…',
	'load backup': 'Restore a backup…',
	'download backup': 'Backups',
	'download the world': 'Backups',
	'save world': 'Back up now',
	'save-all': 'Back up now',
	'nightly backup': 'New task: back up, every day…',
	'schedule restart': 'New task: restart…',
	'auto restart': 'New task: restart…',
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
	'time set day': 'Console: time set day',
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

test('a part of the name of somebody who plays is nobody else’s whole name', () => {
	const kicks = (typed: string) =>
		found(typed).flatMap(({ label }) => (label.startsWith('Kick') ? [label] : []));
	expect(kicks('kick feather')).toEqual(['Kick Mossfeather…']);
	// Somebody who does not play cannot be meant.
	expect(kicks('kick wander')).toContain('Kick wander…');
	expect(kicks('kick Griefer99')).toEqual(['Kick Griefer99…']);
	// Who is banned need not be here.
	expect(found('ban feather').map(({ label }) => label)).toContain('Ban feather…');
	expect(found('kick feather')[0]).toMatchObject({ field: 'main form input[name="reason"]' });
	expect(found('kick Griefer99')[0]).toMatchObject({ field: 'main form input[name="reason"]' });
});

/** A server as many have it: the names must not get in the way of what is meant. */
const MOD_NAMES = (
	'Fabric API,Sodium,Lithium,Iris,Starlight,Cloth Config,Mod Menu,Server Browser,Chat Heads,Better Stats,Log Begone,' +
	'Backup Helper,Night Vision,Memory Leak Fix,Just Enough Items,Time Lapse,Player Animator,Console Filter,World Edit,' +
	'Dark Mode Everywhere,Simple Voice Chat,Quiet Villagers,Restart Notifier,Free Camera,Space Craft'
).split(',');
const manyMods = Array.from({ length: 200 }, (_, i) => {
	const name = MOD_NAMES[i] ?? `Lantern Pack ${i}`;
	const id = name.toLowerCase().replaceAll(' ', '_');
	return mod(`${id}-fabric-mc1.21.8-0.${i}.jar`, name, id);
});
const manyPlayers = Array.from({ length: 60 }, (_, i) => ({
	...{ name: i ? `Walker_${i}` : 'Mossfeather', since: null, lastSeenAt: null },
	uuid: `00000000-0000-4000-8000-0000000000${String(i).padStart(2, '0')}`
}));
type Role = 'superadmin' | 'admin';
function searchAs(role: Role, state: 'running' | 'stopped', operations: OperationRow[] = []) {
	const isSuperadmin = role === 'superadmin';
	const blocked = obstacles({ state, operation: null, unready: null });
	const commands = [
		...commandsOf({
			...{ isSuperadmin, isCrashed: false, blocked, noServer: null, noBackup: null },
			run: { start: nothing, backup: nothing, recheck: nothing }
		}),
		...cancelling(operations, () => nothing),
		...errandsFor(role, null, state === 'stopped' ? 'The server is not running.' : null),
		...[...dashboard.before, ...pagesOf(role), dashboard.last]
	];
	const all = [
		...[...playerTabs, ...elsewhere, ...reservedFor(role)],
		...mods(manyMods, isSuperadmin),
		...players(
			{ online: state === 'running' ? manyPlayers.slice(0, 5) : [], known: manyPlayers },
			isSuperadmin
		)
	];
	return (typed: string) => sections(commands, all, typed, [])[0]?.entries ?? [];
}
const STATES = ['running', 'stopped'] as const;
const ROLES: Role[] = ['superadmin', 'admin'];

/** What comes first, whoever asks and whether the server runs. */
const SAID: Record<string, string[]> = {
	'Start the server': [
		...[
			'start',
			'start server',
			'start the server please',
			'boot up the server',
			'launch minecraft'
		],
		...['turn on the server', 'turn the server on', 'power on', 'can you start the server now'],
		...['bring the server up', 'how do i start my server', 'satrt server']
	],
	'Stop the server…': [
		...['stop', 'stop server', 'stop the minecraft server', 'stop server in 5 minutes'],
		...['shut down in 10 minutes', 'shutdown', 'shut the server down', 'turn off the server'],
		...['turn the server off please', 'halt', 'i want to stop the server'],
		...['how can I shut down my server', 'shutdwon server', 'switch off the server now']
	],
	'Restart the server…': [
		...['restart', 'restart server', 'restart in 5 minutes', 'restart the server in 30 seconds'],
		...['reboot', 'reboot the server please', 'announce restart', 'restart with warning'],
		...['can i restart my server', 'resart server', 'restrat', 'restart the game', 'restarting']
	],
	'Kill the server…': ['kill', 'force stop', 'kill the server', 'kill server now'],
	'Back up now': [
		...['backup', 'back up', 'back up the world', 'back up my world now', 'make a backup'],
		...['create a backup please', 'take a backup', 'save the world', 'save world', 'bakcup world'],
		...['how do i make a backup', 'backup the server', 'save game']
	],
	'Restore a backup…': [
		...['restore', 'restore yesterday', 'restore backup', 'go back to yesterday'],
		...['restore the world from yesterday', 'rollback the world', 'restore last backup'],
		...['restore a backup from last week', 'how do i restore a backup', 'retsore backup']
	],
	'Upgrade Minecraft…': [
		'upgrade',
		...['update minecraft', 'upgrade minecraft version'],
		...['update the server', 'new minecraft version', 'change minecraft version', 'uprgade']
	],
	'Update mods…': [
		...['update mods', 'update all mods', 'update my mods', 'upgrade mods', 'udpate mods'],
		'how do i update the mods'
	],
	'Check for mod updates': ['check for updates', 'check mod updates', 'are there any updates'],
	'Update Lithium…': ['update lithium', 'lithium update', 'upgrade lithium to 0.14'],
	'Disable Lithium…': [
		...['disable lithium', 'turn off lithium', 'turn lithium off', 'switch off lithium please']
	],
	'Remove Lithium…': ['remove lithium', 'delete the lithium mod', 'uninstall lithium'],
	'Search mods to install…': [
		'install mods',
		'add mods',
		'add a mod',
		'find new mods',
		'add plugin'
	],
	'Search mods for “jei”': ['install jei', 'search for jei'],
	'Put old mods back…': ['undo', 'undo the last update', 'downgrade mods', 'undo update'],
	'Upload a mod…': ['upload', 'upload mod', 'upload a jar', 'upload my own mod'],
	'Mods with problems': ['mod problems', 'mod conflicts', 'incompatible mods', 'broken mods'],
	'Modpack for players': ['modpack', 'download modpack', 'client mods', 'share the mods'],
	'Whitelist a player…': [
		...['whitelist', 'add to whitelist', 'add someone to the whitelist', 'add player', 'whitlist'],
		...['whitelist somebody', 'allow a player to join', 'how do I add a friend']
	],
	'Whitelist steve…': ['whitelist steve', 'add steve to whitelist', 'add steve to the whitelist'],
	'Turn the whitelist on or off': [
		...['turn on whitelist', 'turn the whitelist off', 'whitelist on', 'enable the whitelist']
	],
	'Ban a player…': [
		'ban',
		'ban someone',
		'ban everyone',
		'ban him',
		'ban players',
		'ban a griefer'
	],
	'Ban steve…': ['bann steve', 'ban steve', 'ban steve please', 'ban player steve'],
	'Ban Mossfeather…': ['ban mossfeather', 'ban mossf', 'mossfeather ban', 'please ban mossfeather'],
	'Kick a player…': ['kick', 'kick someone', 'kick everyone', 'kick player', 'kick all players'],
	'Kick Mossfeather…': ['kick mossfeather', 'throw out mossfeather', 'throw mossfeather out'],
	'Pardon a player…': ['unban', 'unban someone', 'pardon', 'unban a player', 'lift ban'],
	'Op a player…': [
		'op',
		'make op',
		'op someone',
		'make someone operator',
		'make somebody an admin'
	],
	'Say something in the chat…': [
		...['say', 'announce', 'broadcast', 'send a message', 'message players', 'message all players'],
		...['announce something', 'message everyone', 'tell everyone']
	],
	'Say “hello” in the chat…': ['say hello', 'message hello', 'tell everyone hello'],
	'Theme: change to dark': [
		...[
			'dark',
			'turn on dark mode',
			'dark mode',
			'switch to dark mode',
			'night mode',
			'light theme'
		],
		...['change theme', 'change colours', 'change colors', 'enable dark mode']
	],
	Overview: [
		...['free space', 'disk space', 'how much disk space is left', 'free up disk space', 'uptime'],
		...['is my server running', 'is the server up', 'server status', 'disk full']
	],
	'How fast the server runs': [
		...[
			'lag',
			'why is my server lagging',
			'server is slow',
			'tps',
			'fix lag',
			'the server is laggy'
		],
		...[
			'reduce lag',
			'performance',
			'why is it so slow',
			'players complain about lag',
			'performence'
		]
	],
	'How much memory it uses': ['ram', 'memory usage', 'how much ram does it use', 'out of memory'],
	'More memory for the game': ['more ram', 'give the server more ram', 'add more memory'],
	'Settings of the game': [
		...['motd', 'message of the day', 'how do I change the message of the day'],
		...['change motd', 'server port', 'set view distance to 12', 'change the seed', 'pvp'],
		...['max players', 'turn off pvp', 'change the port of my server', 'server.properties']
	],
	'Another world': ['new world', 'reset the world', 'delete world', 'create a new world'],
	'Crash reports': [
		'crash',
		'crash report',
		'why did my server crash',
		'why does it keep crashing'
	],
	'Errors in the log': ['errors', 'show me the errors', 'error log'],
	'Logs of earlier days': ['yesterday', 'logs of yesterday', 'yesterday’s logs', 'old logs'],
	Logs: ['logs', 'show the logs', 'server logs', 'open logs please'],
	'Search the log…': ['search the log', 'search logs', 'find in log'],
	'Players: Online': ['who is online', 'who is playing', 'list players', 'how many players are on'],
	'Players: Bans': ['bans', 'banned players', 'ban list', 'who is banned'],
	'Players: Ops': ['operators', 'who are the ops', 'list ops'],
	Players: ['players', 'show players', 'the players'],
	Mods: ['mods', 'my mods', 'list mods', 'installed mods', 'which mods are installed'],
	Backups: ['backups', 'list backups', 'download the world', 'delete old backups', 'last backup'],
	'New scheduled task…': ['cron', 'new task', 'add a task', 'schedule a task'],
	'New task: back up…': ['schedule a backup', 'automatic backups'],
	'New task: back up, every day…': ['schedule a daily backup', 'back up every night'],
	'New task: back up, every day at 03:00…': [
		...[
			'backup every night at 3',
			'bakcup every night at 3',
			'every night at 3am back up the world'
		]
	],
	'New task: back up, every 6 hours…': ['back up every 6 hours', 'backup every 6h'],
	'New task: back up, every Sunday at 03:00…': ['backup every sunday at 3am'],
	'New task: restart…': ['schedule restart', 'auto restart'],
	'New task: restart, every day…': ['restart every night', 'daily restart'],
	'New task: restart, every day at 04:00…': [
		...['restart every day at 4am', 'restart every day at 4', 'auto restart at 4am']
	],
	'Restart once, at 04:00…': ['restart at 4am', 'schedule a restart at 4am', 'restart once at 4am'],
	'Restart once, tonight at 04:00…': ['restart tonight at 4am'],
	'Restart once, tonight at 23:00…': ['restart tonight at 23:00', 'reboot tonight at 11'],
	'Restart once, tomorrow at 04:00…': [
		...['restart tomorrow at 4:00', 'restart the server at 4am tomorrow']
	],
	'Restart once, tomorrow at 05:00…': [
		...['restart tomorrow at 5', 'restart once tomorrow at 5', 'restart tomorrow morning at 5'],
		'restart just once, tomorrow at 5'
	],
	'Restart once, tomorrow at 20:00…': ['restart the server tomorrow evening at 8'],
	'Restart once, tomorrow…': ['restart the server tomorrow', 'schedule a restart for tomorrow'],
	'Stop once, at 00:00…': ['stop the server at midnight'],
	'Stop once, tonight at 00:00…': ['stop tonight at 12', 'stop tonight at 12am'],
	'Stop once, tonight…': ['stop server tonight'],
	'Stop once, today at 23:00…': ['stop server today at 23:00'],
	'Stop once, tonight at 23:00…': [
		...['stop the server tonight at 23:00', 'shut down the server tonight at 11']
	],
	'Back up once, on Sunday at 03:00…': ['backup on sunday at 3am', 'back up next sunday at 3'],
	'Back up once, on Saturday at 06:00…': ['back up on Saturday at 6'],
	'Back up once, on Saturday…': ['back up on saturday'],
	'New task: start, every day at 08:00…': ['start the server every morning at 8'],
	'New task: announce “hello”, every hour…': ['announce hello every hour'],
	'Upgrade Minecraft to 1.21.8…': [
		...['upgrade to 1.21.8', 'update to 1.21.8', 'upgrade the server to 1.21.8'],
		...['update minecraft to 1.21.8', 'uprgade to 1.21.8']
	],
	'Whitelist Steve…': [
		...['allow Steve to join', 'whitelist Steve', 'let Steve in', 'let Steve join'],
		...['add Steve to the whitelist', 'how do I whitelist Steve']
	],
	'Pardon Steve…': ['unban Steve', 'pardon Steve', 'can you unban Steve please'],
	'Op Steve…': ['op Steve', 'make Steve an operator', 'make Steve admin'],
	'Players: Everyone': ['who joined today', 'who joined'],
	Notifications: [
		...['notifications', 'discord', 'set up discord webhook', 'email me when it crashes'],
		...['turn off notifications', 'notifcations']
	],
	'Passwords and accounts': [
		'change my password',
		'add an admin',
		'invite an admin',
		'reset password',
		'new user'
	],
	'Java, game and loader': ['java', 'update java', 'update fabric', 'java version', 'update forge'],
	'Public page': [
		'ip',
		'server ip',
		'how do i join',
		'what is the server address',
		'invite friends'
	],
	'Type a command of the game…': ['run a command', 'gamemode', 'seed', 'difficulty'],
	'Console: time set day': ['/time set day', 'time set day', '/ time set day'],
	'Console: gamerule keepInventory true': [
		...['gamerule keepInventory true', '/gamerule keepInventory true']
	],
	'Console: ban steve': ['/ban steve'],
	'Console: weather clear': ['weather clear'],
	'Console: give steve diamond 3': ['give steve diamond 3'],
	'Console: kill @e[type=item]': ['kill @e[type=item]'],
	'Log out': ['log out', 'sign me out', 'logout', 'log off'],
	'Show the keyboard shortcuts': ['help', 'shortcuts', 'keyboard shortcuts']
};

test.each(ROLES.flatMap((role) => STATES.map((state) => [role, state] as const)))(
	'what owners type finds first what they mean: %s, %s, with many mods and players',
	(role, state) => {
		const search = searchAs(role, state);
		const meant = Object.entries(SAID).flatMap(([label, all]) =>
			all.map((typed) => [typed, label] as const)
		);
		expect(meant.length).toBeGreaterThan(250);
		expect(meant.map(([typed]) => `${typed} → ${search(typed)[0]?.label}`)).toEqual(
			meant.map(([typed, label]) => `${typed} → ${label}`)
		);
	}
);

test('what cannot be done now, or by somebody else, is found all the same and says why', () => {
	const [running, stopped] = STATES.map((state) => searchAs('admin', state));
	expect(stopped!('stop server in 5 minutes')[0]?.blocked).toBe('The server is not running.');
	expect(running!('turn on the server')[0]?.blocked).toBe('The server is running.');
	expect(stopped!('say hello')[0]?.blocked).toBe('The server is not running.');
	expect(running!('say hello')[0]?.blocked).toBeNull();
	for (const typed of ['restore yesterday', '/time set day', 'kill', 'op someone', 'settings'])
		expect(running!(typed)[0]?.blocked).toBe('Only a superadmin may do this.');
});

test('what some words only are about, or a slip, selects nothing that is done at once or is risky', () => {
	const search = searchAs('superadmin', 'stopped');
	const first = (typed: string) => {
		const [one] = search(typed);
		return [one?.label, one?.risky ?? false];
	};
	expect(first('start the party')).toEqual(['Start the server', true]);
	expect(first('save the whales')).toEqual(['Back up now', true]);
	expect(first('resart')).toEqual(['Restart the server…', true]);
	expect(first('start the server now')).toEqual(['Start the server', false]);
});

/** Every word of the others counts: where only some are understood, the first that is found is a guess. */
const GUESSED = [
	...['restore a backup from last week', 'upgrade lithium to 0.14', 'players complain about lag']
];
test('what is understood as a whole is selected, what is understood in part is not', () => {
	const search = searchAs('superadmin', 'running');
	const all = Object.values(SAID).flat();
	expect(all.filter((typed) => search(typed)[0]?.unsure)).toEqual(GUESSED);
});

test.each<[typed: string, first: string | null, isSure: boolean]>([
	['delete a player', 'Enable, disable or remove mods', false],
	['restart when empty', 'New trigger: restart when nobody plays any more…', true],
	['let my friend in', 'Whitelist a player…', true],
	['remove op from Steve', 'Deop Steve…', true],
	['deop Steve', 'Deop Steve…', true],
	['message everybody server restarts soon', 'Say “server restarts soon” in the chat…', true],
	['tell the players that dinner is ready', 'Say “dinner is ready” in the chat…', true],
	['can you order me a pizza', null, false],
	['stop in 2 hours', 'Stop the server (in 60 minutes at most)…', false],
	['stop in 1m 30s', 'Stop the server…', true],
	['restart in 10 minutes', 'Restart the server…', true],
	['restart in 20 minutes', 'Restart the server…', true],
	['restart in half an hour', 'Restart the server…', true],
	['restart in ten minutes', 'Restart the server…', true],
	['shut down in an hour', 'Stop the server…', true],
	['kick Mossfeather and ban him', 'Kick Mossfeather…', false],
	['do not restart', 'Cancel what is in progress', true],
	['i dont want to stop the server', 'Cancel what is in progress', true],
	['dont back up', 'Back up now', false],
	['make my friend admin', 'Op a player…', true],
	['disable the schedule', 'Schedule', true],
	['remove all mods', 'Enable, disable or remove mods', true],
	['remove mod menu', 'Remove Mod Menu…', true],
	['who banned Mossfeather', 'Ban Mossfeather…', false],
	['undo the ban of Mossfeather', 'Pardon Mossfeather…', true],
	['tell Mossfeather to stop', 'Say “Mossfeather to stop” in the chat…', false],
	['which mod crashed', 'Crash reports', true],
	['what mod made it crash', 'Crash reports', false],
	['why did it crash', 'Crash reports', true],
	['give me a diamond', 'Type a command of the game…', false],
	['give me op', 'Op a player…', true],
	['give the server more ram', 'More memory for the game', true]
])('%s: %s, selected: %s', (typed, label, isSure) => {
	const search = searchAs('superadmin', 'running');
	const [first = null] = search(typed);
	expect([first?.label ?? null, !!first && !first.unsure]).toEqual([label, isSure]);
});

test('a guess stands under a heading that says so', () => {
	const titles = (typed: string) =>
		sections(commandsFor(false), things, typed, []).map(({ title }) => title);
	expect(titles('delete a player')).toEqual(['Perhaps one of these']);
	expect(titles('delete a mod')).toEqual(['Found']);
});

test.each([
	['stop server in 5 minutes', 300],
	['restart in 30s', 30],
	['restart in 1m 30s', 90],
	['shut down in an hour', 3600],
	['restart in half an hour', 1800],
	['restart in ten minutes', 600],
	['restart in 2 hours', 7200],
	['upgrade to 1.21.8', null]
])('%s: the span is passed on', (typed, seconds) => expect(spanIn(typed)).toBe(seconds));

test('what follows the name of somebody who is kicked or banned is the reason', () => {
	const search = searchAs('superadmin', 'running');
	for (const [typed, verb, reason] of [
		['kick Mossfeather for griefing', 'kick', 'griefing'],
		['ban mossfeather because he stole', 'ban', 'he stole'],
		['ban Mossfeather', 'ban', null]
	] as const) {
		const [first] = search(typed);
		expect(first).toMatchObject({ asked: true });
		const { searchParams } = new URL(String(first!.to), 'http://localhost');
		expect([searchParams.get('do'), searchParams.get('reason')]).toEqual([verb, reason]);
	}
});

test.each<[typed: string, label: string, reason: string | null, isSure: boolean]>([
	['ban Mossfeather for 3 days', 'Ban Mossfeather (bans last until pardoned)…', null, false],
	['ban Mossfeather 3d', 'Ban Mossfeather (bans last until pardoned)…', null, false],
	['ban mossfeather until tomorrow', 'Ban Mossfeather (bans last until pardoned)…', null, false],
	['ban for a week Mossfeather', 'Ban Mossfeather (bans last until pardoned)…', null, false],
	[
		'tempban Mossfeather 1h griefing',
		'Ban Mossfeather (bans last until pardoned)…',
		'griefing',
		false
	],
	['ban Steve for 3 days', 'Ban Steve (bans last until pardoned)…', null, false],
	['kick Mossfeather for 5 minutes', 'Kick Mossfeather (can come back at once)…', null, false],
	['ban Mossfeather forever', 'Ban Mossfeather…', null, true],
	['ban Mossfeather for lag 2 days ago', 'Ban Mossfeather…', 'lag 2 days ago', true]
])('how long is no reason: %s', (typed, label, reason, isSure) => {
	const all = searchAs('superadmin', 'running')(typed);
	const { searchParams } = new URL(String(all[0]?.to), 'http://localhost');
	expect([all[0]?.label, searchParams.get('reason'), !all[0]?.unsure]).toEqual([
		...[label, reason, isSure]
	]);
	if (!isSure) expect(all.filter((one) => one.label.startsWith('Console:'))).toEqual([]);
});

test.each<[typed: string, label: string, reason: string | null, isSure: boolean]>([
	['ban Griefer99 for griefing', 'Ban Griefer99…', 'griefing', true],
	['please ban Griefer99 because he stole it', 'Ban Griefer99…', 'he stole it', true],
	['ban Griefer99 for 3 days for spam', 'Ban Griefer99 (bans last until pardoned)…', 'spam', false],
	['ban for a week Griefer99', 'Ban Griefer99 (bans last until pardoned)…', null, false],
	['kick Griefer99 for spam', 'Kick Griefer99…', 'spam', true],
	['kick Griefer99 from the server for spam', 'Kick Griefer99…', 'spam', true],
	['kick Griefer99', 'Kick Griefer99…', null, true],
	// Those forms take no reason.
	['unban Griefer99 because he apologised', 'Pardon Griefer99…', null, true],
	['op Griefer99 for 3 days', 'Op Griefer99…', null, false],
	['whitelist Griefer99 for the event', 'Whitelist Griefer99…', null, true],
	['whitelist Griefer99 for a week', 'Whitelist Griefer99…', null, false],
	['ban someone for griefing', 'Ban a player…', null, false],
	['kick everyone for lag', 'Kick a player…', null, false]
])('somebody whom no list knows keeps name and reason: %s', (typed, label, reason, isSure) => {
	const [first] = searchAs('superadmin', 'running')(typed);
	const { searchParams } = new URL(String(first?.to), 'http://localhost');
	expect([first?.label, searchParams.get('reason'), !first?.unsure]).toEqual([
		...[label, reason, isSure]
	]);
});

test.each<[typed: string, first: string, reason: string | null]>([
	['remove Mossfeather from the whitelist', 'Mossfeather: remove from the whitelist', null],
	['take Mossfeather off the whitelist', 'Mossfeather: remove from the whitelist', null],
	['remove Mossfeather from ops', 'Deop Mossfeather…', null],
	['remove Mossfeather from the bans', 'Pardon Mossfeather…', null],
	['remove Mossfeather from the server', 'Kick Mossfeather…', null],
	['kick Mossfeather from the server', 'Kick Mossfeather…', null],
	['kick Mossfeather off', 'Kick Mossfeather…', null],
	['kick Mossfeather from the server for spam', 'Kick Mossfeather…', 'spam']
])('whom to remove from a list is not kicked: %s', (typed, label, reason) => {
	const [first] = searchAs('superadmin', 'running')(typed);
	const { searchParams } = new URL(String(first!.to), 'http://localhost');
	expect([first!.label, searchParams.get('reason')]).toEqual([label, reason]);
});

const running = (facts: Partial<OperationRow>) =>
	({
		id: '1',
		kind: 'restart',
		subject: null,
		state: 'running',
		cancellable: true,
		...facts
	}) as OperationRow;
const counting = running({ countsDown: true });
const backup = running({ id: '2', kind: 'backup' });
test.each<[typed: string, operations: OperationRow[], first: string, isSure: boolean]>([
	['cancel', [counting], 'Cancel “Restart server”', true],
	['cancel the restart', [counting], 'Cancel “Restart server”', true],
	['abort', [counting], 'Cancel “Restart server”', true],
	['stop the countdown', [counting], 'Cancel “Restart server”', true],
	['stop the restart', [counting], 'Cancel “Restart server”', true],
	['cancel the backup', [counting, backup], 'Cancel “Back up”', true],
	['stop the backup', [backup], 'Cancel “Back up”', true],
	['cancel', [running({ kind: 'update', subject: 'Lithium' })], 'Cancel “Update Lithium”', true],
	[
		'cancel the restart',
		[running({ kind: 'update', subject: 'Lithium', countsDown: true })],
		'Cancel “Update Lithium”',
		true
	],
	['cancel the restart', [backup], 'Cancel what is in progress', true],
	['cancel', [], 'Cancel what is in progress', true],
	['cancel the countdown', [running({ cancellable: false })], 'Cancel what is in progress', true],
	['stop', [backup], 'Stop the server…', true]
])('%s finds what it cancels', (typed, operations, label, isSure) => {
	const [first] = searchAs('admin', 'running', operations)(typed);
	expect([first?.label, !first?.unsure && !first?.risky]).toEqual([label, isSure]);
	const isLate = operations.some(({ cancellable }) => !cancellable);
	const why = isLate ? 'It cannot be cancelled now.' : 'Nothing like that is in progress.';
	expect(first?.blocked ?? null).toBe(label === 'Cancel what is in progress' ? why : null);
});

test.each([[[]], [[counting]], [[backup]]])(
	'whoever stops the server is not told what cannot be cancelled',
	(operations) => {
		const search = searchAs('admin', 'running', operations);
		for (const typed of ['stop', 'stop the server', 'shut down', 'stop when nobody is on'])
			expect(search(typed).filter(({ id }) => id === 'cancel')).toEqual([]);
	}
);

test('one person has one row, whichever list knows their id, and however the name is written', () => {
	const steve = someone('Steve', 7);
	const online = [{ name: 'Steve', uuid: null as unknown as string, since: '' }];
	const rows = sections(
		commandsFor(false),
		players({ online, known: [steve] }, true),
		'ban steve',
		[]
	);
	const bans = rows[0]!.entries.filter(({ label }) => /^Ban steve/i.test(label));
	expect(bans.map(({ label }) => label)).toEqual(['Ban Steve…']);
});

test('a sentence leads where all it says stands in the form', () => {
	const search = searchAs('superadmin', 'stopped');
	const task = '/admin/schedule?type=';
	expect(
		[
			...[
				'backup every night at 3',
				'stop the server tonight at 23:00',
				'announce hello every hour'
			],
			...['restart every 30 minutes', 'upgrade to 1.21.4', 'allow Steve to join', 'unban Steve'],
			'stop server in 5 minutes'
		].map((typed) => search(typed)[0]?.to)
	).toEqual([
		`${task}backup&preset=daily&time=03%3A00#new`,
		`${task}stop&preset=once&time=23%3A00&day=today#new`,
		`${task}say&preset=hours&hours=1&message=hello#new`,
		`${task}restart&preset=cron&cron=*%2F30+*+*+*+*#new`,
		'/admin/server/upgrade?version=1.21.4',
		'/admin/players?tab=whitelist&name=Steve',
		'/admin/players/confirm?do=pardon&player=Steve&tab=everyone',
		'/admin/confirm?do=stop&in=300'
	]);
	expect(
		[
			...['stop the server when nobody is on', 'stop when empty for 30 minutes'],
			...['restart every night when nobody is on', 'back up every night when nobody plays']
		].map((typed) => [search(typed)[0]?.to, !search(typed)[0]?.unsure])
	).toEqual([
		['/admin/schedule/trigger?event=empty&type=stop', true],
		['/admin/schedule/trigger?event=empty&minutes=30&type=stop', true],
		[`${task}restart&preset=daily&whenEmpty=wait#new`, true],
		[`${task}backup&preset=daily#new`, false]
	]);
	expect(
		[
			...['restart tomorrow at 5', 'back up on Saturday at 6', 'stop server today at 23:00'],
			...['restart tonight at 4', 'stop at midnight', 'restart tomorrow']
		].map((typed) => search(typed)[0]?.to)
	).toEqual([
		`${task}restart&preset=once&time=05%3A00&day=tomorrow#new`,
		`${task}backup&preset=once&time=06%3A00&day=6#new`,
		`${task}stop&preset=once&time=23%3A00&day=today#new`,
		// The next time that it is that late: today or tomorrow.
		`${task}restart&preset=once&time=04%3A00#new`,
		`${task}stop&preset=once&time=00%3A00#new`,
		`${task}restart&preset=once&day=tomorrow#new`
	]);
	// A task can be planned while the server is stopped.
	expect(search('stop the server tonight at 23:00')[0]?.blocked).toBeNull();
});

test.each(STATES)(
	'below what is done at once a task is offered that does it later: %s',
	(state) => {
		const search = searchAs('admin', state);
		for (const [label, now, typed] of [
			...['restart', 'reboot', 'restart the server'].map((one) => ['restart', 'Restart', one]),
			...['backup', 'back up'].map((one) => ['back up', 'Back up now', one])
		] as [string, string, string][]) {
			const all = search(typed);
			expect([typed, all[0]?.label]).toEqual([typed, expect.stringContaining(now)]);
			const tasks = all.filter((one) => one.label === `New task: ${label}…`);
			expect([typed, ...tasks.map(({ blocked }) => blocked ?? null)]).toEqual([typed, null]);
		}
		// Where it is said when, one line is enough, and without a search as well.
		const labels = search('schedule restart').map(({ label }) => label);
		expect(labels.filter((one) => one === 'New task: restart…')).toHaveLength(1);
		expect(search('').map(({ id }) => id)).not.toContain('task-restart');
	}
);

test.each(STATES)(
	'with a time nothing is done at once, even if not all is understood: %s',
	(state) => {
		const search = searchAs('superadmin', state);
		for (const [typed, label] of Object.entries({
			'restart the damn server tomorrow at 5': 'Restart once, tomorrow at 05:00…',
			'please resatrt the damn server tomorrow at 5': 'Restart once, tomorrow at 05:00…',
			'restart on 24 december at 5': 'Restart once, at 05:00…',
			'restart at 5 and back up': 'Restart once, at 05:00…',
			'start the party tomorrow at 5': 'Start once, tomorrow at 05:00…'
		})) {
			const all = search(typed);
			expect([typed, all[0]?.label, all[0]?.unsure, all[0]?.blocked]).toEqual([
				...[typed, label, true, null]
			]);
			expect(all.filter(({ to }) => /do=restart/.test(String(to)))).toEqual([]);
			expect(all.filter(({ to }) => typeof to === 'function')).toEqual([]);
			expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
		}
		const first = (typed: string) => [search(typed)[0]?.label, !search(typed)[0]?.unsure];
		expect(first('do not restart at 4am')).toEqual(['Cancel what is in progress', false]);
		// The game is upgraded by no task.
		expect(first('upgrade to 1.21.8 tomorrow')).toEqual(['Upgrade Minecraft to 1.21.8…', false]);
		// It is there already.
		expect(first('restore the backup of sunday')).toEqual(['Restore a backup…', false]);
	}
);

test('only what the game would take is offered for the console', () => {
	const search = searchAs('superadmin', 'running');
	const typed = (text: string) => search(text).filter(({ label }) => label.startsWith('Console:'));
	expect(typed('whitelist Steve')).toEqual([]);
	expect(typed('whitelist add Steve').map(({ label }) => label)).toEqual([
		'Console: whitelist add Steve'
	]);
});

/** What comes first for a superadmin whose server runs; `?` where it is a guess, which Enter does not take. */
const ASKED: Record<string, string | null> = {
	'restart in 10 minutes': 'Restart the server…',
	'restart in 20 minutes': 'Restart the server…',
	'restart in half an hour': 'Restart the server…',
	'restart in 2 hours': 'Restart the server (in 60 minutes at most)… ?',
	'stop the server': 'Stop the server…',
	'stop the server when nobody is on': 'New trigger: stop when nobody plays any more…',
	'shut down when the last player leaves': 'New trigger: stop when nobody plays any more…',
	'stop if no one is online for 30 minutes':
		'New trigger: stop when nobody has played for 30 minutes…',
	'restart when the server is empty': 'New trigger: restart when nobody plays any more…',
	'restart every night when nobody is on': 'New task: restart, every day when nobody plays…',
	'back up at 4am when nobody is on': 'Back up once, at 04:00 (even if somebody plays)… ?',
	'restart tonight at 4 when nobody is on': 'Restart once, tonight at 04:00 when nobody plays…',
	'schedule a restart for tonight': 'Restart once, tonight…',
	'restart once a day at 4': 'New task: restart, every day at 04:00…',
	'restart every sunday evening at 8': 'New task: restart, every Sunday at 20:00…',
	'restart in 3 days at 5': 'Restart once, at 05:00 (choose the day)… ?',
	'restart next week': 'Restart once (choose the day)… ?',
	'say hello when nobody is on': 'Say “hello when nobody is on” in the chat…',
	'back up now and restart': 'Back up now ?',
	'restart and back up': 'Restart the server… ?',
	'undo the last update': 'Put old mods back…',
	'why did it crash': 'Crash reports',
	'why is it crashing': 'Crash reports',
	'turn on whitelist': 'Turn the whitelist on or off',
	'turn off the whitelist': 'Turn the whitelist on or off',
	'give me op': 'Op a player…',
	'make me admin': 'Op a player…',
	'who is op': 'Players: Ops',
	'who has op': 'Players: Ops',
	'who are the admins': 'Players: Ops',
	'who is banned': 'Players: Bans',
	'how many people are on': 'Players: Online',
	'take op away from Mossfeather': 'Deop Mossfeather…',
	'tell everyone to log off': 'Say “log off” in the chat…',
	'notify me on discord': 'Notifications',
	'how much ram is used': 'How much memory it uses',
	'when was the last backup': 'Backups',
	'get the ip': 'Public page',
	// The console does it.
	'heal me': 'Type a command of the game…',
	'god mode': 'Type a command of the game…',
	'set spawn': 'Type a command of the game…',
	'make it day': 'Type a command of the game…',
	'make it night': 'Type a command of the game…',
	'clear my inventory': 'Type a command of the game…',
	'kill all mobs': 'Type a command of the game…',
	'kill everyone': 'Type a command of the game…',
	'kill the dragon': 'Type a command of the game…',
	'summon a zombie': 'Type a command of the game… ?',
	// Not done here: it says where.
	'allow cracked players': 'Settings of the game',
	'let cracked accounts join': 'Settings of the game',
	'offline mode': 'Settings of the game',
	'change max players': 'Settings of the game',
	'increase the player limit': 'Settings of the game',
	'delete the nether': 'Another world',
	// Nothing of that.
	'mute a player': null,
	'pregenerate chunks': null
};
test('what owners ask for leads to what does it, to where it is done, or nowhere', () => {
	const search = searchAs('superadmin', 'running');
	const first = (typed: string) => {
		const [one] = search(typed);
		return one ? `${one.label}${one.unsure ? ' ?' : ''}` : null;
	};
	expect(Object.fromEntries(Object.keys(ASKED).map((typed) => [typed, first(typed)]))).toEqual(
		ASKED
	);
});

test('the server is killed for nobody who speaks of something else', () => {
	for (const role of ROLES) {
		const search = searchAs(role, 'running');
		const kills = (typed: string) => search(typed).some(({ id }) => id === 'kill');
		for (const typed of ['kill all mobs', 'kill everyone', 'kill Mossfeather', 'kill the dragon'])
			expect([typed, kills(typed)]).toEqual([typed, false]);
		for (const typed of ['kill', 'kill s', 'kill the frozen server!', 'how do i kill it'])
			expect([typed, kills(typed)]).toEqual([typed, true]);
	}
});
