/** `display` is what the game shows: with the prefix and suffix of a team, or a nickname. */
export type GamePlayer = { name: string; uuid: string | null; display: string };
/** `since` is null for those who were present before the part of the log that was read. */
export type PlayerOnline = GamePlayer & { since: string | null };
export type Known = PlayerOnline & {
	/** `joined the game` was seen. */
	announced: boolean;
	/** Controlled by a mod, not by a person: joins and leaves like a player. */
	fake: boolean;
	/** When they came or went, counted in entries of the game. */
	turn: number;
};

/** Far more than ever play together. */
const ONLINE_MAX = 2000;
const ALIASES_MAX = 8;
export const NAME_MAX_CHARS = 100;
/** `[VIP] Ana (away)` without the parts in brackets. */
const BEFORE_NAME = /^(?:\s*(?:\[[^\]]*\]|\([^)]*\)|\{[^}]*\}))+\s*/;
const BEHIND_NAME = /\s*(?:\[[^\]]*\]|\([^)]*\)|\{[^}]*\})$/;

/** Who is online, by the name of their profile and by everything that the game calls them. */
export interface Roster {
	byName(name: string): Known | null;
	/** By profile or display name, exactly as written. */
	exact(name: string): Known | null;
	/** Finds the player when only the part in brackets has changed; null when it can be several. */
	loose(display: string): Known | null;
	/** Players whose names stand in the text as words. */
	named(text: string): Known[];
	/**
	 * The player whose name, followed by a space, begins the text (the longest such name), and the rest of the text.
	 */
	leading(
		text: string,
		how: 'exact' | 'loose'
	): { player: Known; name: string; rest: string } | null;
	/** Replaces an entry of the same name. */
	add(player: Known): Known;
	learn(player: Known, display: string): void;
	remove(player: Known): void;
	clear(): void;
	all(): Known[];
}

export function createRoster(): Roster {
	const names = new Map<string, Known>();
	const displays = new Map<string, Known>();
	/** What each player has been called. */
	const aliases = new Map<Known, string[]>();
	/** By what they have been called, without the parts in brackets. */
	const bares = new Map<string, Set<Known>>();

	/** Updates the index of bare names for one player. */
	const reindex = (player: Known, before: string[], after: string[]) => {
		for (const key of before.map(bare)) {
			bares.get(key)?.delete(player);
			if (bares.get(key)?.size === 0) bares.delete(key);
		}
		for (const key of after.map(bare)) bares.set(key, (bares.get(key) ?? new Set()).add(player));
	};
	const call = (player: Known, after: string[]) => {
		const before = aliases.get(player) ?? [];
		for (const gone of before)
			if (!after.includes(gone) && displays.get(gone) === player) displays.delete(gone);
		for (const alias of after) displays.set(alias, player);
		reindex(player, before, after);
		if (after.length) aliases.set(player, after);
		else aliases.delete(player);
	};
	const remove = (player: Known) => {
		call(player, []);
		if (names.get(player.name) === player) names.delete(player.name);
	};
	const learn = (player: Known, display: string) => {
		player.display = display;
		const known = aliases.get(player) ?? [];
		if (known.includes(display)) displays.set(display, player);
		// The first one is the name of the profile.
		else call(player, [...known.slice(0, 1), ...known.slice(1).slice(1 - ALIASES_MAX), display]);
	};
	const exact = (name: string) => displays.get(name) ?? names.get(name) ?? null;
	const loose = (display: string) => {
		const name = bare(display);
		if (name === '' || name === display) return null;
		const found = bares.get(name);
		if (found?.size !== 1) return null;
		// Somebody's name in brackets is a chat format: that person speaks.
		return named(display.replace(name, ' ')).length ? null : [...found][0]!;
	};

	const named = (text: string) =>
		text
			.slice(0, NAME_MAX_CHARS)
			.split(/[\s[\](){}]+/)
			.map(exact)
			.filter((player) => player !== null);

	return {
		named,
		byName: (name) => names.get(name) ?? null,
		exact,
		loose,
		leading(text, how) {
			if (names.size === 0) return null;
			const end = Math.min(text.length, NAME_MAX_CHARS);
			for (let at = text.lastIndexOf(' ', end); at > 0; at = text.lastIndexOf(' ', at - 1)) {
				const name = text.slice(0, at);
				const player = exact(name) ?? (how === 'loose' ? loose(name) : null);
				if (player) return { player, name, rest: text.slice(at + 1) };
			}
			return null;
		},
		add(player) {
			const before = names.get(player.name);
			if (before) remove(before);
			names.set(player.name, player);
			call(player, [...new Set([player.name, player.display])]);
			if (names.size > ONLINE_MAX) remove(names.values().next().value!);
			return player;
		},
		learn,
		remove,
		clear() {
			for (const map of [names, displays, aliases, bares]) map.clear();
		},
		all: () => [...names.values()]
	};
}

function bare(display: string) {
	const name = display.slice(0, NAME_MAX_CHARS).replace(BEFORE_NAME, '');
	return name.replace(BEHIND_NAME, '').trim();
}
