/** Inclusive, as in HTTP; null for the whole. */
export type Range = { start: number; end: number };

/**
 * One range of bytes as a Range header asks for it. What cannot be understood, or asks for several, is answered with
 * the whole; `outside` when it has none of these bytes.
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
