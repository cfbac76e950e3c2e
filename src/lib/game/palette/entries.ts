import { computeCommandScore } from 'bits-ui';
import type { IconPath } from '$lib/ui/base/icon';

/** One line of the command palette. */
export type Entry = {
	/** Stable across visits: recent choices are remembered by it. */
	id: string;
	label: string;
	/** What it is, in a word: `Page`, `Mod`. */
	kind: string;
	icon?: IconPath;
	/** Further words to find it by. */
	words?: string[];
	/** Why it is not possible now. */
	blocked?: string | null;
	/** Not selected before somebody asks for it: a slip of the finger would be one too many. */
	risky?: true;
	/** Not found by fewer letters, with which something begins that is meant more often. */
	least?: number;
	/** What can be done with it: found by the verb and words of the entry itself, as in "ban moss". */
	verbs?: { verb: string; label: string; risky?: true; to: string }[];
	/** What has the focus there, as a selector. */
	field?: string;
	/** Where it leads, or what it does. */
	to: string | (() => void);
};

/** The kind of what leads somewhere and does nothing. */
export const PAGES = 'Pages';
export const ROWS_MAX = 50;
/** Below this only a few of the letters matched, far apart. */
const SCATTERED_MIN = 0.01;

export type Section = { title: string; entries: Entry[] };

/** Without a search: what was chosen last, then all commands. With one: commands, pages and things, the best first. */
export function sections(
	commands: Entry[],
	things: Entry[],
	search: string,
	recent: string[]
): Section[] {
	const wanted = search.trim();
	if (wanted) {
		const isPage = ({ kind }: Entry) => Number(kind === PAGES);
		const known = commands
			.filter(({ least = 0 }) => wanted.length >= least)
			.sort((a, b) => isPage(a) - isPage(b));
		const entries = ranked([...known, ...things, ...asked(things, wanted)], wanted, recent);
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

/** "ban moss": what the first word asks for, of everything that the others fit. */
function asked(things: Entry[], search: string): Entry[] {
	const [wanted = '', ...about] = search.toLowerCase().split(/\s+/);
	if (!about.length) return [];
	return things
		.filter((thing) => thing.verbs && wordScore(thing, about))
		.flatMap(({ verbs = [], ...thing }) =>
			verbs
				.filter((one) => one.verb.startsWith(wanted))
				.map(({ verb, ...one }): Entry => ({
					...{ ...thing, ...one, id: `${verb}:${thing.id}` },
					words: [...(thing.words ?? []), verb]
				}))
		);
}

/** The best first; of equally good ones, what was chosen lately, then the first of those given. Scattered letters count only when nothing else fits. */
function ranked(entries: Entry[], search: string, recent: string[]): Entry[] {
	const parts = search.toLowerCase().split(/\s+/);
	const found = scored(entries, (entry) => wordScore(entry, parts));
	const some = found.length
		? found
		: scored(entries, ({ label, words = [] }) => {
				const score = computeCommandScore(label, search, words);
				return score > SCATTERED_MIN ? score : 0;
			});
	const isRecent = ({ id }: Entry) => Number(recent.includes(id));
	return some
		.sort((a, b) => b.score - a.score || isRecent(b.entry) - isRecent(a.entry))
		.slice(0, ROWS_MAX)
		.map(({ entry }) => entry);
}

const scored = (entries: Entry[], score: (entry: Entry) => number) =>
	entries.map((entry) => ({ entry, score: score(entry) })).filter(({ score }) => score > 0);

/** How well every part fits some word: 0 when one fits none. A hit in the label outweighs all in the further words. */
function wordScore({ label, words = [] }: Entry, parts: string[]): number {
	const lower = label.toLowerCase();
	let sum = lower.startsWith(parts.join(' ')) ? 1 : 0;
	for (const part of parts) {
		const best = Math.max(
			fit(lower, part) * IN_LABEL,
			...words.map((word) => fit(word.toLowerCase(), part))
		);
		if (!best) return 0;
		sum += best;
	}
	return sum;
}
const IN_LABEL = 4;

/** 3 for a whole word, 2 for the beginning of one, 0.5 for what lies inside one. */
function fit(text: string, part: string): number {
	let best = 0;
	for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
		const begins = !isWord(text[at - 1]);
		const ends = !isWord(text[at + part.length]);
		best = Math.max(best, begins ? (ends ? 3 : 2) : 0.5);
	}
	return best;
}
const isWord = (character: string | undefined) =>
	character !== undefined && /[\p{L}\p{N}]/u.test(character);
