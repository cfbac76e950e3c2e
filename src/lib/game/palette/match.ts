import { isAlong, isFiller, isSlip, partsOf, readOnce, type Phrase } from './words';

/** How what somebody typed fits something with a name; pure. */
export type Named = { label: string; words?: string[]; kind?: string };
/** `asked`: its whole name, or another word for it, was typed; `still`: it was, until the word that begins. */
export type Fit = { score: number; asked: boolean; still?: boolean };

const NAME = 110;
const BEGINS = 105;
const SYNONYM = 100;
/** Means the same in other words, or with others around it. */
const MEANT = 80;
/** Up to this much more, by how many of all words have the same form, and by how many mean the same. */
const SAME_FORMS = 7;
const SAME_WORDS = 2;
/** Every word fits something. */
const FITS = 20;
const FITS_MAX = 75;
/** Only some words are about it. */
const PARTLY = 18;
const FIRST = 0.01;
const IN_LABEL = 4;
/** Within a name, as in "feather" of Mossfeather: fewer letters are in too many, as "lag" in villagers. */
const INSIDE_MIN = 4;
const TYPO_MIN = 4;
/** Was asked for, and a small word begins after it. */
const STILL = 77;

/** `inside`: some letters of its words are enough, as for a name. `partly`: some of the words typed are enough. */
export type Leniency = { inside?: boolean; partly?: boolean };

/** Null when some word of the search, other than a weak one or its kind, fits nothing. */
export function fitOf(named: Named, search: Phrase, how: Leniency = {}): Fit | null {
	const label = readOnce(named.label);
	const words = (named.words ?? []).map(readOnce);
	if (label.said === search.said) return { score: NAME, asked: true };
	// Words, small ones among them, just as its name begins: "backup of".
	if (search.hasSmall && label.text.startsWith(search.text))
		return { score: BEGINS, asked: false, still: true };
	if (words.some(({ said }) => said === search.said)) return { score: SYNONYM, asked: true };
	const alike = [label, ...words].filter(({ meant }) => meant === search.meant);
	if (alike.length) {
		const share = (one: Phrase) =>
			SAME_FORMS * shareOf(one.forms, search.forms) + SAME_WORDS * shareOf(one.cores, search.cores);
		return { score: MEANT + Math.max(...alike.map(share)), asked: true };
	}
	if ([label, ...words].some(({ meant }) => meant === search.before?.meant))
		return { score: STILL, asked: false, still: true };
	const score = how.partly ? partly([label, ...words], search) : wholly(named, search, how);
	return score ? { score, asked: false } : null;
}

/**
 * Whether one of its names has every word that counts: what only some of them are about is a guess. `whole`: the name
 * has no others either.
 */
export function isSure(named: Named, search: Phrase, how: Leniency & { whole?: true } = {}) {
	const said = search.words.filter(({ core }) => !isAlong(core));
	// "The lithium mod": a name may be said with what it is the name of.
	const kind = how.inside && named.kind ? readOnce(named.kind).cores : new Set();
	return [named.label, ...(named.words ?? [])].some((name) => {
		const { cores } = readOnce(name);
		const text = name.toLowerCase();
		if (how.whole && ![...cores].every((core) => search.cores.has(core) || isAlong(core)))
			return false;
		return said.every(
			({ core, typed }) => cores.has(core) || kind.has(core) || fit(text, typed, how) > 0
		);
	});
}

const shareOf = (a: Set<string>, b: Set<string>) => {
	const both = [...a].filter((one) => b.has(one)).length;
	return both / (a.size + b.size - both);
};

function wholly(named: Named, search: Phrase, how: Leniency): number {
	const { label, words = [] } = named;
	const texts = [label.toLowerCase(), ...words.map((word) => word.toLowerCase())];
	const phrases = [label, ...words].map(readOnce);
	const typed = search.words.map((word) => word.typed).join(' ');
	const kind = named.kind ? readOnce(named.kind).cores : new Set();
	let fits = false;
	let sum = texts[0]!.startsWith(typed) ? 1 : 0;
	for (const word of search.words) {
		const best = Math.max(
			...texts.map((text, i) => fit(text, word.typed, how) * (i ? 1 : IN_LABEL)),
			phrases.some(({ cores }) => cores.has(word.core)) ? 1 : 0
		);
		const isSmall = word.weak || kind.has(word.core);
		if (!best && !isSmall) return 0;
		fits ||= best > 0;
		sum += best;
	}
	return !fits ? 0 : Math.min(FITS + sum, FITS_MAX);
}

