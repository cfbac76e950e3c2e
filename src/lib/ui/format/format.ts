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

/** Decimal units, as disks and networks have them: `1.5 GB`. */
export const bytes = (value: Unsure<number>) =>
	isNumber(value) ? scaled(value, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']).join(' ') : UNKNOWN;

/** How long something took: `450 ms`, `4.2 s`, `2 min 5 s`, `1 h 10 min`, `3 d 4 h`. */
export function duration(ms: Unsure<number>): string {
	if (!isNumber(ms) || ms < 0) return UNKNOWN;
	if (Math.round(ms) < SECOND_MS) return `${Math.round(ms)} ms`;
	if (ms < 9950) return `${short(ms / SECOND_MS)} s`;
	const seconds = Math.round(ms / SECOND_MS);
	if (seconds < 60) return `${seconds} s`;
	if (seconds < 3600) return both(Math.floor(seconds / 60), 'min', seconds % 60, 's');
	const minutes = Math.round(seconds / 60);
	if (minutes < 24 * 60) return both(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
	const hours = Math.round(minutes / 60);
	return both(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** The smaller unit only where there is any of it. */
const both = (large: number, unit: string, small: number, smallUnit: string) =>
	`${large} ${unit}${small ? ` ${small} ${smallUnit}` : ''}`;

/** Largest first; a month and a year have their everyday lengths. */
const UNITS: [name: string, ms: number][] = [
	['year', 365.25 * DAY_MS],
	['month', 30.44 * DAY_MS],
	['week', 7 * DAY_MS],
	['day', DAY_MS],
	['hour', HOUR_MS],
	['minute', MINUTE_MS]
];

/** `just now`, `1 minute ago`, `3 hours ago`, `2 weeks ago`, `in 2 hours`; whole units, rounded down. */
export function ago(time: Unsure<string | number | Date>, now: number | Date): string {
	const at = toDate(time);
	if (!at) return UNKNOWN;
	const gone = Number(now) - at.getTime();
	const size = Math.abs(gone);
	const [name, ms] = UNITS.find(([, unit]) => size >= unit) ?? [];
	if (!name || !ms) return gone > -5 * SECOND_MS ? 'just now' : 'in a moment';
	const count = Math.floor(size / ms);
	const amount = `${count} ${name}${count === 1 ? '' : 's'}`;
	return gone > 0 ? `${amount} ago` : `in ${amount}`;
}

/** Names in the order in which people look for them: upper and lower case together, 2 before 10. */
export const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare;

type Zone = {
	/** The machine's own time zone when left out. */
	timeZone?: string;
};

/** `14:05:09`. */
export const clockTime = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	formatted(time, { timeStyle: 'medium', timeZone, hourCycle: 'h23' });

/** `2 Jan 2026, 14:05:09`, for hovers, screen readers and tables. */
export const exact = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	formatted(time, { dateStyle: 'medium', timeStyle: 'medium', timeZone, hourCycle: 'h23' });

/** `2 Jan 2026, 14:05`, for lists. */
export const toTheMinute = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	formatted(time, { dateStyle: 'medium', timeStyle: 'short', timeZone, hourCycle: 'h23' });

/** `Fri, 2 Jan, 14:05`, for what happens soon. */
export const dayAndTime = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	formatted(time, {
		weekday: 'short',
		day: 'numeric',
		month: 'short',
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
		timeZone
	});

/** `2 Jan 2026`. */
export const day = (time: Unsure<string | number | Date>, { timeZone }: Zone = {}) =>
	formatted(time, { dateStyle: 'medium', timeZone });

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formatters are slow to create, and there are few kinds. */
function formatted(time: Unsure<string | number | Date>, options: Intl.DateTimeFormatOptions) {
	const at = toDate(time);
	if (!at) return UNKNOWN;
	const key = JSON.stringify(options);
	let format = formats.get(key);
	if (!format) formats.set(key, (format = new Intl.DateTimeFormat('en-GB', options)));
	return format.format(at);
}

function toDate(time: Unsure<string | number | Date>): Date | null {
	if (time === null || time === undefined || time === '') return null;
	const date = new Date(time);
	return Number.isNaN(date.getTime()) ? null : date;
}
