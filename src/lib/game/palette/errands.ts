import Activity from '@lucide/svelte/icons/activity';
import Ban from '@lucide/svelte/icons/ban';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import HardDrive from '@lucide/svelte/icons/hard-drive';
import FileWarning from '@lucide/svelte/icons/file-warning';
import History from '@lucide/svelte/icons/history';
import KeyRound from '@lucide/svelte/icons/key-round';
import MessageSquare from '@lucide/svelte/icons/message-square';
import Package from '@lucide/svelte/icons/package';
import FilePen from '@lucide/svelte/icons/file-pen';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import SquareTerminal from '@lucide/svelte/icons/square-terminal';
import Upload from '@lucide/svelte/icons/upload';
import Users from '@lucide/svelte/icons/users';
import type { Role } from '$lib/schemas/common';
import { nameIn, reasonIn, reserved, withNote, type Entry } from './entries';
import { gameCommand, isForConsole, isOtherKill } from './game-commands';
import { atTimes, lasting, newTask, whenIn, type Said } from './said';
import { COMMAND, MESSAGE, NO_END, playerQuestion } from './things';

type Errand = Pick<
	Entry,
	'id' | 'label' | 'kind' | 'icon' | 'words' | 'field' | 'fill' | 'risky' | 'onlyAsked' | 'isElse'
> & {
	to: string;
	superadmin?: true;
	/** It can be done without a server in the folder. */
	always?: true;
	/** Only a running server does it. */
	running?: true;
	/** Somebody has to be online for it. */
	playing?: true;
};

const NAME = 'main form input[name="player"]:not([type="hidden"])';
const tab = (name: string) => `/admin/players?tab=${name}`;
const players = { kind: 'Players', icon: Users };
const mods = { kind: 'Mods', icon: Package };
const analytics = { kind: 'Analytics', icon: Activity };

/** Somebody whom no list knows; those that are known are found by their names. */
const asks = (verb: 'ban' | 'kick' | 'pardon' | 'op' | 'deop') => (said: Said) => {
	const name = nameIn(said);
	if (name === null) return null;
	const { label, to, ...question } = playerQuestion(verb, name);
	const takesReason = verb === 'ban' || verb === 'kick';
	const reason = takesReason && reasonIn(said.typed);
	const { ends } = lasting(said.typed.replace(name, ''));
	return {
		label: takesReason && ends ? withNote(label, NO_END[verb]) : label,
		to: reason ? `${to}&reason=${encodeURIComponent(reason)}` : to,
		...{ ...question, by: 'name' as const },
		// Nobody can be thrown out who is on no list.
		...(verb === 'kick' && { yields: true as const }),
		...(ends && { unsure: true as const })
	};
};
const welcomes = (said: Said) => {
	const name = nameIn(said);
	if (name === null) return null;
	const to = `${tab('whitelist')}&name=${name}`;
	const { ends } = lasting(said.typed);
	return {
		label: `Whitelist ${name}…`,
		...{ to, field: NAME, by: 'name' as const },
		...(ends && { unsure: true as const })
	};
};
/** "Tell everyone that …": whom a message is for is no part of it; "server restarts soon" says something of the server. */
const AUDIENCE =
	/^(?:(?:to |in )?(?:everyone|everybody|(?:all )?(?:the )?(?:players|people)|all|(?:the|to|in) (?:the )?(?:server|chat))\b[:,]? *)(?:that |to )?/i;
const says = ({ text: typed, when }: Said) => {
	const text = typed?.replace(AUDIENCE, '');
	if (!text || /^me\b/i.test(text)) return null;
	if (when)
		return when.repeats && !when.empty ? newTask('say', `announce “${text}”`, when, text) : null;
	return {
		label: `Say “${text}” in the chat…`,
		to: `/admin/chat?${new URLSearchParams({ text })}`,
		...{ field: MESSAGE, by: 'text' as const }
	};
};
const installs = ({ text: q, rest, when }: Said) =>
	q === null || when || rest?.length === 0
		? null
		: {
				label: `Search mods for “${q}”`,
				to: `/admin/mods?${new URLSearchParams({ tab: 'find', q })}`,
				by: 'text' as const
			};
const upgrades = ({ version, rest, when }: Said) =>
	version === null || when || rest?.length !== 0
		? null
		: {
				label: `Upgrade Minecraft to ${version}…`,
				to: `/admin/server/upgrade?version=${version}`,
				by: 'all' as const
			};
