import { zone } from './zone.ts';

/** Numbers, sizes and times as people read them. What is not known is a dash, never a zero. */
export const UNKNOWN = '–';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Unsure<T> = T | null | undefined;
const isNumber = (value: Unsure<number>): value is number => Number.isFinite(value);

/** At most one decimal, none from 100 up; 9.96 is 10, not 10.0. */
const short = (value: number) => String(Number(value.toFixed(Math.abs(value) < 99.95 ? 1 : 0)));

/** Scales by thousands so that the rounded number stays under 1000: 999,950 is 1M, not 1000k. */
function scaled(value: number, units: string[]): [string, string] {
	let unit = 0;
	while (unit < units.length - 1 && Number(short(Math.abs(value))) >= 1000) {
		value /= 1000;
		unit++;
	}
	return [short(value), units[unit] ?? ''];
}

/** `1.2k`, `3.4M`. */
export const compact = (value: Unsure<number>) =>
	isNumber(value) ? scaled(value, ['', 'k', 'M', 'B', 'T']).join('') : UNKNOWN;

/** Everything there is to know: `1,234.5`, with at most two decimals. */
export function grouped(value: number): string {
	const [whole = '', decimals] = String(Number(value.toFixed(2))).split('.');
	const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
	return decimals ? `${thousands}.${decimals}` : thousands;
}

