import type { IconPath } from '$lib/ui/base/icon';
import { fitOf, isSaid, likeness, partsOf, type Fit, type Leniency } from './match';

/** One line of the command palette. */
export type Entry = {
	/** Stable across visits: recent choices are remembered by it. */
	id: string;
	label: string;
	/** What it is, in a word: `Page`, `Mod`. */
	kind: string;
	icon?: IconPath;
	/** Further words to find it by. What is typed and is exactly one of them means this. */
	words?: string[];
	/** Why it is not possible now. */
	blocked?: string | null;
	/** Comes after the rest and is not selected, unless its very name was typed: a slip would be one too many. */
	risky?: true;
	/** Found only when its name, or a word for it, was typed. */
	onlyAsked?: true;
	/** What can be done with it: found by the verb and words of the entry itself, as in "ban moss". */
	verbs?: Verb[];
	/** What it does with the words that follow one of these, as in "say hello"; null when it cannot. */
	takes?: {
		verbs: string[];
		with: (text: string) => Pick<Entry, 'label' | 'to' | 'risky' | 'field'> | null;
	};
	/** What has the focus there, as a selector. */
	field?: string;
	/** Where it leads, or what it does. */
	to: string | (() => void);
};
export type Verb = {
	verb: string;
	/** Further words for it. */
	also?: string[];
	label: string;
	risky?: true;
	blocked?: string | null;
	to: string;
};

/** The kind of what leads somewhere and does nothing. */
export const PAGES = 'Pages';
export const ROWS_MAX = 50;
const SUGGESTED_MAX = 3;
/** Fewer letters in common mean nothing. */
const LIKE_MIN = 2;
/** Something known is meant rather than somebody who is not. */
const VERB_SAID = 60;
/** A word that a text follows means that, unless all of it is the name of something. */
const TAKEN = 50;

export type Section = { title: string; entries: Entry[] };
type Found = { entry: Entry; fit: Fit };

/** Without a search: what was chosen last, then all commands. With one: commands, pages and things, the best first. */
export function sections(
	commands: Entry[],
	things: Entry[],
	search: string,
	recent: string[]
): Section[] {
	const wanted = search.trim();
	if (wanted) {
		const entries = ranked(pagesLast(commands), things, wanted, recent);
		return entries.length ? [{ title: 'Found', entries }] : [];
	}
	const all = new Map([...commands, ...things].map((entry) => [entry.id, entry]));
	const latest = recent.flatMap((id) => all.get(id) ?? []);
	const rest = commands.filter(({ id }) => !recent.includes(id));
	const kinds = [...new Set(rest.map(({ kind }) => kind))];
	return [
		{ title: 'Recent', entries: latest },
		...kinds.map((title) => ({ title, entries: rest.filter(({ kind }) => kind === title) }))
	].filter(({ entries }) => entries.length);
}

/** For a search that nothing fits: what begins like it, then pages. Nothing risky, and nothing of it is selected. */
export function suggestions(commands: Entry[], things: Entry[], search: string): Entry[] {
	const safe = [...commands, ...things].filter(({ risky, blocked }) => !risky && !blocked);
	const alike = safe
		.map((entry) => ({ entry, like: likeness(entry, search) }))
		.filter(({ like }) => like >= LIKE_MIN)
		.sort((a, b) => b.like - a.like)
		.map(({ entry }) => entry);
	const pages = safe.filter(({ kind }) => kind === PAGES);
	return [...new Set([...alike, ...pages, ...safe])].slice(0, SUGGESTED_MAX);
}

const pagesLast = (commands: Entry[]) => {
	const isPage = ({ kind }: Entry) => Number(kind === PAGES);
	return [...commands].sort((a, b) => isPage(a) - isPage(b));
};

/** The best first; of equally good ones, what was chosen lately, then the first of those given. Slips count only when nothing else fits. */
function ranked(commands: Entry[], things: Entry[], search: string, recent: string[]): Entry[] {
	const foundWith = (typos: boolean) => [
		...commands.flatMap((entry) => foundIn(entry, search, { typos })),
		...things.flatMap((entry) => foundIn(entry, search, { typos, inside: true }))
	];
	const exact = foundWith(false);
	const found = exact.length ? exact : foundWith(true).filter(({ entry }) => !entry.risky);
	const isRecent = ({ entry }: Found) => Number(recent.includes(entry.id));
	const isLast = ({ entry, fit }: Found) => Number(!!entry.risky && !fit.asked);
	return found
		.sort((a, b) => isLast(a) - isLast(b) || b.fit.score - a.fit.score || isRecent(b) - isRecent(a))
		.slice(0, ROWS_MAX)
		.map(({ entry: { risky, ...entry }, fit }) =>
			risky && !fit.asked ? { ...entry, risky } : entry
		);
}

/** The entry itself, what can be done with it, and what it does with a text. */
function foundIn(entry: Entry, search: string, how: Leniency): Found[] {
	const fit = fitOf(entry, search, how);
	return [
		...(fit && (fit.asked || !entry.onlyAsked) ? [{ entry, fit }] : []),
		...verbsOf(entry, search, how),
		...(how.typos ? [] : taken(entry, search))
	];
}

/** "ban moss", "turn off lithium", "lithium disable": what the verb asks for, of what the other words fit. */
function verbsOf({ verbs = [], ...thing }: Entry, search: string, how: Leniency): Found[] {
	const parts = partsOf(search);
	if (!verbs.length || parts.length < 2) return [];
	const splits = [
		[parts.slice(0, 1), parts.slice(1)],
		[parts.slice(0, 2), parts.slice(2)],
		[parts.slice(-1), parts.slice(0, -1)]
	].filter(([, about]) => about!.length);
	return verbs.flatMap(({ verb, also = [], ...one }): Found[] => {
		for (const [asked, about] of splits) {
			const said = asked!.join(' ');
			const isWhole = [verb, ...also].some((word) => isSaid(word, said));
			if (!isWhole && !(asked!.length === 1 && said.length > 1 && verb.startsWith(said))) continue;
			const fit = fitOf(thing, about!.join(' '), how);
			if (!fit) continue;
			const entry = { ...thing, ...one, id: `${verb}:${thing.id}` };
			return [{ entry, fit: { score: fit.score + (isWhole ? VERB_SAID : 0), asked: isWhole } }];
		}
		return [];
	});
}

function taken({ takes, field: _, ...entry }: Entry, search: string): Found[] {
	const lower = search.toLowerCase();
	// The longest first: "send message hello" is not about "message hello".
	const verbs = [...(takes?.verbs ?? [])].sort((a, b) => b.length - a.length);
	const verb = verbs.find((one) => lower.startsWith(`${one} `));
	const one = verb && takes?.with(search.slice(verb.length).trim());
	return one
		? [{ entry: { ...entry, ...one, id: `${entry.id}:with` }, fit: { score: TAKEN, asked: true } }]
		: [];
}
