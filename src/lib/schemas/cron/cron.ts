import { CronExpressionParser } from 'cron-parser';
import { DAYS } from './labels.ts';

/*
 * When a schedule of five fields (`schemas/task.ts`) is due, by Debian cron's own rules; shared with the browser. The
 * package takes 20 ms and 5 MB to load, so that the server imports this only when somebody asks.
 */

/** Enough to find 29 February on a given weekday. */
const TRIES_MAX = 1500;

/**
 * The first time after `after`; null when there is none. When both day fields are restricted, matching either one is
 * enough; a field that begins with `*` does not count as restricted, and then both must match.
 */
export function nextRun(schedule: string, after: Date, timeZone: string): Date | null {
	const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.split(' ');
	const both = day.startsWith('*') || weekday.startsWith('*');
	// The library treats `*/2` as a restriction: so it is asked about one field, and the other is checked here.
	const [asked, allowed] = both
		? [`${minute} ${hour} ${day} ${month} *`, matching(weekday)]
		: [schedule, () => true];
	try {
		const times = CronExpressionParser.parse(asked, { currentDate: after, tz: timeZone });
		for (let i = 0; i < TRIES_MAX; i++) {
			const time = times.next().toDate();
			if (allowed(weekdayOf(time, timeZone))) return time;
		}
		return null;
	} catch {
		return null; // 31 February
	}
}

const DAY_MS = 86_400_000;
/** The time of a schedule that is for this day (`YYYY-MM-DD`) alone. */
export const timeOn = (day: string, schedule: string, timeZone: string) =>
	// A zone's day begins up to 14 hours before that of UTC.
	nextRun(schedule, new Date(Date.parse(day) - DAY_MS), timeZone);

/** The next time of a task; null also for one that is for one day alone (`on`), when that time has passed. */
export function nextOf(
	{ schedule, on }: { schedule: string; on?: string | undefined },
	after: Date,
	timeZone: string
): Date | null {
	if (on === undefined) return nextRun(schedule, after, timeZone);
	const time = timeOn(on, schedule, timeZone);
	return time && time > after ? time : null;
}

/** The first `count` times after `after`, or fewer when there are no more. */
export function nextRuns(schedule: string, after: Date, timeZone: string, count: number): Date[] {
	const times: Date[] = [];
	for (let time: Date | null = after; times.length < count; times.push(time)) {
		time = nextRun(schedule, time, timeZone);
		if (!time) break;
	}
	return times;
}

/** Whether cron starts it in the minute of `at`. */
export const isDue = (schedule: string, at: Date, timeZone: string) => {
	const minute = Math.floor(at.getTime() / 60_000) * 60_000;
	return nextRun(schedule, new Date(minute - 1), timeZone)?.getTime() === minute;
};

function matching(field: string): (weekday: number) => boolean {
	if (field === '*') return () => true;
	const step = /^\*\/(\d+)$/.exec(field)?.[1];
	if (step) return (weekday) => weekday % Number(step) === 0;
	const span = /^(\d+)-(\d+)$/.exec(field);
	const numbers = span ? between(Number(span[1]), Number(span[2])) : field.split(',').map(Number);
	// Sunday has two numbers.
	const days = new Set(numbers.map((number) => number % 7));
	return (weekday) => days.has(weekday);
}

const between = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, i) => from + i);

const formats = new Map<string, Intl.DateTimeFormat>();
function weekdayOf(time: Date, timeZone: string): number {
	let format = formats.get(timeZone);
	if (!format)
		formats.set(timeZone, (format = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone })));
	return DAYS.indexOf(format.format(time));
}
