import { HOURS } from '$lib/schemas/cron/presets';
import type { TaskDraft } from '$lib/schemas/task';
import { saysSomething } from './words';

/** What a sentence says beside what is to be done: when, after how long, which version; pure. */
export type Said = {
	typed: string;
	/** The telling words that are left over; null where nothing of it was asked for. */
	rest: string[] | null;
	/** What follows the words for it, as it was typed. */
	text: string | null;
	when: When | null;
	version: string | null;
	/** Seconds. */
	span: number | null;
};
export type When = Pick<TaskDraft, 'preset' | 'time' | 'day' | 'hours' | 'cron'> & {
	/** It was said how often. */
	repeats: boolean;
	/** A day was said that is not filled in. */
	otherDay?: true;
	/** The same in words. */
	words: string;
	/** Only while nobody plays: for so many minutes, where that was said. */
	empty?: { minutes: string | null };
};

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const HALF_DAY = 12;
const NIGHT_ENDS = '06:00';

/** "The backup of Sunday" is there already. */
const NOT_PAST = '(?<!\\b(?:of|from|since|last) )';
const PART = '(?:morning|evening|afternoon|night)';
const EVERY_N =
	/\b(?:every|each|once (?:an?|per)) (?:(\d{1,2}) ?)?(minutes?|mins?|hours?|hrs?|h)\b|\b(hourly)\b/i;
const WEEKLY = new RegExp(
	`${NOT_PAST}\\b(?:(?:every|each|on|next|this|coming) )*(${DAYS.join('|')})s?(?: ${PART})?\\b|` +
		'\\b(?:weekly|(?:every|each|once (?:a|per)) week)\\b',
	'i'
);
const DAILY =
	/\b(?:every|each|once (?:a|per)) (?:single )?(day|night|morning|evening|afternoon)\b|\b(?:daily|nightly)\b/i;
const ONCE = new RegExp(
	`${NOT_PAST}\\b(?:tonight|today|tomorrow(?: ${PART})?|this ${PART}|at night|in the ${PART})\\b(?![’']s)`,
	'i'
);
/** Some day that only the form can be told. */
const SOME_DAY =
	/\b(?:in (?:\d{1,3}|an?|one|two|three|four|five|ten|a few) (?:days?|weeks?|months?)|next (?:week|weekend|month)|at the weekend)\b/i;
