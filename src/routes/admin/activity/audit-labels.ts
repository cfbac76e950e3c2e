import Archive from '@lucide/svelte/icons/archive';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import Camera from '@lucide/svelte/icons/camera';
import Dot from '@lucide/svelte/icons/dot';
import KeyRound from '@lucide/svelte/icons/key-round';
import ListChecks from '@lucide/svelte/icons/list-checks';
import MessageSquare from '@lucide/svelte/icons/message-square';
import Package from '@lucide/svelte/icons/package';
import Server from '@lucide/svelte/icons/server';
import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import SquareTerminal from '@lucide/svelte/icons/square-terminal';
import Users from '@lucide/svelte/icons/users';
import type { IconPath } from '$lib/ui/base/icon';
import type { AuditAction, AuditEntry } from '$lib/schemas/audit';

const LABELS: Record<AuditAction, string> = {
	'server.start': 'Start server',
	'server.stop': 'Stop server',
	'server.restart': 'Restart server',
	'server.kill': 'Kill server',
	'session.start': 'Log in',
	'session.end': 'Log out',
	access: 'Access',
	'settings.change': 'Change settings',
	'operation.cancel': 'Cancel operation',
	'software.create': 'Set up the server',
	'software.change': 'Change the server software',
	'software.java': 'Fetch Java',
	'setup.rcon': 'Turn RCON on',
	'setup.eula': "Accept Minecraft's EULA",
	'player.op': 'Make operator',
	'player.deop': 'Remove operator',
	'player.whitelist-add': 'Add to whitelist',
	'player.whitelist-remove': 'Remove from whitelist',
	'player.whitelist-on': 'Turn whitelist on',
	'player.whitelist-off': 'Turn whitelist off',
	'player.ban': 'Ban player',
	'player.pardon': 'Pardon player',
	'player.kick': 'Kick player',
	'chat.say': 'Say in chat',
	'console.command': 'Run command',
	'mods.install': 'Install mod',
	'mods.update': 'Update mods',
	'mods.enable': 'Enable mod',
	'mods.disable': 'Disable mod',
	'mods.remove': 'Remove mods',
	'mods.lock': 'Lock mod',
	'mods.unlock': 'Unlock mod',
	'mods.share': 'Share jar with players',
	'mods.unshare': 'Stop sharing jar',
	'snapshots.create': 'Take snapshot',
	'snapshots.change': 'Change snapshot',
	'snapshots.delete': 'Delete snapshot',
	'snapshots.prune': 'Prune snapshots',
	'snapshots.restore': 'Restore snapshot',
	'backups.create': 'Back up',
	'backups.change': 'Change backup',
	'backups.remove': 'Delete backup',
	'backups.download': 'Download backup',
	'backups.verify': 'Verify backup',
	'backups.restore': 'Restore backup',
	'task.add': 'Schedule task',
	'task.enable': 'Enable task',
	'task.disable': 'Disable task',
	'task.remove': 'Remove task',
	'task.run': 'Run task now'
};

/** The subject of what starts an operation is its id. */
const OPERATION_ID = /^\d{8}T\d{9}Z-[0-9a-f]{4}$/;
/** Of a backup, a snapshot, a task. */
const THING_ID = /^(?:\d{8}T\d{6}Z-[0-9a-f]{4}|[0-9a-f]{16})$/;

const labelOf = (action: string): string =>
	Object.hasOwn(LABELS, action) ? LABELS[action as AuditAction] : action;

type Entry = Pick<AuditEntry, 'action' | 'subject'>;

/** What was done, in words; an unknown action by its own name. Ids are left out. */
export const auditTitle = ({ action, subject }: Entry) =>
	[
		labelOf(action),
		subject && !OPERATION_ID.test(subject) && !auditId({ subject }) ? subject : null
	]
		.filter(Boolean)
		.join(': ');

/** Which backup, snapshot or task it was. */
export const auditId = ({ subject }: Pick<Entry, 'subject'>) =>
	subject && THING_ID.test(subject) ? subject : null;

/** Where the operation is shown that it started. */
export const auditLink = ({ subject }: Entry) =>
	subject && OPERATION_ID.test(subject) ? `/admin/operations/${subject}` : undefined;

const ICONS: Record<string, IconPath> = {
	server: Server,
	player: Users,
	chat: MessageSquare,
	console: SquareTerminal,
	session: KeyRound,
	access: KeyRound,
	settings: SlidersHorizontal,
	operation: ListChecks,
	setup: SlidersHorizontal,
	mods: Package,
	snapshots: Camera,
	backups: Archive,
	task: CalendarClock
};

/** By the word before the dot. */
export const auditIcon = (action: string) => ICONS[action.split('.', 1)[0]!] ?? Dot;
