import { goto } from '$app/navigation';
import { navigating, page } from '$app/state';
import type { OperationRow } from '$lib/schemas/operation';
import type { Toasts } from '$lib/client/toasts.svelte.ts';
import type { User } from '$lib/schemas/session';
import { restoreAddress } from '$lib/schemas/plain/restore-address';
import { ending } from '../labels';

/**
 * Announces the end of each operation that was seen running, on every page but its own, which says it already, and whose
 * toast goes when that is opened. That it has begun is not said any longer.
 */
export function announceEndings(toasts: Toasts, role: () => User['role'] | null) {
	const seen = new Map<string, OperationRow['state']>();
	const undoOf = ({ state, undo }: OperationRow) => {
		if (state !== 'succeeded' || !undo || role() !== 'superadmin') return;
		return { label: 'Undo this restore', onClick: () => void goto(restoreAddress(undo)) };
	};
	return (rows: OperationRow[]) => {
		for (const row of rows) {
			const before = seen.get(row.id);
			seen.set(row.id, row.state);
			if (before !== 'running' || row.state === 'running') continue;
			void toasts.outdate(row.id);
			const isThere = [page.params, navigating.to?.params].some((at) => at?.['id'] === row.id);
			if (isThere) continue;
			const good = row.state === 'succeeded' || row.state === 'cancelled';
			void toasts.show(good ? 'success' : 'error', ending(row) ?? '', row.id, undoOf(row));
		}
	};
}
