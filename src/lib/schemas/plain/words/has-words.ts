/** Whether every word of a search is somewhere in these texts, in any order and case; a search for nothing finds all. Pure. */
export function hasWords(texts: (string | null | undefined)[], search: string): boolean {
	const within = texts.filter(Boolean).join(' ').toLowerCase();
	return search
		.toLowerCase()
		.split(/\s+/)
		.every((word) => within.includes(word));
}
