/*
 * What the palette finds for what somebody typed. Where to look:
 *
 * Who says what, and where it leads: each entry with its phrases.
 *   commands.ts    what is done to the server, and the pages
 *   cancelling.ts  what is in progress
 *   errands.ts     what needs a form, and what is done elsewhere
 *   things.ts      players, mods, backups and crashes by name, with what can be done to them
 *   dashboard.ts   theme, shortcuts, log out
 * How a sentence is understood:
 *   words.ts       small and weak words, synonyms, endings
 *   match.ts       how well a name or a phrase fits
 *   said.ts        when, after how long, and the forms filled in with it
 *   game-commands.ts  what the game's console takes
 * Another word for something is one more phrase of its entry; what has to come first stands in typed.test.ts.
 */
import type { IconPath } from '$lib/ui/base/icon';
import { corrected, fitOf, isSure, likeness, type Fit, type Leniency } from './match';
import { isPlayerName } from '$lib/schemas/plain/player-name';
import { lasting, spanIn, versionIn, whenIn, type Said, type When } from './said';
import {
	isWeak,
	mayBeSmall,
	partsOf,
	phraseOf,
	read,
	readOnce,
	saysSomething,
	type Phrase,
	type Word
} from './words';

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
	/** Is not selected unless its very name was typed, and comes last unless that is begun: a slip would be one too many. */
	risky?: true;
	/** Found only when its name, or a word for it, was typed. */
	onlyAsked?: true;
	/** What was typed is not about this, though it has a word for it: "kill the dragon". */
	isElse?: (text: string) => boolean;
	/** What can be done with it: found by the verb and words of the entry itself, as in "ban moss". */
	verbs?: Verb[];
	/** What it is with all that a sentence says, as in "say hello"; null when that says no more than its words. */
	fill?: (said: Said) => Filled | null;
	/** Chosen from a search by a word for it: if it is not possible, nothing else is meant. */
	asked?: true;
	/** No name of it has all that was typed: a guess, which is not selected. */
	unsure?: true;
	/** Is left out where the same can be done to something known that what was typed fits. */
	yields?: true;
	/** Where others of its kind are that have in their names what was typed. */
	crowd?: { title: string; to: (typed: string) => string };
	/** What has the focus there, as a selector. */
	field?: string;
	/** Where it leads, or what it does. */
	to: string | (() => void);
};
export type Filled = Pick<
	Entry,
	'label' | 'to' | 'risky' | 'field' | 'blocked' | 'unsure' | 'yields'
> & {
	/** By what: a name that nothing here knows, a text, all of the sentence, some of it, or a command that comes last of all. */
	by: keyof typeof FILLED;
};
export type Verb = {
	verb: string;
	/** Is offered for the verb alone, too: "kick". */
	alone?: boolean;
	/** Is offered for the name alone, too: "moss", where only one is called so. */
	byName?: true;
	/** Its address takes what follows the name as `reason`. */
	takesReason?: true;
	/** Said beside its label where somebody wants it for some time only: it has no end of its own. */
	noEnd?: string;
	/** Further words for it. */
	also?: string[];
	label: string;
	risky?: true;
	blocked?: string | null;
	/** What has the focus there, as a selector. */
	field?: string;
	to: string;
};

/** The kind of what leads somewhere and does nothing. */
export const PAGES = 'Pages';
/** Above what nobody has asked for in so many words. */
export const PERHAPS = 'Perhaps one of these';
export const ROWS_MAX = 50;
/** Of a crowd so many are shown where something else was found as well. */
const EACH = 3;
const SUGGESTED_MAX = 3;
/** Fewer letters in common mean nothing. */
const LIKE_MIN = 2;
/** A verb and something known are both said; between a whole name and another word for something. */
const VERB_SAID = 92;
const VERB_MORE = 20;
/** Only the verb was said: after what it is a word for, before what it is in the name of. */
const VERB_ALONE = 76;
/** A word that a text follows means that, unless all of it is the name of something. */
const FILLED = { all: 97, text: 98, name: 78, guess: 19, last: 1 };
const NAME_MIN = 3;
const BEGUN_MIN = 3;

/** What somebody else may do: found by asking for it. */
export const reserved = (entry: Entry): Entry => ({
	...{ ...entry, onlyAsked: true as const },
	blocked: 'Only a superadmin may do this.'
});

