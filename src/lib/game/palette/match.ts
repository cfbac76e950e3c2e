/** How what somebody typed fits something with a name; pure. */
export type Named = { label: string; words?: string[] };
/** `asked`: its whole name, or another word for it, was typed. */
export type Fit = { score: number; asked: boolean };

/** Said beside what is meant: they have to fit nothing. */
const FILLERS = new Set(
	(
		'a an the my this some it all to for please go open show see view i me we can do does did how is are was what why ' +
		'who where when someone somebody anybody now'
	).split(' ')
);
const NAME = 110;
const SYNONYM = 100;
const IN_LABEL = 4;
/** Within a name, as in "feather" of Mossfeather: fewer letters are in too many, as "lag" in villagers. */
const INSIDE_MIN = 4;
/** A shorter word is another one when a letter changes: seed and send, help and heap. */
const TYPO_MIN = 5;

export const partsOf = (text: string) =>
	text
		.toLowerCase()
		.replace(/[….?!,]+$/, '')
		.split(/\s+/)
		.filter(Boolean);

/** What is left of it without the words that say nothing, if anything is. */
function meant(text: string): string {
	const parts = partsOf(text);
	const rest = parts.filter((part) => !FILLERS.has(part));
	return (rest.length ? rest : parts).join(' ');
}

/** Whether two phrases say the same. */
export const isSaid = (a: string, b: string) => meant(a) === meant(b);

/** `typos`: words may differ by one letter. `inside`: some of its letters are enough, as for a name. */
export type Leniency = { typos?: boolean; inside?: boolean };

/** Null when some word of the search fits nothing. */
export function fitOf(named: Named, search: string, how: Leniency = {}): Fit | null {
	const { label, words = [] } = named;
	const parts = partsOf(search);
	const lower = label.toLowerCase();
	const others = words.map((word) => word.toLowerCase());
	let sum = lower.startsWith(parts.join(' ')) ? 1 : 0;
	let fits = false;
	for (const part of parts) {
		const best = Math.max(
			fit(lower, part, how) * IN_LABEL,
			...others.map((word) => fit(word, part, how))
		);
		if (!best && !FILLERS.has(part)) return null;
		if (best && !FILLERS.has(part)) fits = true;
		sum += best;
	}
	if (!fits && !(sum && parts.every((part) => FILLERS.has(part)))) return null;
	if (isSaid(label, search)) return { score: NAME, asked: true };
	if (words.some((word) => isSaid(word, search))) return { score: SYNONYM, asked: true };
	return { score: sum, asked: false };
}

/** 3 for a whole word, 2 for the beginning of one, 1 for one with a slip, 0.5 for what lies inside one. */
function fit(text: string, part: string, { typos, inside }: Leniency): number {
	let best = 0;
	for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
		const begins = !isWord(text[at - 1]);
		const ends = !isWord(text[at + part.length]);
		const within = inside && part.length >= INSIDE_MIN ? 0.5 : 0;
		best = Math.max(best, begins ? (ends ? 3 : 2) : within);
	}
	if (best || !typos || part.length < TYPO_MIN) return best;
	return text.split(BETWEEN).some((word) => word.length >= TYPO_MIN && isSlip(word, part)) ? 1 : 0;
}
const BETWEEN = /[^\p{L}\p{N}_]+/u;
const isWord = (character: string | undefined) =>
	character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Whether one letter was left out, added, changed, or changed places with its neighbour. */
export function isSlip(word: string, typed: string): boolean {
	if (Math.abs(word.length - typed.length) > 1) return false;
	let same = 0;
	while (same < word.length && word[same] === typed[same]) same++;
	const [a, b] = [word.slice(same), typed.slice(same)];
	return (
		a.slice(1) === b ||
		a === b.slice(1) ||
		a.slice(1) === b.slice(1) ||
		(a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
	);
}

/** How many letters some word of it and some word of the search have in common from their beginning. */
export function likeness({ label, words = [] }: Named, search: string): number {
	const known = [label, ...words].flatMap((text) => text.toLowerCase().split(BETWEEN));
	const common = (a: string, b: string) => {
		let same = 0;
		while (same < a.length && a[same] === b[same]) same++;
		return same;
	};
	return Math.max(...partsOf(search).map((part) => Math.max(...known.map((w) => common(w, part)))));
}

/** The label cut where its words begin as those of the search do: every second piece is what was typed. */
export function marked(label: string, search: string): string[] {
	const parts = partsOf(search).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	if (!parts.length) return [label];
	const longest = parts.sort((a, b) => b.length - a.length).join('|');
	return label.split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${longest}))`, 'giu'));
}
