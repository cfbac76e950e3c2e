import { VARIABLE_NAMES } from './values.ts';

/** In a name as short as PORT a second difference makes another word. */
const SHORT = 5;

/** The variable that a misspelt name was probably meant to be. */
export function similarName(name: string): string | null {
	const bare = plain(name);
	const close = VARIABLE_NAMES.map((known) => ({
		known,
		distance: plain(known) === bare ? 0 : editDistance(known, name.toUpperCase())
	})).filter(({ known, distance }) => distance <= (known.length < SHORT ? 1 : 2));
	const [nearest] = close.sort((a, b) => a.distance - b.distance);
	if (nearest) return nearest.known;
	const begun = VARIABLE_NAMES.filter((known) => known.startsWith(name.toUpperCase()));
	return begun.length === 1 && name.includes('_') ? begun[0]! : null;
}

const plain = (name: string) => name.replaceAll('_', '').toUpperCase();

/** How many characters to add, remove or replace, as Levenshtein counts them. */
function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (const [i, char] of [...a].entries()) {
		const next = [i + 1];
		for (let j = 1; j <= b.length; j++)
			next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (char === b[j - 1] ? 0 : 1)));
		row = next;
	}
	return row[b.length]!;
}
