import type { Operation } from '$lib/schemas/operation';
import { isOfMods } from './outcome';

/** Where the way back leads when it is unknown where the person came from. */
export const homeOf = (operation: Operation): string => {
	if (isOfMods(operation) || ['modpack', 'culprit'].includes(operation.kind)) return '/admin/mods';
	if (operation.kind === 'upgrade') return '/admin/server/upgrade';
	if (['create', 'import', 'change-software', 'java', 'go-back'].includes(operation.kind))
		return '/admin/server';
	return ['backup', 'restore'].includes(operation.kind) ? '/admin/backups' : '/admin';
};
