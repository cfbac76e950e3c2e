/** Whether every word that is looked for is somewhere in what a row shows; nothing looked for is in all. Pure. */
export function shows(texts: (string | null | undefined)[], q: string): boolean {
	const text = texts.filter(Boolean).join(' ').toLowerCase();
	return q
		.toLowerCase()
		.split(/\s+/)
		.every((word) => text.includes(word));
}
