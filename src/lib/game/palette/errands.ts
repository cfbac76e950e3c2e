import Activity from '@lucide/svelte/icons/activity';
import Ban from '@lucide/svelte/icons/ban';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import HardDrive from '@lucide/svelte/icons/hard-drive';
import FileWarning from '@lucide/svelte/icons/file-warning';
import History from '@lucide/svelte/icons/history';
import KeyRound from '@lucide/svelte/icons/key-round';
import MessageSquare from '@lucide/svelte/icons/message-square';
import Package from '@lucide/svelte/icons/package';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import Upload from '@lucide/svelte/icons/upload';
import Users from '@lucide/svelte/icons/users';
import type { Role } from '$lib/schemas/common';
import { isPlayerName } from '$lib/schemas/plain/player-name';
import type { Entry } from './entries';
import { playerQuestion } from './things';

type Errand = Pick<
	Entry,
	'id' | 'label' | 'kind' | 'icon' | 'words' | 'field' | 'takes' | 'risky'
> & {
	to: string;
	superadmin?: true;
	/** It can be done without a server in the folder. */
	always?: true;
};

const NAME = 'main form input[name="player"]:not([type="hidden"])';
const tab = (name: string) => `/admin/players?tab=${name}`;
const players = { kind: 'Players', icon: Users };
const mods = { kind: 'Mods', icon: Package };
const analytics = { kind: 'Analytics', icon: Activity };
const MESSAGE = 'main input[name="message"]';

/** Somebody whom no list knows; those that are known are found by their names. */
const newcomer = (verb: 'ban' | 'op', ...also: string[]): Entry['takes'] => ({
	verbs: [verb, ...also],
	with: (name) => (isPlayerName(name, null) ? playerQuestion(verb, name) : null)
});
const says: Entry['takes'] = {
	verbs: ['say', 'announce', 'broadcast', 'tell', 'message', 'send message', 'chat'],
	with: (text) => ({
		label: `Say “${text}” in the chat…`,
		to: `/admin/chat?${new URLSearchParams({ text })}`,
		field: MESSAGE
	})
};
const installs: Entry['takes'] = {
	verbs: ['install', 'install mod', 'find mod', 'search mod', 'search mods'],
	with: (q) => ({
		label: `Search mods for “${q}”`,
		to: `/admin/mods?${new URLSearchParams({ tab: 'find', q })}`
	})
};