const ANY_COMMAND = { label: 'Type a command of the game…', to: '/admin/console', field: COMMAND };
/** Filled in, to be sent or not. */
const types = ({ typed, rest, when }: Said) => {
	if (when) return null;
	if (typed === '/') return { ...ANY_COMMAND, by: 'text' as const };
	const asked = gameCommand(typed);
	// Whoever is killed, it is not the server.
	if (!asked && /^kill /i.test(typed) && isOtherKill(typed))
		return { ...ANY_COMMAND, by: 'text' as const };
	const isSentence = !asked && rest?.length !== 0 && isForConsole(typed);
	if (isSentence) return { ...ANY_COMMAND, by: 'last' as const, unsure: true as const };
	if (!asked) return null;
	const { command, isOurs } = asked;
	// The game would take how long for the reason.
	if (/^(?:ban|kick)\b/.test(command) && isOurs && lasting(command).ends) return null;
	return {
		label: `Console: ${command}`,
		to: `/admin/console?${new URLSearchParams({ command })}`,
		field: COMMAND,
		by: isOurs ? ('last' as const) : ('text' as const)
	};
};

/** What people come to do and need a form for, by the words they use for it. */
/** Beside what does it at once; where it is said when, that is filled in there. */
const laterTask = (type: 'restart' | 'backup', what: string): Errand => ({
	...{ id: `task-${type}`, label: `New task: ${what}…`, kind: 'Server', icon: CalendarClock },
	...{ words: [`${what} later`], onlyAsked: true, isElse: (text) => whenIn(text) !== null },
	to: `/admin/schedule?type=${type}#new`,
	...{ field: 'main select[name="type"]', always: true }
});

