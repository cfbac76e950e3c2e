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
	/** Where it leads, or what it does. */
	to: string | (() => void);
};

export const ROWS_MAX = 50;
/** The bonus of recent choices: they come before equally good matches. */
const RECENT_BONUS = 1.2;
/** Below this score only scattered letters matched. */
const SCORE_MIN = 0.01;

export type Section = { title: string; entries: Entry[] };

/** Without a search: what was chosen last, then all commands. With one: commands and things, the best first. */
export function sections(
	commands: Entry[],
	things: Entry[],
	search: string,
	recent: string[]
): Section[] {
	const wanted = search.trim();
	if (wanted) {
		const entries = ranked([...commands, ...things], wanted, recent);
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

function ranked(entries: Entry[], search: string, recent: string[]): Entry[] {
	return entries
		.map((entry) => {
			const score = computeCommandScore(entry.label, search, entry.words ?? []);
			return { entry, score: recent.includes(entry.id) ? score * RECENT_BONUS : score };
		})
		.filter(({ score }) => score > SCORE_MIN)
		.sort((a, b) => b.score - a.score)
		.slice(0, ROWS_MAX)
		.map(({ entry }) => entry);
}