export type Section = { title: string; entries: Entry[] };
type Found = {
	entry: Entry;
	fit: Fit;
	/** Comes after whatever else was found. */
	isLast?: boolean;
	isFilled?: true;
	/** It has a name that was not made here, and may have any word in it. */
	isThing?: boolean;
	isSure: boolean;
	/** Found only by putting right or leaving out some words: nothing of it is selected that is risky. */
	isLoose?: boolean;
};

/**
 * Without a search: what was chosen last, then all commands, of each kind those that cannot be done now at its end. With
 * one: commands, pages and things, the best first.
 */
export function sections(
	commands: Entry[],
	things: Entry[],
	search: string,
	recent: string[]
): Section[] {
	const wanted = search.trim();
	if (wanted) {
		const found = ranked(pagesLast(commands), things, wanted, recent);
		const title = found[0]?.unsure ? PERHAPS : 'Found';
		return crowdsApart(found, wanted, title).map(({ title, entries }) => ({
			...{ title, entries: entries.slice(0, ROWS_MAX) }
		}));
	}
	const all = new Map([...commands, ...things].map((entry) => [entry.id, entry]));
	const latest = recent.flatMap((id) => all.get(id) ?? []);
	const rest = commands.filter(({ id, onlyAsked }) => !onlyAsked && !recent.includes(id));
	const kinds = [...new Set(rest.map(({ kind }) => kind))];
	return [
		{ title: 'Recent', entries: latest },
		...kinds.map((title) => ({
			...{ title, entries: possibleFirst(rest.filter(({ kind }) => kind === title)) }
		}))
	].filter(({ entries }) => entries.length);
}

const possibleFirst = (entries: Entry[]) =>
	entries.toSorted((a, b) => Number(!!a.blocked) - Number(!!b.blocked));

/** Where several kinds were found, a few of each crowd with a way to all of it, so that none hides another. */
function crowdsApart(found: Entry[], typed: string, others: string): Section[] {
	const titleOf = ({ label, crowd }: Entry) =>
		crowd && label.toLowerCase().includes(typed.toLowerCase()) ? crowd.title : others;
	const parts = [...new Set(found.map(titleOf))].map((title) => ({
		...{ title, entries: found.filter((one) => titleOf(one) === title) }
	}));
	const isCrowd = ({ title, entries }: Section) => title !== others && entries.length > EACH + 1;
	if (parts.length < 2 || !parts.some(isCrowd))
		return found.length ? [{ title: others, entries: found }] : [];
	return parts.map((part) => (isCrowd(part) ? fewOf(part, typed) : part));
}

function fewOf({ title, entries }: Section, typed: string): Section {
	const { kind, icon, crowd } = entries[0]!;
	const all: Entry = {
		...{ id: `all:${kind}`, kind, ...(icon && { icon }) },
		label: `All ${entries.length} ${title.toLowerCase()} with “${typed}”`,
		to: crowd!.to(typed)
	};
	return { title, entries: [...entries.slice(0, EACH), all] };
}