const ERRANDS: Errand[] = [
	{
		...{
			id: 'ban',
			label: 'Ban a player…',
			kind: 'Players',
			icon: Ban,
			words: ['ban', 'block', 'ban griefer', 'ban cheater']
		},
		...{ to: tab('bans'), field: NAME, fill: asks('ban') }
	},
	{
		...{
			id: 'kick',
			label: 'Kick a player…',
			...players,
			words: ['kick', 'throw out', 'kick a player', 'disconnect']
		},
		...{ to: tab('online'), field: 'main input[name="q"]', playing: true, fill: asks('kick') }
	},
	{
		...{
			id: 'op',
			label: 'Op a player…',
			...players,
			words: [
				'op',
				'operator',
				'make op',
				'give op',
				'make operator',
				'make admin',
				'make friend admin'
			]
		},
		...{
			to: tab('ops'),
			field: NAME,
			superadmin: true,
			fill: asks('op')
		}
	},
	{
		...{
			id: 'deop',
			label: 'Deop a player…',
			...players,
			words: ['deop', 'remove op', 'take op', 'remove operator', 'remove admin', 'demote']
		},
		...{ to: tab('ops'), field: 'main input[name="q"]', superadmin: true, fill: asks('deop') }
	},
	{
		...{ id: 'whitelist', label: 'Whitelist a player…', ...players },
		words: [
			...['whitelist', 'allow', 'add to whitelist', 'add player', 'let in', 'allow to join'],
			...['add friend', 'let join', 'let friend in', 'allow player to join']
		],
		...{ to: tab('whitelist'), field: NAME, fill: welcomes }
	},
	{
		...{ id: 'whitelist-switch', label: 'Turn the whitelist on or off', ...players },
		words: [
			...['whitelist on', 'whitelist off', 'turn on whitelist', 'turn off whitelist'],
			...['turn whitelist on', 'turn whitelist off', 'enable whitelist', 'disable whitelist'],
			...['private server', 'make the server private', 'whitelist mode']
		],
		to: tab('whitelist')
	},
	{
		...{
			id: 'unban',
			label: 'Pardon a player…',
			...players,
			words: ['pardon', 'unban', 'lift ban', 'remove ban']
		},
		...{ to: tab('bans'), field: 'main input[name="q"]', fill: asks('pardon') }
	},
	{
		...{
			id: 'update-mods',
			label: 'Update mods…',
			...mods,
			words: ['update mods', 'upgrade mods', 'newer mods', 'update', 'outdated mods', 'old mods']
		},
		...{ to: '/admin/mods?show=updates&pick=updates', fill: atTimes('update-mods', 'update mods') }
	},
	{
		...{ id: 'change-mods', label: 'Enable, disable or remove mods', ...mods },
		words: [
			...[
				'turn off mod',
				'turn on mod',
				'turn mod off',
				'turn mod on',
				'disable mod',
				'enable mod'
			],
			...['remove mod', 'delete mod', 'uninstall mod', 'uninstall']
		],
		...{ to: '/admin/mods', field: 'main input[name="q"]' }
	},
	{
		...{ id: 'mod-problems', label: 'Mods with problems', ...mods },
		words: [
			'mod problems',
			'incompatible',
			'incompatible mods',
			'mod conflicts',
			'conflict',
			'conflicts',
			'missing mod',
			'dependencies',
			'broken mod'
		],
		to: '/admin/mods?show=problems'
	},
	{
		...{ id: 'search-mods', label: 'Search mods to install…', ...mods },
		words: [
			'find mods',
			'find new mods',
			'install',
			'install mod',
			'add mod',
			'new mod',
			'install mods',
			'add mods',
			'modrinth',
			'search for',
			'search mods'
		],
		...{ to: '/admin/mods?tab=find', field: 'main input[name="q"]', fill: installs }
	},
	{
		...{ id: 'upload-mod', label: 'Upload a mod…', kind: 'Mods', icon: Upload },
		words: ['upload', 'jar', 'file', 'upload jar', 'upload own mod', 'install mod from a file'],
		...{ to: '/admin/mods?tab=upload', field: 'main input[name="jar"]', superadmin: true }
	},
	{
		...{ id: 'restore', label: 'Restore a backup…', kind: 'Server', icon: History },
		words: [
			...['restore', 'snapshot', 'restore the world', 'undo griefing'],
			...[
				'restore yesterday',
				'restore the world of yesterday',
				'go back to yesterday',
				'get back the world',
				'recover',
				'recover world',
				'undelete',
				'undo restore'
			],
			...['load backup', 'restore backup', 'roll back the world', 'rollback world', 'go back']
		],
		...{ to: '/admin/backups', superadmin: true, always: true, risky: true }
	},
	{
		...{ id: 'put-back', label: 'Put old mods back…', kind: 'Mods', icon: History },
		words: [
			...[
				'undo the last update',
				'undo update',
				'undo',
				'roll back',
				'rollback',
				'revert',
				'roll back mods',
				'rollback mods',
				'snapshots'
			],
			...['downgrade mods', 'downgrade', 'revert update', 'revert mods', 'undo mods'],
			'go back'
		],
		...{ to: '/admin/backups?tab=snapshots', superadmin: true, always: true }
	},
	{
		...{ id: 'software', label: 'Java, game and loader', kind: 'Server', icon: HardDrive },
		words: [
			...['java', 'jdk', 'java version', 'loader', 'fabric', 'forge', 'neoforge', 'quilt', 'paper'],
			...[
				'version',
				'newer fabric',
				'update fabric',
				'update forge',
				'newer loader',
				'update loader'
			],
			...['update java', 'newer java', 'reinstall', 'install fabric', 'install forge'],
			...['install neoforge', 'install paper', 'install quilt', 'install java']
		],
		...{ to: '/admin/server', always: true }
	},
	{
		...{ id: 'pack', label: 'Modpack for players', ...mods },
		words: [
			...[
				'modpack',
				'download pack',
				'download modpack',
				'mrpack',
				'pack',
				'client mods',
				'mods for players'
			],
			...['share mods', 'send mod pack']
		],
		...{ to: '/admin/mods?tab=modpack', always: true }
	},
	{
		...{ id: 'upgrade', label: 'Upgrade Minecraft…', kind: 'Server', icon: HardDrive },
		words: [
			...[
				'upgrade',
				'game version',
				'minecraft version',
				'newer game',
				'newer minecraft',
				'new version'
			],
			...['upgrade to 1.21', 'update to 1.21', 'upgrade minecraft to 1.21', 'change version'],
			...[
				'upgrade minecraft',
				'upgrade minecraft version',
				'latest minecraft version',
				'new minecraft version'
			],
			...['update minecraft', 'update the game', 'update the server', 'upgrade the server']
		],
		...{ to: '/admin/server/upgrade', fill: upgrades }
	},
	{
		...{ id: 'task', label: 'New scheduled task…', kind: 'Server', icon: CalendarClock },
		words: [
			'cron',
			'nightly',
			'every night',
			'every day',
			'new task',
			'add task',
			'schedule a task'
		],
		...{ to: '/admin/schedule', field: 'main select[name="type"]', always: true }
	},
	laterTask('restart', 'restart'),
	laterTask('backup', 'back up'),
	{
		...{ id: 'trigger', label: 'New trigger…', kind: 'Server', icon: CalendarClock },
		words: [
			'restart on crash',
			'restart after crash',
			'trigger on crash',
			'trigger on join',
			'new trigger'
		],
		...{ to: '/admin/schedule/trigger', always: true }
	},
	{
		...{ id: 'search-logs', label: 'Search the log…', kind: 'Server', icon: ScrollText },
		words: ['find in the log', 'search logs', 'log'],
		...{ to: '/admin/logs', field: 'main input[name="q"]', always: true }
	},
	{
		...{ id: 'log-errors', label: 'Errors in the log', kind: 'Logs', icon: ScrollText },
		words: ['error', 'errors', 'error log', 'exception', 'exceptions', 'stack trace'],
		...{ to: '/admin/logs?level=ERROR', always: true }
	},
	{
		...{ id: 'log-files', label: 'Logs of earlier days', kind: 'Logs', icon: ScrollText },
		words: [
			...['logs of yesterday', 'yesterday', 'old logs', 'older logs', 'log files', 'download log'],
			'download logs'
		],
		...{ to: '/admin/logs?view=files', always: true }
	},
	{
		...{
			id: 'command',
			label: 'Type a command of the game…',
			kind: 'Server',
			icon: SquareTerminal
		},
		words: [
			...['command', 'run command', 'execute command', 'rcon', 'terminal', 'shell', 'seed'],
			...[
				'world seed',
				'gamemode',
				'creative',
				'survival',
				'spectator',
				'difficulty',
				'teleport',
				'tp'
			],
			...[
				'give',
				'time',
				'weather',
				'stop rain',
				'make it day',
				'make it night',
				'set day',
				'gamerule',
				'keep inventory',
				'spawn',
				'set spawn',
				'heal',
				'feed',
				'fly',
				'god mode',
				'clear inventory',
				'summon',
				'enchant',
				'experience',
				'world border',
				'datapack'
			]
		],
		...{ to: '/admin/console', field: COMMAND, superadmin: true, running: true, fill: types }
	},
	{
		...{ id: 'say', label: 'Say something in the chat…', kind: 'Chat', icon: MessageSquare },
		words: [
			'say',
			'announce',
			'announcement',
			'broadcast',
			'send message',
			'message',
			'tell',
			'write',
			'message players',
			'tell players'
		],
		...{ to: '/admin/chat', field: MESSAGE, fill: says, running: true }
	},
	{
		...{ id: 'tps', label: 'How fast the server runs', ...analytics },
		words: [
			...[
				'tps',
				'mspt',
				'lag',
				'lags',
				'laggy',
				'lagging',
				'slow',
				'ticks',
				'performance',
				'speed'
			],
			...[
				'server lags',
				'server lag',
				'lag spikes',
				'server slow',
				'tps drop',
				'low tps',
				'freezes'
			],
			...['frozen', 'stuck', 'not responding', 'hangs', 'stutters', 'faster', 'make server faster'],
			...['reduce lag', 'optimise', 'optimize', 'fix lag', 'rubber banding', 'unresponsive']
		],
		...{ to: '/admin/analytics#tps', always: true }
	},
	{
		...{ id: 'ram', label: 'How much memory it uses', ...analytics },
		words: [
			'ram',
			'memory',
			'heap',
			'memory usage',
			'ram usage',
			'out of memory',
			'memory left',
			'ram used',
			'memory used'
		],
		...{ to: '/admin/analytics#ramBytes', always: true }
	},
	{
		...{ id: 'cpu', label: 'How busy the processor is', ...analytics },
		words: ['cpu', 'processor', 'load', 'cpu usage'],
		...{ to: '/admin/analytics#cpuPercent', always: true }
	},
	{
		...{ id: 'crashes', label: 'Crash reports', kind: 'Logs', icon: FileWarning },
		words: [
			'crash report',
			'crashes',
			'crashed',
			'crash log',
			'last crash',
			'crash',
			'keeps crashing',
			'which mod crashed',
			'what mod caused the crash',
			'crashed mod',
			'crash yesterday'
		],
		...{ to: '/admin/logs?view=files&kind=crash', always: true }
	},
	{
		...{ id: 'password', label: 'Passwords and accounts', kind: 'Dashboard', icon: KeyRound },
		words: [
			...['password', 'change password', 'reset password', 'account', 'user', 'users', 'login'],
			...['forgot password', 'my password', 'two factor', '2fa', 'give access', 'permissions'],
			...[
				'add admin',
				'invite admin',
				'new admin',
				'add user',
				'new user',
				'new account',
				'create account',
				'roles'
			]
		],
		...{ to: '/admin/settings#accounts', superadmin: true, always: true }
	}
];

