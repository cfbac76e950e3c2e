import type { ApiAnswer } from '#api';
import { nowOf } from '$lib/schemas/operation-row';
import type { QuerySource } from './queries.svelte.ts';

/** Seldom, because the stream brings changes. */
const STATUS_POLL_MS = 60_000;
const PUBLIC_STATUS_POLL_MS = 5000;

/** `['status']` */
export const STATUS: QuerySource = { url: '/api/status', pollMs: STATUS_POLL_MS };
/** The same for visitors, who have no stream. */
export const PUBLIC_STATUS: QuerySource = { ...STATUS, pollMs: PUBLIC_STATUS_POLL_MS };
/** `['operations']` */
export const OPERATIONS: QuerySource = {
	url: '/api/operations',
	pick: ({ operations }: ApiAnswer<'GET /api/operations'>) =>
		operations.map((one) => ({ ...one, ...nowOf(one) }))
};
/** Only while there is no stream. */
const CHAT_POLL_MS = 30_000;

/** `['players']`: the stream says who is online; the lists change through our own actions. */
export const PLAYERS: QuerySource = { url: '/api/players' };
/** `['console', 'commands']` */
export const CONSOLE_COMMANDS: QuerySource = {
	url: '/api/console/commands',
	pick: ({ commands }: ApiAnswer<'GET /api/console/commands'>) => commands
};
/** `['chat']` */
export const CHAT: QuerySource = {
	url: '/api/chat?limit=500',
	pick: ({ messages }: ApiAnswer<'GET /api/chat'>) => messages
};
export const CHAT_POLLED: QuerySource = { ...CHAT, pollMs: CHAT_POLL_MS };
/** `['logs', 'tail']`, only while the log is on the screen: enough for a busy server's two seconds. */
export const LOG_TAIL: QuerySource = { url: '/api/logs?lines=200', pollMs: 2000 };
/** `['log-files']` */
export const LOG_FILES: QuerySource = {
	url: '/api/logs/files',
	pick: ({ files }: ApiAnswer<'GET /api/logs/files'>) => files
};
/** `['mods']` and `['mods', 'updates']`: refetched when an operation has ended. */
export const MODS: QuerySource = { url: '/api/mods' };
export const MOD_UPDATES: QuerySource = { url: '/api/mods/updates' };
/** `['upgrades']` */
export const UPGRADES: QuerySource = { url: '/api/upgrades' };
/** `['backups']` and `['snapshots']` */
export const BACKUPS: QuerySource = {
	url: '/api/backups',
	pick: ({ backups }: ApiAnswer<'GET /api/backups'>) => backups
};
export const SNAPSHOTS: QuerySource = {
	url: '/api/snapshots',
	pick: ({ snapshots }: ApiAnswer<'GET /api/snapshots'>) => snapshots
};
/** `['tasks']` */
export const TASKS: QuerySource = {
	url: '/api/schedule/tasks',
	pick: ({ tasks }: ApiAnswer<'GET /api/schedule/tasks'>) => tasks
};
/** `['setup']`, only while it is being done: what a person does in the folder shows up by itself. */
export const SETUP: QuerySource = {
	url: '/api/setup',
	pick: ({ steps }: ApiAnswer<'GET /api/setup'>) => steps,
	pollMs: 3000
};
