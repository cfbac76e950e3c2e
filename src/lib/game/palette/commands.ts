import Archive from '@lucide/svelte/icons/archive';
import Globe from '@lucide/svelte/icons/globe';
import OctagonAlert from '@lucide/svelte/icons/octagon-alert';
import OctagonX from '@lucide/svelte/icons/octagon-x';
import Play from '@lucide/svelte/icons/play';
import RefreshCw from '@lucide/svelte/icons/refresh-cw';
import RotateCw from '@lucide/svelte/icons/rotate-cw';
import Square from '@lucide/svelte/icons/square';
import type { Role } from '$lib/schemas/common';
import { DELAY_MAX_S } from '$lib/schemas/plain/delay';
import { DELAY_LONGEST, type obstacles } from '../power/power';
import { ICONS } from '../shell/icons';
import { placesFor } from '../shell/places';
import { atTimes, orGuess, type Said } from './said';
import { PAGES, reserved, withNote, type Entry } from './entries';
import { isOtherKill } from './game-commands';

type Situation = {
	isSuperadmin: boolean;
	isCrashed: boolean;
	/** Why each is not possible now; null while that is not known. */
	blocked: ReturnType<typeof obstacles> | null;
	/** Why nothing on the server can be done. */
	noServer: string | null;
	/** Why no backup can be made of it now. */
	noBackup: string | null;
	run: Record<'start' | 'backup' | 'recheck', () => void>;
};

/** After a span of time it is asked about with that; at a time of day a task does it. */
const later = (type: 'stop' | 'restart', label: string) => (said: Said) => {
	const { span, rest } = said;
	const task = orGuess(type, type)(said);
	if (task || span === null || rest?.length !== 0) return task;
	const to = `/admin/confirm?do=${type}&in=${span}`;
	const facts = { to, risky: true as const, by: 'all' as const };
	if (span <= DELAY_MAX_S) return { ...facts, label };
	return { ...facts, label: withNote(label, `in ${DELAY_LONGEST} at most`), unsure: true as const };
};

/** What is done to the server at once, or after its question. */
export function commandsOf(now: Situation): Entry[] {
	const { isSuperadmin, isCrashed, blocked, noServer, noBackup, run } = now;
	const kind = 'Server';
	const kill: Entry = {
		...{ id: 'kill', label: 'Kill the server…', kind, icon: OctagonX, risky: true },
		words: ['kill', 'force stop', 'force quit', 'end the process'],
		...{ blocked: blocked?.kill ?? null, isElse: isOtherKill },
		to: '/admin/confirm?do=kill'
	};
	const why: Entry = {
		...{ id: 'why-crashed', label: 'Why it crashed, and what helps', kind, icon: OctagonAlert },
		words: ['crash', 'crashed', 'why', 'which mod crashed', 'what mod caused the crash'],
		to: '/admin'
	};
	return [
		{
			...{ id: 'start', label: 'Start the server', kind, icon: Play },
			words: ['start', 'boot', 'turn on', 'turn on the server', 'power on', 'launch'],
			blocked: blocked?.start ?? null,
			...{ to: run.start, fill: orGuess('start', 'start') }
		},
		{
			...{ id: 'restart', label: 'Restart the server…', kind, icon: RotateCw, risky: true },
			words: [
				...['restart', 'reboot', 'start again', 'restart now', 'reload', 'turn off and on again'],
				...['announce restart', 'warn of restart', 'restart with a warning', 'restart warning']
			],
			blocked: blocked?.restart ?? null,
			...{ to: '/admin/confirm?do=restart', fill: later('restart', 'Restart the server…') }
		},
		{
			...{ id: 'stop', label: 'Stop the server…', kind, icon: Square, risky: true },
			words: [
				...['stop', 'shut down', 'shutdown', 'turn off', 'power off', 'halt'],
				...[
					'turn off the server',
					'turn the server off',
					'shut down the server',
					'close the server'
				],
				...['announce stop', 'stop with a warning', 'switch off the server', 'put the server down']
			],
			blocked: blocked?.stop ?? null,
			...{ to: '/admin/confirm?do=stop', fill: later('stop', 'Stop the server…') }
		},
		isSuperadmin ? kill : reserved(kill),
		{
			...{ id: 'backup', label: 'Back up now', kind, icon: Archive },
			words: [
				...['backup', 'back up', 'create backup', 'make a backup', 'back up the world'],
				...['backup the world', 'save', 'save the world', 'save-all'],
				...[
					'save the game',
					'backup server',
					'take a backup',
					'copy of the world',
					'snapshot of the world'
				]
			],
			...{ blocked: noServer ?? noBackup, to: run.backup, fill: orGuess('backup', 'back up') }
		},
		{
			...{ id: 'recheck', label: 'Check for mod updates', kind, icon: RefreshCw },
			words: [
				...['check for updates', 're-check mods', 'recheck mods', 'mod updates', 'new updates'],
				...['are mods up to date', 'are there updates', 'updates available']
			],
			...{ blocked: noServer, to: run.recheck, fill: atTimes('mods-check', 'look for mod updates') }
		},
		...(isCrashed ? [why] : [])
	];
}

