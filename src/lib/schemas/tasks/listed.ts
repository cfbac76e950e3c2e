const NAMED = 12;

/** `A, B, C and 4 more`. */
export function listed(names: string[]): string {
	const more = names.length - NAMED;
	return more > 0 ? `${names.slice(0, NAMED).join(', ')} and ${more} more` : names.join(', ');
}
