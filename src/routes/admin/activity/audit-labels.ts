import Archive from '@lucide/svelte/icons/archive';
import Bell from '@lucide/svelte/icons/bell';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import Camera from '@lucide/svelte/icons/camera';
import Dot from '@lucide/svelte/icons/dot';
import Eye from '@lucide/svelte/icons/eye';
import KeyRound from '@lucide/svelte/icons/key-round';
import ListChecks from '@lucide/svelte/icons/list-checks';
import MessageSquare from '@lucide/svelte/icons/message-square';
import Package from '@lucide/svelte/icons/package';
import Server from '@lucide/svelte/icons/server';
import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import SquareTerminal from '@lucide/svelte/icons/square-terminal';
import Users from '@lucide/svelte/icons/users';
import type { IconPath } from '$lib/ui/base/icon';
import { named as withoutTimes } from '$lib/game/labels';
import { BACKUP_KINDS } from '$lib/game/backups';
import { auditWord } from '$lib/schemas/plain/words/audit-words';
import { OPERATION_ID, type Entry } from './begun';

/** Of a backup or snapshot: when it was made, in UTC. */
const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{4}$/;
/** Of a backup, a snapshot, a task, a trigger. */
const THING_ID = /^(?:\d{8}T\d{6}Z-[0-9a-f]{4}|[0-9a-f]{16})$/;

/** What was looked at is kept as its kind and its id or time. */
const CRASH = /^crash:(.+)$/;
const bare = (subject: string | null) => subject?.replace(/^operation:/, '') ?? null;

/** What was done, in words; an unknown action by its own name. Ids are left out. */
export function auditTitle({ action, subject }: Entry) {
	const about = bare(subject);
	const isId = about && (OPERATION_ID.test(about) || THING_ID.test(about));
	return [auditWord(action), about && !isId && named(about)].filter(Boolean).join(': ');
}

/** How a backup came to be is kept by its kind's own name. */
function named(subject: string) {
	if (CRASH.test(subject)) return 'the crash';
	return Object.hasOwn(BACKUP_KINDS, subject)
		? BACKUP_KINDS[subject as keyof typeof BACKUP_KINDS].toLowerCase()
		: withoutTimes(subject);
}

/** When the backup or snapshot was made, or the crash happened, that it is about; null for anything else. */
export function auditTime({ subject }: Pick<Entry, 'subject'>): Date | null {
	const crash = CRASH.exec(subject ?? '');
	if (crash) return new Date(crash[1]!);
	const [, ...parts] = STAMP.exec(subject ?? '') ?? [];
	if (!parts.length) return null;
	const [year, month, day, hour, minute, second] = parts;
	return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Where the operation is shown that it started, or the thing that it is about. */
export function auditLink({ action, subject: kept }: Entry): string | undefined {
	const subject = bare(kept);
	if (!subject) return undefined;
	if (OPERATION_ID.test(subject)) return `/admin/operations/${subject}`;
	if (action.startsWith('task.')) return '/admin/schedule';
	if (!STAMP.test(subject) || /\.(?:delete|remove)$/.test(action)) return undefined;
	return action.startsWith('backups.')
		? `/admin/backups?backup=${subject}`
		: `/admin/backups?tab=snapshots&snapshot=${subject}`;
}

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
	task: CalendarClock,
	trigger: CalendarClock,
	software: Server,
	attention: Eye,
	notifications: Bell,
	push: Bell
};

/** By the word before the dot. */
export const auditIcon = (action: string) => ICONS[action.split('.', 1)[0]!] ?? Dot;