/** What people call what is on a page. */
const PAGE_WORDS: Record<string, string[]> = {
	'/admin': [
		...[
			'status',
			'dashboard',
			'uptime',
			'eula',
			'accept the eula',
			'disk',
			'disk space',
			'storage'
		],
		...['problem', 'problems', 'broken', 'down', 'server down'],
		...[
			'free space',
			'disk space left',
			'disk full',
			'free disk space',
			'disk usage',
			'space left',
			'running'
		],
		...[
			'is the server up',
			'server status',
			'health',
			'won’t start',
			'wont start',
			'not starting',
			'does not start',
			'fails to start'
		]
	],
	'/admin/chat': ['read chat', 'messages', 'chat log', 'what players say', 'chat history'],
	'/admin/mods': [
		'installed mods',
		'list mods',
		'mod list',
		'which mods',
		'which mods are installed',
		'all mods'
	],
	'/admin/analytics': [
		...['graphs', 'charts', 'metrics', 'monitoring', 'peak', 'peak players', 'most players'],
		...['highest']
	],
	'/admin/stats': ['statistics', 'playtime', 'play time', 'leaderboard', 'deaths', 'ranking'],
	'/admin/logs': ['latest.log', 'log file', 'server log'],
	'/admin/backups': [
		...[
			'download backup',
			'download the world',
			'delete backup',
			'delete old backups',
			'list backups',
			'old backups'
		],
		...[
			'world backups',
			'last backup',
			'latest backup',
			'newest backup',
			'when was the last backup'
		]
	],
	'/admin/schedule': ['scheduled tasks', 'tasks', 'automation', 'triggers'],
	'/admin/notifications': [
		...['discord', 'discord webhook', 'webhook', 'telegram', 'email', 'mail', 'alerts', 'notify'],
		...[
			'push notifications',
			'notify me',
			'notify me when it crashes',
			'email me',
			'discord notifications',
			'notify me on discord'
		]
	],
	'/admin/activity': [
		...['audit', 'audit log', 'history', 'what changed', 'who did that', 'operations']
	],
	'/admin/settings': ['change settings', 'preferences', 'options', 'timezone', 'time zone'],
	'/admin/devices': ['sessions', 'my sessions', 'phone', 'push', 'log out other devices'],
	'/admin/errors': ['browser error']
};

export const pagesOf = (role: Role | null): Entry[] => [
	...placesFor('superadmin').map(({ href, label }): Entry => {
		const page: Entry = {
			...{ id: `page:${href}`, label, kind: PAGES, icon: ICONS[href] },
			...{ words: ['go to', 'page', ...(PAGE_WORDS[href] ?? [])], to: href }
		};
		return placesFor(role).some((mine) => mine.href === href) ? page : reserved(page);
	}),
	{
		...{ id: 'page:/', label: 'Public page', kind: PAGES, icon: Globe, to: '/' },
		words: [
			...['home', 'ip', 'address', 'server address', 'join', 'how to join', 'connect', 'invite'],
			...['invite players', 'invite friends', 'server ip', 'ip address', 'share server']
		]
	}
];
