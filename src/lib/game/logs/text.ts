/** A frame of a stack trace: where one method was called by another. */
export const isFrame = (text: string) => /^\s+at \S/.test(text);

/** The places at which a path or a class's full name may go on in the next line. */
const BREAKS = /(?<=[./])(?=[\p{L}_$])|(?<=\w)(?=[($])/u;

/** The text in parts that are better not broken. */
export const parts = (text: string): string[] => text.split(BREAKS);

export type Piece = { text: string; hit: boolean };
const HITS_MAX = 50;

/** The text in pieces, with the search's matches marked. */
export function pieces(text: string, q: string): Piece[] {
	const found: Piece[] = [];
	const lower = text.toLowerCase();
	const wanted = q.toLowerCase();
	// Some letters change length with their case, and then the positions do not match.
	if (!wanted || lower.length !== text.length) return [{ text, hit: false }];
	let from = 0;
	for (let i = 0; i < HITS_MAX; i++) {
		const to = lower.indexOf(wanted, from);
		if (to === -1) break;
		if (to > from) found.push({ text: text.slice(from, to), hit: false });
		from = to + wanted.length;
		found.push({ text: text.slice(to, from), hit: true });
	}
	if (from < text.length || !found.length) found.push({ text: text.slice(from), hit: false });
	return found;
}
