import Dot from '@lucide/svelte/icons/dot';
import KeyRound from '@lucide/svelte/icons/key-round';
import ListChecks from '@lucide/svelte/icons/list-checks';
import Server from '@lucide/svelte/icons/server';
import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import type { Picture } from '../ui/picture';
import type { AuditEntry } from '$lib/schemas/audit';

const WORDS: Record<string, string> = {
	'server.start': 'Start server',
	'server.stop': 'Stop server',
	'server.restart': 'Restart server',
	'server.kill': 'Kill server',
	'session.start': 'Sign in',
	'session.end': 'Sign out',
	access: 'Access',
	'settings.change': 'Change settings',
	'operation.cancel': 'Cancel operation',
	'setup.rcon': 'Turn RCON on'
};

/** The subject of what starts an operation is its id. */
const OPERATION_ID = /^\d{8}T\d{9}Z-[0-9a-f]{4}$/;

type Entry = Pick<AuditEntry, 'action' | 'subject'>;

/** What was done, in words; an unknown deed by its own name. */
export const auditTitle = ({ action, subject }: Entry) =>
	[WORDS[action] ?? action, subject && !OPERATION_ID.test(subject) ? subject : null]
		.filter(Boolean)
		.join(': ');

/** To the operation that it began. */
export const auditLink = ({ subject }: Entry) =>
	subject && OPERATION_ID.test(subject) ? `/admin/operations/${subject}` : undefined;

const ICONS: Record<string, Picture> = {
	server: Server,
	session: KeyRound,
	access: KeyRound,
	settings: SlidersHorizontal,
	operation: ListChecks,
	setup: SlidersHorizontal
};

/** By the word before the dot. */
export const auditIcon = (action: string) => ICONS[action.split('.', 1)[0]!] ?? Dot;