/** Decimal units, as disks and networks have them: `1.5 GB`. No line ends between the number and its unit. */
export const bytes = (value: Unsure<number>) =>
	isNumber(value) ? scaled(value, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']).join('\u00a0') : UNKNOWN;

/** Largest first; a month and a year have their everyday lengths. */
const UNITS: [name: string, ms: number][] = [
	['year', 365.25 * DAY_MS],
	['month', 30.44 * DAY_MS],
	['week', 7 * DAY_MS],
	['day', DAY_MS],
	['hour', HOUR_MS],
	['minute', MINUTE_MS]
];

/**
 * What has been: `just now`, `1 minute ago`, `2 weeks ago`, in whole units that have passed; weeks from the second one.
 * What is to come: `in 7 min`, `in 1 h 53 min`, `in 3 d 4 h`, as somebody waits for it.
 */
export function ago(time: Unsure<string | number | Date>, now: number | Date): string {
	const at = toDate(time);
	if (!at) return UNKNOWN;
	const gone = Number(now) - at.getTime();
	if (gone < 0) return toCome(-gone);
	const unit = unitOf(gone);
	return unit ? `${counted(Math.floor(gone / unit[1]), unit[0])} ago` : 'just now';
}

/** To the minute, and from a day on to the hour; from two weeks on to the nearest unit. */
function toCome(ms: number): string {
	if (ms <= 5 * SECOND_MS) return 'just now';
	if (ms < MINUTE_MS) return 'in a moment';
	const minutes = Math.round(ms / MINUTE_MS);
	if (minutes < 60) return `in ${minutes} min`;
	if (minutes < 24 * 60) return `in ${both(minutes, 60, 'h', 'min')}`;
	const hours = Math.round(ms / HOUR_MS);
	const unit = unitOf(ms);
	if (!unit || unit[1] <= DAY_MS) return `in ${both(hours, 24, 'd', 'h')}`;
	return `in ${counted(Math.round(ms / unit[1]), unit[0])}`;
}

const unitOf = (size: number) =>
	UNITS.find(([unit, ms]) => size >= (unit === 'week' ? 2 * ms : ms));
const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
/** The smaller unit only where there is any of it. */
const both = (count: number, size: number, unit: string, rest: string) =>
	`${Math.floor(count / size)} ${unit}${count % size ? ` ${count % size} ${rest}` : ''}`;

/** Names in the order in which people look for them: upper and lower case together, 2 before 10. */
export function byName(a: string, b: string): number {
	const [first, second] = [ranked(a), ranked(b)];
	return first < second ? -1 : first > second ? 1 : 0;
}

/** Without accents, and with all numbers of one length. Not by Intl, as with dates below. */
const ranked = (name: string) =>
	name
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.toLowerCase()
		.replace(/\d+/g, (digits) => digits.padStart(20, '0'));

type Zone = {
	/** The reader's time zone when left out. */
	timeZone?: string;
};

/** `14:05:09`. */
export const clockTime = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	shown(time, timeZone, toTheSecond);

/** `14:05`. */
export const clockMinute = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	shown(time, timeZone, minutesOf);

/** `2 Jan 2026, 14:05:09`, for hovers, screen readers and tables. */
export const exact = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	shown(time, timeZone, (wall) => `${dateOf(wall)}, ${toTheSecond(wall)}`);

/** The same for the reader, with ` UTC` behind it while their time zone is not known. */
export const fullTime = (time: string | number | Date) => `${exact(time)}${zone().suffix}`;

/** `2 Jan 2026, 14:05`, for lists. */
export const toTheMinute = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	shown(time, timeZone, (wall) => `${dateOf(wall)}, ${minutesOf(wall)}`);

/** `Fri 2 Jan, 14:05`, for what is near. */
export const dayAndTime = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	shown(
		time,
		timeZone,
		(wall) => `${DAYS[wall.getUTCDay()]} ${dayOfMonth(wall)}, ${minutesOf(wall)}`
	);

/** Words that stay in one line: a number and its unit. */
export const whole = (words: string) => words.replaceAll(' ', '\u00a0');

/** `2 Jan 2026`. */
export const day = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	shown(time, timeZone, dateOf);

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

const two = (number: number) => String(number).padStart(2, '0');
export const monthOf = (wall: Date) => MONTHS[wall.getUTCMonth()]!;
/** `2 Jan`. */
export const dayOfMonth = (wall: Date) => `${wall.getUTCDate()} ${monthOf(wall)}`;
const dateOf = (wall: Date) => `${dayOfMonth(wall)} ${wall.getUTCFullYear()}`;
/** `14:05`. */
export const minutesOf = (wall: Date) => `${two(wall.getUTCHours())}:${two(wall.getUTCMinutes())}`;
/** `14:05:09`. */
export const toTheSecond = (wall: Date) => `${minutesOf(wall)}:${two(wall.getUTCSeconds())}`;

/** Not by Intl, whose dates take 8 MB of a server's memory (docs/decisions/011). */
function shown(
	time: Unsure<string | number | Date>,
	timeZone: string | undefined,
	show: (wall: Date) => string
) {
	const at = toDate(time);
	return at ? show(wallClock(at, timeZone)) : UNKNOWN;
}

/** The date whose UTC fields are what a clock there shows at this time; the reader's clock without a zone. */
export const wallClock = (at: number | Date, timeZone?: string) =>
	new Date(Number(at) + aheadOfUtc(Number(at), timeZone));

/** How far the zone's clocks are ahead of UTC, in ms; the reader's zone when left out. */
export function aheadOfUtc(at: number, timeZone = zone().timeZone): number {
	if (timeZone === 'UTC') return 0;
	if (timeZone === undefined) return -new Date(at).getTimezoneOffset() * MINUTE_MS;
	const parts = formatOf(timeZone).formatToParts(at);
	const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
	const local = Date.UTC(
		...([part('year'), part('month') - 1, part('day')] as const),
		...([part('hour'), part('minute'), part('second')] as const)
	);
	return local - Math.floor(at / SECOND_MS) * SECOND_MS;
}

/** Slow to create, and few are in use; readers may name as many zones as there are. */
const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 20;
function formatOf(timeZone: string) {
	const kept = formats.get(timeZone);
	if (kept) return kept;
	if (formats.size === FORMATS_MAX) formats.clear();
	const made = new Intl.DateTimeFormat('en', { ...FIELDS, timeZone });
	formats.set(timeZone, made);
	return made;
}
const FIELDS = {
	...({ hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const),
	...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const)
};

function toDate(time: Unsure<string | number | Date>): Date | null {
	if (time === null || time === undefined || time === '') return null;
	const date = new Date(time);
	return Number.isNaN(date.getTime()) ? null : date;
}
