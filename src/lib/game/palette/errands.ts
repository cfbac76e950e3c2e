import Ban from '@lucide/svelte/icons/ban';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import HardDrive from '@lucide/svelte/icons/hard-drive';
import History from '@lucide/svelte/icons/history';
import Package from '@lucide/svelte/icons/package';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import Upload from '@lucide/svelte/icons/upload';
import Users from '@lucide/svelte/icons/users';
import type { Role } from '$lib/schemas/common';
import type { Entry } from './entries';

type Errand = Pick<Entry, 'id' | 'label' | 'kind' | 'icon' | 'words' | 'field'> & {
	to: string;
	superadmin?: true;
	/** It can be done without a server in the folder. */
	always?: true;
};

const NAME = 'main form input[name="player"]:not([type="hidden"])';
const tab = (name: string) => `/admin/players?tab=${name}`;
const players = { kind: 'Players', icon: Users };
const mods = { kind: 'Mods', icon: Package };

/** What people come to do and need a form for, by the words they use for it. */
const ERRANDS: Errand[] = [
	{ id: 'ban', label: 'Ban a player…', kind: 'Players', icon: Ban, to: tab('bans'), field: NAME },
	{
		...{ id: 'kick', label: 'Kick a player…', ...players, words: ['remove', 'throw out'] },
		...{ to: tab('online'), field: 'main input[name="q"]' }
	},
	{
		...{ id: 'op', label: 'Op a player…', ...players, words: ['operator', 'make op', 'admin'] },
		...{ to: tab('ops'), field: NAME, superadmin: true }
	},
	{
		...{ id: 'whitelist', label: 'Whitelist a player…', ...players, words: ['add', 'allow'] },
		...{ to: tab('whitelist'), field: NAME }
	},
	{
		...{ id: 'unban', label: 'Unban a player…', ...players, words: ['pardon', 'bans'] },
		...{ to: tab('bans'), field: 'main input[name="q"]' }
	},
	{
		...{ id: 'update-mods', label: 'Update mods…', ...mods, words: ['upgrade mods', 'newer'] },
		to: '/admin/mods?show=updates&pick=updates'
	},
	{
		...{ id: 'search-mods', label: 'Search mods to install…', ...mods },
		words: ['find', 'add', 'new', 'modrinth'],
		...{ to: '/admin/mods?tab=find', field: 'main input[name="q"]' }
	},
	{
		...{ id: 'upload-mod', label: 'Upload a mod…', kind: 'Mods', icon: Upload },
		words: ['jar', 'file', 'mods', 'install'],
		...{ to: '/admin/mods?tab=upload', field: 'main input[name="jar"]', superadmin: true }
	},
	{
		...{ id: 'restore', label: 'Restore a backup…', kind: 'Server', icon: History },
		words: ['backups', 'snapshot', 'roll back', 'undo'],
		...{ to: '/admin/backups', superadmin: true, always: true }
	},
	{
		...{ id: 'upgrade', label: 'Upgrade Minecraft…', kind: 'Server', icon: HardDrive },
		words: ['update', 'game version', 'newer'],
		to: '/admin/server/upgrade'
	},
	{
		...{ id: 'task', label: 'New scheduled task…', kind: 'Server', icon: CalendarClock },
		words: ['schedule', 'cron', 'plan', 'add', 'every night'],
		...{ to: '/admin/schedule', field: 'main select[name="type"]', always: true }
	},
	{
		...{ id: 'search-logs', label: 'Search the log…', kind: 'Server', icon: ScrollText },
		words: ['find', 'errors', 'logs'],
		...{ to: '/admin/logs', field: 'main input[name="q"]', always: true }
	}
];

/** Only what this person may do; `noServer` says why the rest is not possible now. */
export const errandsFor = (role: Role | null, noServer: string | null): Entry[] =>
	ERRANDS.filter(({ superadmin }) => !superadmin || role === 'superadmin').map(
		({ superadmin: _, always, ...errand }) => ({ ...errand, blocked: always ? null : noServer })
	);
