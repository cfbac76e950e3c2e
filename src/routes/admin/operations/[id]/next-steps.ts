import type { Operation, OperationKind } from '$lib/schemas/operation';
import type { ModTitles } from '$lib/schemas/plain/mod-titles';

/** What changes the files in `mods/`. */
const OF_MODS: OperationKind[] = ['install', 'update', 'enable', 'disable', 'remove'];

/** Of the restores only those of snapshots, which take one first. */
export const isOfMods = ({ kind, steps }: Operation) =>
	OF_MODS.includes(kind) || (kind === 'restore' && steps.some(({ id }) => id === 'snapshot'));

/**
 * The results of a finished operation: the snapshot from before a change of mods, the backup that was made, the files
 * that can be updated without the mods to blame; the titles of the mods that its cause names.
 */
export type Outcome = {
	before: string | null;
	backup: string | null;
	rest: string[];
	titles: ModTitles;
};

type Link = { href: string; label: string };
const MODS = { href: '/admin/mods', label: 'To the mods' };
const VERSIONS = { href: '/admin/server/upgrade', label: 'To the game versions' };
const BACKUPS = { href: '/admin/backups', label: 'To the backups' };
const LOG = { href: '/admin/logs', label: 'Read the log' };

/** Where people may go from an operation that has ended, the most likely first. */
export function nextSteps(operation: Operation, { backup }: Pick<Outcome, 'backup'>): Link[] {
	const { kind, cause, steps } = operation;
	if (kind === 'culprit') return [MODS];
	// What a copy has written is not in the server's log.
	const onCopy = steps.some(({ id, status }) => id === 'trial' && status === 'failed');
	const log = cause?.log.length && !onCopy ? [LOG] : [];
	if (kind === 'upgrade') return [VERSIONS, ...log];
	if (backup) return [{ href: `/admin/backups?backup=${backup}`, label: 'Show the backup' }];
	if (isOfMods(operation) || kind === 'modpack' || cause?.mods.length) return [MODS, ...log];
	return kind === 'backup' || kind === 'restore' ? [BACKUPS, ...log] : log;
}

/** Where the way back leads when it is unknown where the person came from. */
export const homeOf = (operation: Operation): string => {
	if (isOfMods(operation) || ['modpack', 'culprit'].includes(operation.kind)) return '/admin/mods';
	if (operation.kind === 'upgrade') return VERSIONS.href;
	return ['backup', 'restore'].includes(operation.kind) ? '/admin/backups' : '/admin';
};
