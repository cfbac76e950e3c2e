/**
 * One page of the entries that pass the filter, newest first, and the id after which the next page begins.
 * `scanned` is everything that was read; `complete` says that nothing older exists.
 */
export function paged<T extends { id: string }>(
	scanned: T[],
	{ size, complete, wanted }: { size: number; complete: boolean; wanted: (item: T) => boolean }
): { rows: T[]; older: string | null } {
	const hits = scanned.filter(wanted);
	const rows = hits.slice(0, size);
	if (hits.length > size) return { rows, older: rows.at(-1)?.id ?? null };
	return { rows, older: complete ? null : (scanned.at(-1)?.id ?? null) };
}
