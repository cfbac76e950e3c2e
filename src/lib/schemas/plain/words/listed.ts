/** For sentences: `a, b and c`; with more than `most`, `a, b and 4 more`. */
export function listed(names: readonly string[], most = Infinity): string {
	const rest = names.length - most;
	const parts = rest > 0 ? [...names.slice(0, most), `${rest} more`] : names;
	const last = parts.at(-1) ?? '';
	return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