/** What is to be done first, while the folder has no server. */
const SET_UP: Errand = {
	...{ id: 'set-up', label: 'Set up a server here', kind: 'Server', icon: HardDrive },
	words: [
		...['set up', 'setup', 'set up server', 'server setup', 'install', 'install server'],
		...['new server', 'create server', 'add server', 'install minecraft', 'get started']
	],
	...{ to: '/admin/server', superadmin: true, always: true }
};

/** What people look for here and do elsewhere: a line that says where is kinder than none. */
const ELSEWHERE: Pick<Entry, 'id' | 'label' | 'words' | 'blocked'>[] = [
	{
		...{ id: 'properties', label: 'Settings of the game' },
		words: [
			...[
				'server.properties',
				'properties',
				'motd',
				'change motd',
				'message of the day',
				'description',
				'port',
				'pvp'
			],
			...[
				'change port',
				'max players',
				'slots',
				'view distance',
				'render distance',
				'config',
				'set view distance to 12'
			],
			...[
				'simulation distance',
				'spawn protection',
				'online mode',
				...[
					'offline mode',
					'cracked',
					'cracked players',
					'allow cracked players',
					'let cracked players join'
				],
				...[
					'cracked accounts',
					'let cracked accounts join',
					'player limit',
					'increase player limit',
					'more players'
				],
				'rename server',
				'server name',
				'server icon',
				'icon'
			],
			...['hardcore', 'change seed', 'allow flight', 'resource pack', 'command blocks']
		],
		blocked: 'Not here: in server.properties, then restart.'
	},
	{
		...{ id: 'world', label: 'Another world' },
		words: [
			...['new world', 'reset world', 'delete world', 'regenerate world', 'upload world'],
			...['change world', 'wipe world', 'import world', 'nether', 'the end'],
			...['delete nether', 'reset nether', 'reset the end']
		],
		blocked: 'Not here: in the server folder, while it is stopped.'
	},
	{
		...{ id: 'files', label: 'Files of the server' },
		words: [
			'files',
			'file manager',
			'edit file',
			'sftp',
			'ftp',
			'folder',
			'edit config',
			'configs'
		],
		blocked: 'Not here: in the server folder.'
	},
	{
		...{ id: 'more-memory', label: 'More memory for the game' },
		words: [
			'more ram',
			'more memory',
			'allocate ram',
			'allocate more ram',
			'xmx',
			'java arguments'
		],
		blocked: 'Not here: in the start script (-Xmx).'
	}
];
/** Found only by just these words. */
export const elsewhere = ELSEWHERE.map((one): Entry => ({
	...{ ...one, kind: 'Elsewhere', icon: FilePen, onlyAsked: true },
	to: () => {}
}));

/** Only what this person may do; the others say why the rest is not possible now. */
export const errandsFor = (
	role: Role | null,
	noServer: string | null,
	notRunning: string | null = null,
	nobody: string | null = null
): Entry[] =>
	[...(noServer ? [SET_UP] : []), ...ERRANDS]
		.filter(({ superadmin }) => !superadmin || role === 'superadmin')
		.map(({ superadmin: _, always, running, playing, ...errand }) => ({
			...errand,
			blocked:
				(always ? null : noServer) ??
				(running || playing ? notRunning : null) ??
				(playing ? nobody : null)
		}));

/** What only a superadmin may do, for the others. */
export const reservedFor = (role: Role | null): Entry[] =>
	role === 'superadmin'
		? []
		: ERRANDS.filter(({ superadmin }) => superadmin).map(
				({ superadmin: _, always: __, running: ___, playing: ____, ...errand }) => reserved(errand)
			);