/** How much of the search one phrase is about, all of whose words are in it. */
function partly(phrases: Phrase[], search: Phrase): number {
	const strong = search.words.filter(({ weak }) => !weak);
	const about = ({ words }: Phrase) => {
		const cores = words.filter(({ weak }) => !weak).map(({ core }) => core);
		// One weak word that is all of a phrase says nothing among others.
		if (!cores.every((core) => strong.some((word) => word.core === core))) return 0;
		const share = strong.filter(({ core }) => cores.includes(core)).length / strong.length;
		// Of two things to be done, what was said first.
		return share && share + (cores.includes(strong[0]!.core) ? FIRST : 0);
	};
	return Math.max(...phrases.map(about)) * PARTLY;
}

/** 3 for a whole word, 2 for the beginning of one, 0.5 for what lies inside one. */
function fit(text: string, part: string, { inside }: Leniency): number {
	let best = 0;
	for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
		const begins = !isWord(text[at - 1]);
		const ends = !isWord(text[at + part.length]);
		const within = inside && part.length >= INSIDE_MIN ? 0.5 : 0;
		best = Math.max(best, begins ? (ends ? 3 : 2) : within);
	}
	return best;
}
const BETWEEN = /[^\p{L}\p{N}_]+/u;
const isWord = (character: string | undefined) =>
	character !== undefined && /[\p{L}\p{N}]/u.test(character);

const namesOf = (all: Named[]) => all.flatMap(({ label, words = [] }) => [label, ...words]);

/** The search with words that nothing is called put right by a letter, or null when there are none. */
export function corrected(all: Named[], search: string): string | null {
	const vocabulary = new Set(namesOf(all).flatMap((text) => text.toLowerCase().split(BETWEEN)));
	const known = [...vocabulary].filter((word) => word.length >= TYPO_MIN);
	let isChanged = false;
	const parts = partsOf(search);
	const words = parts.map((part) => {
		const typed = part.toLowerCase();
		// A letter that was pressed twice. A short word alone is too little to guess from.
		const single = typed.replace(/(.)\1$/, '$1');
		if (parts.length > 1 && single !== typed && !vocabulary.has(typed) && vocabulary.has(single)) {
			isChanged = true;
			return single;
		}
		if (typed.length < TYPO_MIN || isFiller(typed) || known.some((one) => one.startsWith(typed)))
			return part;
		const alike = known.filter((one) => isSlip(one, typed));
		// Letters that changed places are likelier than one that is missing.
		const meant = alike.find(({ length }) => length === typed.length) ?? alike[0];
		isChanged ||= meant !== undefined;
		return meant ?? part;
	});
	return isChanged ? words.join(' ') : null;
}

/** How many letters some word of it and some word of the search have in common from their beginning. */
export function likeness(named: Named, search: string): number {
	const known = namesOf([named]).flatMap((text) => text.toLowerCase().split(BETWEEN));
	const common = (a: string, b: string) => {
		let same = 0;
		while (same < a.length && a[same] === b[same]) same++;
		return same;
	};
	const parts = partsOf(search.toLowerCase());
	return Math.max(0, ...parts.map((part) => Math.max(...known.map((w) => common(w, part)))));
}

/** The label cut where its words begin as those of the search do: every second piece is what was typed. */
export function marked(label: string, search: string): string[] {
	const all = search
		.toLowerCase()
		.replace(/[….?!,]+$/, '')
		.split(/\s+/)
		.filter(Boolean);
	const telling = all.filter((part) => !isFiller(part));
	const parts = (telling.length ? telling : all).map((part) =>
		part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
	);
	if (!parts.length) return [label];
	const longest = parts.sort((a, b) => b.length - a.length).join('|');
	return label.split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${longest}))`, 'giu'));
}
