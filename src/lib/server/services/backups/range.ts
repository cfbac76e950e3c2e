/** Inclusive, as in HTTP; null for the whole file. */
export type Range = { start: number; end: number };

/**
 * One range of bytes as requested by a Range header. A header that cannot be understood, or that asks for several
 * ranges, is answered with the whole file; `outside` when the file has none of these bytes.
 */
export function parseRange(header: string | null, size: number): Range | 'outside' | null {
	const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
	if (from === '' && to === '') return null;
	if (from === '') {
		const count = Math.min(Number(to), size);
		if (count === 0) return 'outside';
		return { start: size - count, end: size - 1 };
	}
	const start = Number(from);
	const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
	if (to !== '' && Number(to) < start) return null;
	if (start >= size) return 'outside';
	return { start, end };
}