const JUST_ONCE = /\b(?:(?:just|only) )?(?:once|one time)\b/i;
const CLOCK =
	/(?:\b(?:at|around|by) |@ ?)?\b(?:([01]?\d|2[0-3]):([0-5]\d)|(\d{1,2})(?= ?[ap]m\b))(?: ?([ap]m)\b)?|\b(?:at|around|by) ([01]?\d|2[0-3])\b(?! ?(?:players?|%|minutes?|hours?))(?: o[’']?clock\b)?|\b(?:at )?(midnight|noon)\b/i;
const SOMETIME = /\b(?:schedule|scheduled|automatic|automatically|auto|regular|regularly)\b/i;

const PEOPLE = '(?:players?|people|person)';
const EMPTY = new RegExp(
	'\\b(?:when(?:ever)?|if|once|while|as soon as|after) (?:' +
		"(?:(?:the |my )?server (?:is|becomes|gets) |it(?:[’']?s| is| becomes| gets) )?empty|" +
		`(?:nobody|no[- ]?one|no ${PEOPLE}|0 ${PEOPLE})(?: (?:is|are|has|plays?|played|playing|on|online|there|left|in|the|server|connected|any ?more))*|` +
		`(?:everyone|everybody|all(?: the)? ${PEOPLE}|the last (?:one|${PEOPLE})) (?:has |have |is |are )?(?:left|leaves?|gone|off|offline|logs? (?:off|out)|logged (?:off|out)))` +
		'\\b(?: for (?:at least )?(\\d{1,3}) ?(?:m|mins?|minutes?)\\b)?',
	'i'
);

/** When something is to be done, and the text without it; null when nothing is said about that. */
export function whenIn(typed: string): { when: When; left: string } | null {
	const alone = EMPTY.exec(typed);
	if (!alone) return timeIn(typed);
	const left = typed.replace(alone[0], ' ').replace(/\s+/g, ' ').trim();
	const time = timeIn(left) ?? { when: { repeats: true, words: '' }, left };
	return { ...time, when: { ...time.when, empty: { minutes: alone[1] ?? null } } };
}

function timeIn(typed: string): { when: When; left: string } | null {
	let left = typed;
	const take = (pattern: RegExp) => {
		const found = pattern.exec(left);
		if (found) left = left.replace(found[0], ' ');
		return found;
	};
	const every = take(EVERY_N);
	const week = every ? null : take(WEEKLY);
	const daily = every || week ? null : take(DAILY);
	const once = take(ONCE);
	const someDay = every || week || daily || once ? null : take(SOME_DAY);
	const clock = take(CLOCK);
	const sometime = take(SOMETIME);
	const day = week ?? daily ?? once ?? someDay;
	if (!every && !day && !clock && !sometime) return null;
	take(JUST_ONCE);
	const part = `${week?.[0] ?? ''} ${daily?.[0] ?? ''} ${once?.[0] ?? ''}`;
	const isNight = /night/i.test(part);
	const isLate = isNight || /evening|afternoon/i.test(part);
	const time = clock && timeOf(clock, isLate, isNight);
	// "On Sunday" is one; "Sundays" and "every Sunday" are all.
	const weekly = week && /every|each|weekly|week$|days\b/i.test(week[0]);
	const repeats = !!(every ?? weekly ?? daily) || /^(?:auto|regular)/i.test(sometime?.[0] ?? '');
	const tidy = left.replace(/\s+/g, ' ').trim();
	if (every) return { when: everyOf(every), left: tidy };
	if (!day && !time) {
		// "Disable the schedule" says nothing that could be done then.
		return saysSomething(tidy) ? { when: { repeats, words: '' }, left: tidy } : null;
	}
	const at = time ? ` at ${time}` : '';
	const facts = { ...(time && { time }), repeats };
	const name = week?.[1]?.toLowerCase();
	const dayName = name && name[0]!.toUpperCase() + name.slice(1);
	const ofWeek = name && { day: String(DAYS.indexOf(name)) };
	if (!repeats) {
		const which = dayName ? { ...ofWeek, words: `on ${dayName}` } : dayOf(once?.[0] ?? '', time);
		const words = `${which.words}${at}`.trim();
		const when = { preset: 'once' as const, ...facts, ...which, words };
		return { when: someDay ? { ...when, otherDay: true } : when, left: tidy };
	}
	if (!week) return { when: { preset: 'daily', ...facts, words: `every day${at}` }, left: tidy };
	const words = `every ${dayName ?? 'week'}${at}`;
	return { when: { preset: 'weekly', ...ofWeek, ...facts, words }, left: tidy };
}

/** Which day the server makes of it by its own clock. Without one it is the next on which the time lies ahead. */
function dayOf(said: string, time: string | null): { day?: string; words: string } {
	const [first = ''] = said.toLowerCase().split(' ');
	if (first === 'tomorrow') return { day: 'tomorrow', words: 'tomorrow' };
	// "Tonight at 4", and midnight today, are after today for most of the day.
	const isAfter = time && (first === 'tonight' ? time < NIGHT_ENDS : time === '00:00');
	if (/^(?:tonight|today|this)$/.test(first))
		return { ...(!isAfter && { day: 'today' }), words: first === 'tonight' ? first : 'today' };
	return { words: time ? '' : said.toLowerCase() };
}

function everyOf([, count = '1', unit = 'hour']: RegExpExecArray): When {
	const isHours = unit.toLowerCase().startsWith('h');
	const words = `every ${count === '1' ? '' : `${count} `}${isHours ? 'hour' : 'minute'}${count === '1' ? '' : 's'}`;
	const hours = isHours && HOURS.find((one) => one === count);
	if (hours) return { preset: 'hours', hours, repeats: true, words };
	const step = count === '1' ? '*' : `*/${count}`;
	return {
		preset: 'cron',
		cron: isHours ? `0 ${step} * * *` : `${step} * * * *`,
		repeats: true,
		words
	};
}

/** `HH:MM`. "At 8 in the evening" is 20:00, "tonight at 11" is 23:00, and "every night at 3" is 03:00. */
function timeOf(clock: RegExpExecArray, isLate: boolean, isNight: boolean): string {
	const [, exact, minutes = '00', half, suffix, bare, named] = clock;
	if (named) return named.toLowerCase() === 'noon' ? '12:00' : '00:00';
	const said = Number(exact ?? half ?? bare);
	const isPm = suffix ? suffix.toLowerCase() === 'pm' : isLate && (!isNight || said >= 6);
	// "12am", and "tonight at 12".
	const isMidnight = said === HALF_DAY && (suffix ? !isPm : isNight);
	const hour = isMidnight ? 0 : isPm && said < HALF_DAY ? said + HALF_DAY : said;
	return `${String(hour).padStart(2, '0')}:${minutes}`;
}

const COUNTS: Record<string, number> = {
	...{ a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, ten: 10, fifteen: 15, twenty: 20 },
	...{ thirty: 30, forty: 40 }
};
const COUNTED = new RegExp(
	`\\b(${Object.keys(COUNTS).join('|')})(?= (?:hours?|minutes?|mins?)\\b)`,
	'gi'
);
/** A span of time in a text, in seconds: "in 5 minutes", "10s", "1m 30s", "half an hour". */
export function spanIn(typed: string): number | null {
	const text = typed
		.replace(/\bhalf an hour\b/i, '30 minutes')
		.replace(COUNTED, (word) => String(COUNTS[word.toLowerCase()]));
	const parts = [
		...text.matchAll(/\b(\d{1,4}) ?(s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/gi)
	].map(
		([, count, unit]) =>
			Number(count) * { s: 1, m: 60, h: 3600 }[unit![0]!.toLowerCase() as 's' | 'm' | 'h']
	);
	return parts.length ? parts.reduce((sum, seconds) => sum + seconds) : null;
}

const UNITS =
	'(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|months?|y|yrs?|years?)';
const FOREVER = /\b(?:for ?ever|permanently|permanent|for good|for life)\b/gi;
const A_WHILE = new RegExp(
	`\\b(?:for )?(?:(?:\\d+ ?${UNITS}|(?:an?|one|two|three|few|a few|some) (?:minute|hour|day|week|month|year)s?)\\b(?! ago)|` +
		'(?:until|till?) .*$|temp(?:orary|orarily|ban)?\\b|(?<=for )(?:now|today|tonight|a while|the (?:day|night|week|weekend|month))\\b)',
	'gi'
);
/** The text without how long something is to last: "for 3 days", "1h", "until tomorrow"; `ends`: it is to end by itself. */
export function lasting(text: string) {
	const endless = text.replace(FOREVER, ' ');
	const left = endless.replace(A_WHILE, ' ');
	return { ends: left !== endless, left: left.replace(/\s+/g, ' ').trim() };
}

/** A version of the game: "1.21.4". */
export const versionIn = (text: string) =>
	/\b\d{1,2}\.\d{1,2}(?:\.\d{1,2})?\b/.exec(text)?.[0] ?? null;

type TaskType = NonNullable<TaskDraft['type']>;
/** The form of a new task, filled in; that of a trigger for what is done whenever nobody plays. */
export function newTask(type: TaskType, what: string, when: When, message?: string) {
	const { words, preset, time, day, hours, cron, empty, otherDay } = when;
	if (empty && !preset) return newTrigger(type, what, empty.minutes);
	// Only a restart looks who plays.
	const waits = empty && type === 'restart';
	const notes = [
		...(otherDay ? ['choose the day'] : []),
		...(empty && !waits ? ['even if somebody plays'] : [])
	];
	const whenEmpty = waits ? 'wait' : undefined;
	const name =
		preset === 'once' ? `${what[0]!.toUpperCase()}${what.slice(1)} once` : `New task: ${what}`;
	return {
		label: `${name}${words && `, ${words}`}${waits ? ' when nobody plays' : ''}${notes.length ? ` (${notes.join(', ')})` : ''}…`,
		to: `/admin/schedule?${queryOf({ type, preset, time, day, hours, cron, message, whenEmpty })}#new`,
		field: 'main select[name="type"]',
		blocked: null,
		by: 'all' as const,
		...(notes.length && { unsure: true as const })
	};
}
const newTrigger = (type: TaskType, what: string, minutes: string | null) => ({
	label: `New trigger: ${what} when nobody ${minutes ? `has played for ${minutes} minutes` : 'plays any more'}…`,
	to: `/admin/schedule/trigger?${queryOf({ event: 'empty', minutes, type })}`,
	field: 'main select[name="event"]',
	...{ blocked: null, by: 'all' as const }
});
const queryOf = (facts: Record<string, string | null | undefined>) =>
	new URLSearchParams(
		Object.entries(facts).filter((one): one is [string, string] => !!one[1])
	).toString();

/** Fills for an entry that is done at once or, when it is said when, by a task. */
export const atTimes =
	(type: TaskType, what: string) =>
	({ when, rest }: Said) =>
		when && rest?.length === 0 ? newTask(type, what, when) : null;
const NOT_THAT = /\b(?:not|don[’']?t|cancel|abort|call off|delete|remove|restore|undo)\b/i;
/** The same for what is done to the server: with a time it is not meant now, even if not all of it is understood. */
export const orGuess = (type: TaskType, what: string) => (said: Said) => {
	const { when, rest, typed } = said;
	if (!when || !rest?.length || NOT_THAT.test(typed)) return atTimes(type, what)(said);
	return { ...newTask(type, what, when), unsure: true as const, by: 'guess' as const };
};
