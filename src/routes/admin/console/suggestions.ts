import type { KnownCommand } from '$lib/schemas/console';

/** What may stand in the place of the word that is being typed. */
type Suggestion = {
	word: string;
	/** Beside it: what may follow. */
	detail: string;
	/** Something may follow it. */
	goesOn: boolean;
};
export type Suggestions = { /** Where that word begins. */ from: number; options: Suggestion[] };

type Known = {
	commands: KnownCommand[];
	/** Those online first. */
	players: string[];
};

const OPTIONS_MAX = 50;
const NONE: Suggestions = { from: 0, options: [] };
/** Values of an argument that every game has. */
const VALUES: Record<string, string[]> = {
	gamemode: ['survival', 'creative', 'adventure', 'spectator']
};
const NAMES_PLAYER = /target|player|destination|member|victim/i;

/** What the last word may become: a command, or what the command's notation has at this place. */
export function suggest(typed: string, known: Known): Suggestions {
	const text = typed.trimStart();
	if (!text) return NONE;
	const words = text.split(/\s+/);
	const last = words.at(-1)!;
	if (words.length === 1) {
		const slash = last.startsWith('/') ? 1 : 0;
		const found = known.commands.map(({ name, usage }) => ({
			...{ word: name, detail: usage, goesOn: usage !== '' }
		}));
		return matching(last.slice(slash), typed.length, found);
	}
	const { places, isWhole } = placesOf(usageOf(words[0]!.replace(/^\//, ''), known.commands));
	const index = words.length - 2;
	const isLast = isWhole && index === places.length - 1;
	const place = places[index];
	// What comes after a choice is not said: often it is somebody.
	const options = place ? valuesAt(place, known.players) : isWhole ? [] : known.players;
	return matching(
		last,
		typed.length,
		options.map((word) => ({ word, detail: '', goesOn: !isLast }))
	);
}

/** Those that begin with it before those that have it after a sign. What is there already is not suggested. */
function matching(typed: string, end: number, all: Suggestion[]): Suggestions {
	const wanted = typed.toLowerCase();
	const rank = ({ word }: Suggestion) => {
		const name = word.toLowerCase();
		if (name.startsWith(wanted)) return 0;
		return /[_:.-]/.test(name) && name.split(/[_:.-]/).some((part) => part.startsWith(wanted))
			? 1
			: 2;
	};
	const ranked = [0, 1].flatMap((wantedRank) => all.filter((one) => rank(one) === wantedRank));
	const options = ranked.filter(({ word }) => word !== typed).slice(0, OPTIONS_MAX);
	return { from: end - typed.length, options };
}

/** `tell` is used as `msg` is. */
function usageOf(name: string, commands: KnownCommand[]): string | null {
	const find = (wanted: string) => commands.find((command) => command.name === wanted)?.usage;
	const usage = find(name);
	const other = usage && /^-> (\S+)$/.exec(usage)?.[1];
	return (other ? find(other) : usage) ?? null;
}

/** `(grant|revoke) [<reason>]` by its places; `isWhole`: nothing else can follow. */
function placesOf(usage: string | null): { places: string[]; isWhole: boolean } {
	const places = usage?.match(/\[[^\]]*\]|\([^)]*\)|\S+/g) ?? [];
	const choices = places.at(-1)?.startsWith('(') ?? false;
	return { places, isWhole: usage !== null && !choices };
}

function valuesAt(place: string, players: string[]): string[] {
	const alternatives = place.replace(/^[[(]+|[\])]+$/g, '').split('|');
	return [...new Set(alternatives.flatMap((one) => valuesOf(one, players)))];
}
function valuesOf(alternative: string, players: string[]): string[] {
	const argument = /^<(.+)>$/.exec(alternative)?.[1];
	if (argument === undefined) return /^[\w:.*-]+$/.test(alternative) ? [alternative] : [];
	if (NAMES_PLAYER.test(argument)) return players;
	return VALUES[argument] ?? [];
}
