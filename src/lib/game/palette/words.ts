/** What somebody typed, and what things are called, as words that can be compared; pure. */
export type Word = {
	/** As it was typed, for what is passed on. */
	raw: string;
	typed: string;
	/** The same for every form of the word and for every other word that means it. */
	core: string;
	/** Said beside what is meant: it may fit nothing. */
	weak: boolean;
};
/** A text read once: `said` and `meant` are equal for texts that say, or mean, the same. */
export type Phrase = {
	words: Word[];
	/** All that was typed. */
	text: string;
	/** Whether there are words in it that say nothing. */
	hasSmall?: boolean;
	said: string;
	meant: string;
	cores: Set<string>;
	forms: Set<string>;
	/** All but the last word, where that may become a small one: "stop s" on the way to "stop server". */
	before?: Phrase;
};

export const listOf = (...lines: string[]) => lines.flatMap((line) => line.split(' '));

/** They say nothing at all. */
const FILLERS = new Set(
	listOf(
		'a an the my our your this that these some any it its to for of from with by into please pls thanks go goto',
		'open show see view i me we us you can could would should will shall want need like let how much do does did',
		'is are was be been am what why where when who whos whats if and or so there here just now immediately all',
		'someone somebody anyone anybody something anything everyone everybody him her them they he she hey ok too very really',
		'in at about im i’m i’d id has away'
	)
);
/** Verb and particle, which may stand apart: "turn it off", "back the world up". */
const PAIRS: Record<string, string[]> = {
	...{ turn: ['on', 'off'], switch: ['on', 'off'], power: ['on', 'off'], shut: ['down', 'off'] },
	...{ back: ['up'], roll: ['back'], go: ['back'], put: ['back'], kick: ['out'], throw: ['out'] },
	...{ boot: ['up'], bring: ['up'], fire: ['up'], take: ['down'], log: ['out', 'off', 'in'] },
	...{ sign: ['out', 'in'], let: ['in', 'join'] }
};
/** How far apart those may stand. */
const APART_MAX = 4;

/** Several words for one thing; the first stands for all. */
const SAME = new Map(
	[
		'start boot launch boot-up bring-up fire-up power-on',
		'stop halt shutdown shut-down shut-off power-off take-down',
		'restart reboot relaunch',
		'backup back-up',
		'rollback roll-back revert go-back',
		'turn-on switch-on enable activate',
		'turn-off switch-off disable deactivate',
		'remove delete uninstall erase',
		'kick kick-out throw-out',
		'ban tempban',
		'pardon unban',
		'mod plugin modification',
		'player people folk',
		'memory ram',
		'cpu processor',
		'lag laggy slow slowly',
		'password passwd passcode',
		'notify notification alert email mail',
		'color colour',
		'program programme',
		'log-out log-off sign-out logout'
	].flatMap((line) => {
		const [first, ...others] = line.split(' ').map(stem);
		return others.map((other) => [other, first!] as const);
	})
);
/** They may decide between two that fit, and nothing more. */
const WEAK = new Set<string>();
const weak = (...lines: string[]) => {
	const cores = listOf(...lines).map((word) => SAME.get(stem(word)) ?? stem(word));
	for (const core of cores) WEAK.add(core);
	return new Set(cores);
};
/** Said along, of the whole or of what is done in any case. */
const ALONG = weak(
	'server minecraft game on off up turn-on turn-off change set make create add get give use have',
	'manage configure adjust try am pm last recent'
);
/** Whom, when or how much: left out, less was understood than was said. */
weak(
	'player minute min second sec hour day week month today yesterday tonight tomorrow',
	'morning evening night later soon ago # #.#',
	'half one two three four five ten fifteen twenty thirty forty',
	'year until till temp temporary temporarily forever permanently permanent'
);

