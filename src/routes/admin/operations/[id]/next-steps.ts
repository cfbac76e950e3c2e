import type { Operation, OperationKind } from '$lib/schemas/operation';

/** What changes the files in `mods/`. */
const OF_MODS: OperationKind[] = ['install', 'update', 'enable', 'disable', 'remove'];

/** Of restores those of snapshots, which take one first. */
export const isOfMods = ({ kind, steps }: Operation) =>
	OF_MODS.includes(kind) || (kind === 'restore' && steps.some(({ id }) => id === 'snapshot'));

/** What came of a finished operation: the snapshot from before a change of mods, the backup that was made. */
export type Outcome = { before: string | null; backup: string | null };

type Link = { href: string; label: string };
const LOG = { href: '/admin/logs', label: 'Read the log' };

/** Where people go from an operation that has ended, the most likely first. */
export function nextSteps(operation: Operation, { backup }: Outcome): Link[] {
	const { kind, state } = operation;
	const good = state === 'succeeded';
	// An excerpt of the log is all there when it says why; more is in the log itself.
	const log = operation.cause?.log.length ? [LOG] : [];
	if (backup) return [{ href: `/admin/backups?backup=${backup}`, label: 'Show the backup' }];
	if (isOfMods(operation)) return [{ href: '/admin/mods', label: 'To the mods' }, ...log];
	if (kind === 'backup' || kind === 'restore')
		return [{ href: '/admin/backups', label: 'To the backups' }, ...log];
	if (kind === 'modpack') return [{ href: '/admin/mods', label: 'To the mods' }];
	return good
		? [{ href: '/admin', label: 'To the overview' }]
		: [{ href: '/admin', label: 'To the overview' }, ...log];
}

/** Where the way back leads when nobody knows where the person came from. */
export const homeOf = (operation: Operation): string => {
	if (isOfMods(operation) || operation.kind === 'modpack') return '/admin/mods';
	return ['backup', 'restore'].includes(operation.kind) ? '/admin/backups' : '/admin';
};