/** What Enter takes before anybody has moved: the first that is possible, unless that is a guess or a slip would cost something. */
export function preselected(entries: Entry[], search: string): Entry | undefined {
	// Nobody has asked for anything yet.
	if (!search.trim()) return undefined;
	// What was asked for is not replaced by something else.
	if (entries[0]?.blocked && entries[0].asked) return undefined;
	const best = entries.find(({ blocked }) => !blocked);
	return best && !best.risky && !best.unsure ? best : undefined;
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

/**
 * The best first; of equally good ones, what is possible now, what was chosen lately, then the first of those given.
 * Where not all of it fits anything, a slip is put right; then what some of the words are about is found.
 */
function ranked(commands: Entry[], things: Entry[], typed: string, recent: string[]): Entry[] {
	const known = new Set(things.map(({ label }) => label.toLowerCase()));
	const isCommand = typed.startsWith('/');
	const fills = (text: string) =>
		[...commands, ...things].flatMap((entry) => filled(entry, text, known));
	const texts = fills(typed);
	let found = isCommand ? texts : filledFirst([...foundWith(commands, things, typed), ...texts]);
	if (!isCommand && found.every(({ isLast }) => isLast))
		found = filledFirst([...inOtherWords(commands, things, typed, fills), ...found]);
	found = [...found, ...offeredFor(things, typed)];
	const possible = found.flatMap(({ entry }) => (entry.blocked ? [] : [entry.id]));
	found = found.filter(
		({ entry }) => !entry.yields || !possible.some((id) => id.startsWith(`${entry.id}:`))
	);

	// "Who is op" wants a list, not a form.
	const isForm = ({ entry }: Found) => Number(A_QUESTION.test(typed) && entry.label.endsWith('…'));
	const isBlocked = ({ entry }: Found) => Number(!!entry.blocked);
	const isRecent = ({ entry }: Found) => Number(recent.includes(entry.id));
	// A snapshot from before an update is not what "update" asks for.
	const isInside = (one: Found) =>
		Number(
			!!one.isThing &&
				!(one.fit.asked || one.fit.still || isRecent(one) || isBegun(one.entry.label, typed))
		);
	const isLast = ({ entry, fit, isLoose }: Found) =>
		Number(!!entry.risky && !fit.asked && !fit.still && !isLoose && !isBegun(entry.label, typed));
	return found
		.sort(
			(a, b) =>
				isLast(a) - isLast(b) ||
				isForm(a) - isForm(b) ||
				isInside(a) - isInside(b) ||
				b.fit.score - a.fit.score ||
				isBlocked(a) - isBlocked(b) ||
				isRecent(b) - isRecent(a)
		)
		.map(({ entry: { risky, ...entry }, fit, isSure }) => ({
			...entry,
			...(!isSure && { unsure: true as const }),
			...(risky && !fit.asked && { risky }),
			...(fit.asked && { asked: true as const })
		}));
}

/** Somebody is about to type its name: it is shown where it belongs, and is not selected yet. */
const isBegun = (label: string, typed: string) =>
	typed.length >= BEGUN_MIN && label.toLowerCase().startsWith(typed.toLowerCase());

/** What can be done now with the only one whose name is begun, or typed in full; after it. */
function offeredFor(things: Entry[], typed: string): Found[] {
	const begun = things.filter(
		({ label, verbs }) => verbs?.some(({ byName }) => byName) && isBegun(label, typed)
	);
	const whole = begun.find(({ label }) => label.length === typed.length);
	const named = whole ?? (begun.length === 1 ? begun[0] : undefined);
	const fit = named && fitOf(named, read(typed));
	return fit ? doable(named, { score: fit.score - 1, asked: false, still: true }) : [];
}

/** What its name alone offers to do with it. */
const doable = ({ verbs = [], crowd: _, ...thing }: Entry, fit: Found['fit']): Found[] =>
	verbs
		.filter(({ byName, blocked }) => byName && !blocked)
		.map(({ verb, label, to, risky, field }) => ({
			entry: {
				...{ ...thing, id: `${verb}:${thing.id}`, label, to },
				...(risky && { risky }),
				...(field && { field })
			},
			...{ fit, isSure: true }
		}));

function foundWith(commands: Entry[], things: Entry[], text: string, partly = false): Found[] {
	const search = read(text);
	const verbs = verbFinder(search);
	return [
		...commands.flatMap((entry) => foundIn(entry, search, verbs, { partly })),
		...things.flatMap((entry) => foundIn(entry, search, verbs, { partly, inside: true }))
	];
}

/** Nothing risky has been asked for in so many words, and from some of them nothing is done at once. */
function inOtherWords(
	commands: Entry[],
	things: Entry[],
	typed: string,
	fills: (text: string) => Found[]
): Found[] {
	const right = corrected([...commands, ...things], typed);
	const whole =
		right === null ? [] : filledFirst([...foundWith(commands, things, right), ...fills(right)]);
	const loose = (one: Found) => ({
		...one,
		fit: { ...one.fit, asked: false },
		isLoose: true
	});
	if (whole.length) return whole.map(loose);
	return foundWith(commands, things, right ?? typed, true).map((one) => {
		const { entry } = one;
		return loose(
			typeof entry.to === 'function' ? { ...one, entry: { ...entry, risky: true } } : one
		);
	});
}

/** The entry itself, and what can be done with it. */
function foundIn(entry: Entry, search: Phrase, verbs: VerbFinder, how: Leniency): Found[] {
	if (entry.isElse?.(search.text)) return [];
	const fit = fitOf(entry, search, how);
	return [
		...(fit && (fit.asked || how.partly || !entry.onlyAsked)
			? [
					{
						...{ entry, fit, isSure: !!fit.still || isSure(entry, search, how) },
						isThing: !!how.inside && entry.kind !== PAGES
					}
				]
			: []),
		...verbsOf(entry, search, verbs, how)
	];
}

type VerbFinder = (phrases: string[]) => { about: Phrase; isWhole: boolean } | null;

/** Finds a verb in a search, wherever its words stand or as the beginning of the first, and what it is about. */
function verbFinder({ words }: Phrase): VerbFinder {
	const before = new Map<string, ReturnType<VerbFinder>>();
	const rest = (about: Word[], isWhole: boolean) =>
		about.some(({ weak }) => !weak) ? { about: phraseOf(about), isWhole } : null;
	function find(phrases: string[]): ReturnType<VerbFinder> {
		for (const phrase of phrases) {
			const { cores } = readOnce(phrase);
			if (![...cores].every((core) => words.some((word) => word.core === core))) continue;
			const about = rest(
				words.filter(({ core }) => !cores.has(core)),
				true
			);
			if (about) return about;
		}
		const begun = words[0]?.typed ?? '';
		return begun.length > 1 && phrases[0]!.startsWith(begun) ? rest(words.slice(1), false) : null;
	}
	return (phrases) => {
		const key = phrases.join();
		if (!before.has(key)) before.set(key, find(phrases));
		return before.get(key)!;
	};
}

/** "ban moss", "turn off lithium", "lithium disable": what the verb asks for, of what the other words fit. */
function verbsOf(
	{ verbs = [], crowd: _, ...thing }: Entry,
	search: Phrase,
	find: VerbFinder,
	how: Leniency
): Found[] {
	return verbs.flatMap(({ verb, also = [], alone, takesReason, noEnd, ...one }): Found[] => {
		const id = `${verb}:${thing.id}`;
		const said = find([verb, ...also]);
		if (!said || isKindOnly(thing, said.about)) {
			const isOffered = alone && !one.blocked && isAlone([verb, ...also], thing, search);
			const fit = { score: VERB_ALONE, asked: false, still: true };
			return isOffered ? [{ entry: { ...thing, ...one, id }, fit, isSure: true }] : [];
		}
		const why = takesReason && said.isWhole ? reasonAfter(thing, said.about, search) : null;
		const fit = why === null ? fitOf(thing, said.about, how) : fitOf(thing, firstOf(said.about));
		if (!fit) return [];
		const to = why ? `${one.to}&reason=${encodeURIComponent(why)}` : one.to;
		const ends = noEnd && lasting(search.text.replace(thing.label.toLowerCase(), '')).ends;
		const label = ends ? withNote(one.label, noEnd) : one.label;
		const entry = { ...thing, ...one, label, to, id };
		const { isWhole } = said;
		const score = isWhole && !how.partly ? VERB_SAID + fit.score / VERB_MORE : fit.score;
		return [
			{
				...{ entry, fit: { score, asked: isWhole && !how.partly } },
				isSure:
					!ends && !A_QUESTION.test(search.text) && (why !== null || isSure(thing, said.about, how))
			}
		];
	});
}

/** "Kick moss from the server" says no more than "kick moss". */
const WHENCE = /^(?:(?:from|out of|off) (?:the|my|our|this) \S+|from \S+|off|out)(?:\s+|$)/;
const firstOf = ({ words }: Phrase) => phraseOf(words.slice(0, 1));
/** "Remove all mods" is not about Mod Menu. */
const isKindOnly = ({ label, kind }: Pick<Entry, 'label' | 'kind'>, { words, said }: Phrase) =>
	readOnce(label).said !== said &&
	words.every(({ core, weak }) => weak || readOnce(kind).cores.has(core));
/** "Kick", "kick a player": the verb, and nothing that tells whom. */
const isAlone = (phrases: string[], { kind }: Pick<Entry, 'kind'>, { words, cores }: Phrase) =>
	phrases.some((phrase) => {
		const verb = readOnce(phrase).cores;
		const isSaid = [...verb].every((core) => cores.has(core));
		return (
			isSaid &&
			words.every(({ core, weak }) => weak || verb.has(core) || readOnce(kind).cores.has(core))
		);
	});
/** "Who banned moss" wants to know, and nothing done. */
const A_QUESTION = /^(?:who|whos|when|why|did|was|is|are|has|have)\b/;
/** "Ban moss (bans last until pardoned)…" */
export const withNote = (label: string, note: string) => `${label.replace(/…$/, '')} (${note})…`;
/** "kick moss for griefing": what follows a whole name, without how long; null when nothing does. */
function reasonAfter(thing: Entry, about: Phrase, { text }: Phrase): string | null {
	const name = about.words[0]?.typed ?? '';
	if (about.words.length < 2 || name !== thing.label.toLowerCase()) return null;
	const { left } = lasting(text.slice(text.indexOf(name) + name.length));
	// "And ban him" is something else to be done.
	if (/^and\b/.test(left)) return null;
	return left.replace(WHENCE, '').replace(BECAUSE, '');
}

const BECAUSE = /^(?:for|because(?: of)?|since)\s+/i;
/** "ban Steve for 3 days for griefing" as `ban Steve` and `griefing`. */
function parted(typed: string): { named: string; reason: string } {
	const { left } = lasting(typed);
	const [named = ''] = left.split(/\s+(?=(?:for|because|since)\s)/i);
	return { named, reason: left.slice(named.length).trim().replace(BECAUSE, '') };
}
export const reasonIn = (typed: string) => parted(typed).reason;

/** What an entry is with all that was typed; a sentence that says when is tried without that first. */
function filled(given: Entry, typed: string, known: Set<string>): Found[] {
	const { id, kind, icon, words, blocked, fill } = given;
	if (!fill) return [];
	const entry: Omit<Entry, 'label' | 'to'> = {
		...{ id, kind },
		...(blocked !== undefined && { blocked }),
		...(icon && { icon }),
		...(words && { words })
	};
	const time = whenIn(typed);
	const timed = time && fill(saidOf(entry, time.left, time.when));
	const one = timed ?? fill(saidOf(entry, typed, null));
	if (!one) return [];
	const { by, ...rest } = one;
	// It was said when, and this takes no time.
	const isUntimed = time !== null && by === 'all' && one !== timed;
	const named = by === 'name' ? parted(typed).named : typed;
	const name = saidOf(entry, named, null).rest?.[0]?.toLowerCase();
	const others = phraseOf(read(named).words.filter((word) => word.typed !== name));
	// Whoever is known is found by name.
	if (by === 'name' && name && known.has(name)) return [];
	const isLast = by === 'last' || by === 'guess';
	const toOne = isToOne(typed, known);
	return [
		{
			entry: { ...entry, ...rest, id: isLast && !one.unsure ? `${id}:last` : id },
			fit: { score: toOne ? Math.min(FILLED.name, FILLED[by]) : FILLED[by], asked: true },
			isLast,
			isFilled: true,
			isSure:
				!one.unsure &&
				!isUntimed &&
				!toOne &&
				(by !== 'name' || isSure(given, others, { whole: true }))
		}
	];
}

const TO_ONE = /^(?:tell|message|write|msg|whisper) (?:to )?(\S+)(.*)/;
/** "Tell moss to stop", "message mossf" are for one, and the chat is for all. */
function isToOne(typed: string, known: Set<string>): boolean {
	const [, name = '', more = ''] = TO_ONE.exec(typed.toLowerCase()) ?? [];
	const isBegun = !more.trim() && name.length >= BEGUN_MIN;
	return known.has(name) || (isBegun && [...known].some((one) => one.startsWith(name)));
}

/** One row for each: what is filled in takes the place of what is not, and the first that of others. */
function filledFirst(found: Found[]): Found[] {
	const full = new Map(
		found.flatMap((one) => (one.isFilled ? [[one.entry.id, one] as const] : [])).reverse()
	);
	return found.filter((one) => (full.get(one.entry.id) ?? one) === one);
}

function saidOf(
	{ words: phrases = [] }: Pick<Entry, 'words'>,
	typed: string,
	when: When | null
): Said {
	const { words } = readOnce(typed);
	const longest = [...phrases].sort((a, b) => b.length - a.length);
	const has = (core: string) => words.some((word) => word.core === core);
	const asked = longest.find((phrase) => [...readOnce(phrase).cores].every(has));
	// What it has a word for is no name: the friend of "let my friend in".
	const own = new Set(longest.flatMap((phrase) => [...readOnce(phrase).cores]));
	const left =
		asked === undefined ? null : words.filter(({ core }) => !own.has(core) && !isWeak(core));
	const lower = typed.toLowerCase();
	const before = longest.find((one) => lower.startsWith(`${one} `));
	const text = before === undefined ? '' : typed.slice(before.length).trim();
	return {
		...{ typed, when, version: versionIn(typed), span: spanIn(typed) },
		rest: left && left.map(({ raw }) => raw),
		text: saysSomething(text) ? text : null
	};
}

/** Kinds of players. */
const NO_NAMES = /^(?:cracked|bedrock|idle|afk)$/i;
/** The one word left over, where it may be somebody's name; of what stands before a reason, if there is one. */
export const nameIn = ({ rest, when, typed }: Said) => {
	const before = new Set(partsOf(parted(typed).named));
	const [name = '', ...others] = rest?.filter((word) => before.has(word)) ?? [];
	const isOne =
		!when && !others.length && name.length >= NAME_MIN && !mayBeSmall(name) && !NO_NAMES.test(name);
	return isOne && isPlayerName(name, null) ? name : null;
};