/** One form of a word for all of its endings. Not a word itself: only ever compared with others. */
function stem(word: string): string {
	const bare = word.replace(/['’]$/, '');
	// A mode is no mod.
	if (bare.length < 4 || bare === 'mode' || /[\d_.:-]/.test(bare)) return bare;
	return bare
		.replace(/ies$/, 'y')
		.replace(/(ch|sh|x|ss)es$/, '$1')
		.replace(/([^su])s$/, '$1')
		.replace(/([b-df-hjkmnp-rtv-z])\1(?:ing|ed)$/, '$1')
		.replace(/(?<=.{3})(?:ing|ed)$/, '')
		.replace(/(?<=.{3})e$/, '');
}

/** Numbers, spans and versions are alike; a time of day is more than a number. */
const numbers = (word: string) =>
	/^\d\d?(?::\d\d)?(?:am|pm)$|^\d\d?:\d\d$/.test(word)
		? '#:#'
		: /^v?\d+(?:\.\d+)+$/.test(word)
			? '#.#'
			: /^\d+(?:ms?|s|secs?|mins?|h|hrs?|d|gb?|mb?)?$/.test(word)
				? '#'
				: word;

/** What stands around a word. A slash before it says that it is a command. */
const AROUND = /^[("“‘'[]+|[…?!,;:.)"”’'\]]+$/g;

export const partsOf = (text: string) =>
	text
		.split(/\s+/)
		.map((part) => part.replace(AROUND, ''))
		.filter(Boolean);

/** Reads a text, the words that say nothing left out unless there are no others. */
export function read(text: string): Phrase {
	const all = wordsOf(partsOf(text));
	const telling = all.filter(({ typed }) => !FILLERS.has(typed));
	const whole = all.map(({ typed }) => typed).join(' ');
	const phrase = {
		...phraseOf(telling.length ? telling : all),
		text: whole,
		hasSmall: telling.length > 0 && telling.length < all.length
	};
	const last = telling.at(-1);
	const isBegun = telling.length > 1 && last === all.at(-1) && mayBeSmall(last!.typed);
	return isBegun ? { ...phrase, before: phraseOf(telling.slice(0, -1)) } : phrase;
}

/** Of weak words alone, each counts. */
export function phraseOf(given: Word[]): Phrase {
	const isWeak = given.every(({ weak }) => weak);
	const words = isWeak ? given.map((word) => ({ ...word, weak: false })) : given;
	const strong = words.filter(({ weak }) => !weak);
	const key = (parts: string[]) => [...new Set(parts)].sort().join(' ');
	return {
		words,
		text: words.map(({ typed }) => typed).join(' '),
		said: key(words.map(({ typed }) => numbers(typed))),
		meant: key(strong.map(({ core }) => core)),
		cores: new Set(words.map(({ core }) => core)),
		forms: new Set(words.map(({ typed }) => typed))
	};
}

function wordsOf(parts: string[]): Word[] {
	const lower = parts.map((part) => part.toLowerCase().replaceAll("'", '’').replace(/’s$/, ''));
	const taken = new Set<number>();
	return parts.flatMap((raw, at): Word[] => {
		if (taken.has(at)) return [];
		const typed = lower[at]!;
		const particles = PAIRS[typed] ?? [];
		const other = lower.findIndex(
			(one, i) => i > at && i - at <= APART_MAX && !taken.has(i) && particles.includes(one)
		);
		if (other < 0) return [wordOf(raw, typed)];
		taken.add(other);
		return [wordOf(`${raw} ${parts[other]}`, `${typed} ${lower[other]}`)];
	});
}

function wordOf(raw: string, typed: string): Word {
	const stemmed = stem(numbers(typed).replace(' ', '-'));
	const core = SAME.get(stemmed) ?? stemmed;
	return { raw, typed, core, weak: WEAK.has(core) };
}

const known = new Map<string, Phrase>();
const KNOWN_MAX = 5000;
/** The same for what is compared again with every key: names and words for things. */
export function readOnce(text: string): Phrase {
	const before = known.get(text);
	if (before) return before;
	if (known.size > KNOWN_MAX) known.clear();
	const phrase = read(text);
	known.set(text, phrase);
	return phrase;
}

/** Whether some word of it is neither small nor weak. */
export const saysSomething = (text: string) =>
	wordsOf(partsOf(text)).some(({ typed, weak }) => !weak && !FILLERS.has(typed));

/** Whether a small word begins like this. */
export const mayBeSmall = (begun: string) =>
	[...FILLERS, ...WEAK].some((word) => word.startsWith(begun.toLowerCase()));

export const isWeak = (core: string) => WEAK.has(core);
export const isAlong = (core: string) => ALONG.has(core);
export const isFiller = (typed: string) => FILLERS.has(typed);

const TYPO_MIN = 5;
const isSwap = (a: string, b: string) => [...a].sort().join() === [...b].sort().join();

/** Whether one letter was left out, added, changed, or changed places with its neighbour. */
export function isSlip(word: string, typed: string): boolean {
	if (Math.abs(word.length - typed.length) > 1) return false;
	// Of few letters, another one makes another word: seed and send, help and heap.
	if (Math.min(word.length, typed.length) < TYPO_MIN && !isSwap(word, typed)) return false;
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