/** What people come to do and need a form for, by the words they use for it. */
const ERRANDS: Errand[] = [
	{
		...{ id: 'ban', label: 'Ban a player…', kind: 'Players', icon: Ban, words: ['ban'] },
		...{ to: tab('bans'), field: NAME, takes: newcomer('ban') }
	},
	{
		...{ id: 'kick', label: 'Kick a player…', ...players, words: ['kick', 'throw out'] },
		...{ to: tab('online'), field: 'main input[name="q"]' }
	},
	{
		...{
			id: 'op',
			label: 'Op a player…',
			...players,
			words: ['op', 'operator', 'make op', 'give op']
		},
		...{ to: tab('ops'), field: NAME, superadmin: true, takes: newcomer('op', 'make op') }
	},
	{
		...{ id: 'whitelist', label: 'Whitelist a player…', ...players, words: ['whitelist', 'allow'] },
		...{ to: tab('whitelist'), field: NAME }
	},
	{
		...{ id: 'unban', label: 'Unban a player…', ...players, words: ['unban', 'pardon'] },
		...{ to: tab('bans'), field: 'main input[name="q"]' }
	},
	{
		...{ id: 'update-mods', label: 'Update mods…', ...mods, words: ['upgrade mods', 'newer'] },
		to: '/admin/mods?show=updates&pick=updates'
	},
	{
		...{ id: 'search-mods', label: 'Search mods to install…', ...mods },
		words: ['find mods', 'install', 'install mod', 'add mod', 'new mod', 'modrinth'],
		...{ to: '/admin/mods?tab=find', field: 'main input[name="q"]', takes: installs }
	},
	{
		...{ id: 'upload-mod', label: 'Upload a mod…', kind: 'Mods', icon: Upload },
		words: ['upload', 'jar', 'file', 'install mod from a file'],
		...{ to: '/admin/mods?tab=upload', field: 'main input[name="jar"]', superadmin: true }
	},
	{
		...{ id: 'restore', label: 'Restore a backup…', kind: 'Server', icon: History },
		words: ['restore', 'snapshot', 'roll back', 'rollback'],
		...{ to: '/admin/backups', superadmin: true, always: true, risky: true }
	},
	{
		...{ id: 'put-back', label: 'Put old mods back…', kind: 'Mods', icon: History },
		words: ['undo the last update', 'undo', 'roll back mods', 'snapshots', 'downgrade mods'],
		...{ to: '/admin/backups?tab=snapshots', superadmin: true, always: true }
	},
	{
		...{ id: 'software', label: 'Java, game and loader', kind: 'Server', icon: HardDrive },
		words: ['java', 'jdk', 'loader', 'fabric', 'forge', 'version'],
		...{ to: '/admin/server', always: true }
	},
	{
		...{ id: 'pack', label: 'Modpack for players', ...mods },
		words: ['modpack', 'download pack', 'mrpack', 'pack'],
		...{ to: '/admin/mods?tab=modpack', always: true }
	},
	{
		...{ id: 'upgrade', label: 'Upgrade Minecraft…', kind: 'Server', icon: HardDrive },
		words: ['upgrade', 'game version', 'newer game', 'update minecraft', 'new version'],
		to: '/admin/server/upgrade'
	},
	{
		...{ id: 'task', label: 'New scheduled task…', kind: 'Server', icon: CalendarClock },
		words: ['schedule a backup', 'schedule a restart', 'cron', 'automatic', 'every night'],
		...{ to: '/admin/schedule', field: 'main select[name="type"]', always: true }
	},
	{
		...{ id: 'search-logs', label: 'Search the log…', kind: 'Server', icon: ScrollText },
		words: ['find in the log', 'log', 'errors'],
		...{ to: '/admin/logs', field: 'main input[name="q"]', always: true }
	},
	{
		...{ id: 'say', label: 'Say something in the chat…', kind: 'Chat', icon: MessageSquare },
		words: ['say', 'announce', 'announcement', 'broadcast', 'send message', 'message', 'tell'],
		...{ to: '/admin/chat', field: MESSAGE, takes: says }
	},
	{
		...{ id: 'tps', label: 'How fast the server runs', ...analytics },
		words: ['tps', 'mspt', 'lag', 'laggy', 'slow', 'ticks', 'performance', 'speed'],
		...{ to: '/admin/analytics#tps', always: true }
	},
	{
		...{ id: 'ram', label: 'How much memory it uses', ...analytics },
		words: ['ram', 'memory', 'heap'],
		...{ to: '/admin/analytics#ramBytes', always: true }
	},
	{
		...{ id: 'cpu', label: 'How busy the processor is', ...analytics },
		words: ['cpu', 'processor', 'load'],
		...{ to: '/admin/analytics#cpuPercent', always: true }
	},
	{
		...{ id: 'crashes', label: 'Crash reports', kind: 'Logs', icon: FileWarning },
		words: ['crashes', 'crashed before'],
		...{ to: '/admin/logs?view=files&kind=crash', always: true }
	},
	{
		...{ id: 'password', label: 'Passwords and accounts', kind: 'Dashboard', icon: KeyRound },
		words: ['password', 'change password', 'account', 'user', 'login'],
		...{ to: '/admin/settings#accounts', superadmin: true, always: true }
	}
];

/** Only what this person may do; `noServer` says why the rest is not possible now. */
export const errandsFor = (role: Role | null, noServer: string | null): Entry[] =>
	ERRANDS.filter(({ superadmin }) => !superadmin || role === 'superadmin').map(
		({ superadmin: _, always, ...errand }) => ({ ...errand, blocked: always ? null : noServer })
	);
