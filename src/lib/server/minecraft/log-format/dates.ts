import { monthOf } from './months.ts';
import type { Stamp } from './prefix.ts';

const DAY_MS = 24 * 3_600_000;
/** How far the time of day may go back within one day: clocks are set back for winter, threads overtake each other. */
const SETBACK_MS = 2 * 3_600_000;
/** At midnight a line of the old day may still come after the first of the new one. */
const OVERTAKE_MS = 10_000;

type Day = { year: number; month: number; day: number };

/**
 * The times (ISO 8601) of lines in the order of the file, in this machine's time zone. Most loaders write no date:
 * the last line belongs to the day nearest to `fileDate` (the file's mtime, or noon of the day in an archive's name),
 * and the days of earlier lines are counted backwards over each midnight. The order of lines is that of the file,
 * whatever their times: these go back when clocks are set back.
 */
export function datesOf(stamps: (Stamp | null)[], fileDate: Date | null): (string | null)[] {
	const near = fileDate && !Number.isNaN(fileDate.getTime()) ? fileDate : null;
	const dates = new Array<string | null>(stamps.length).fill(null);
	const iso = createIso();
	const parse = remember((text) => parseDate(text, near));
	const days = near && { year: near.getFullYear(), month: near.getMonth(), day: near.getDate() };
	/** The undated line after this one, and its day counted from the file's day. */
	let later: { dayMs: number; shift: number } | null = null;
	for (let i = stamps.length - 1; i >= 0; i--) {
		const stamp = stamps[i];
		if (!stamp) continue;
		const written: Day | null = stamp.date === null ? null : parse(stamp.date);
		if (written) dates[i] = iso(written, stamp.dayMs);
		else if (near && days) {
			const shift: number = later
				? later.shift + daysBetween(stamp.dayMs, later.dayMs)
				: nearestDay(stamp.dayMs, near);
			later = { dayMs: stamp.dayMs, shift };
			dates[i] = iso({ ...days, day: days.day + shift }, stamp.dayMs);
		}
	}
	return dates;
}

/** The date for the lines of a file: the day in an archive's name is more reliable than the time of its compression. */
export function fileDateOf(name: string, modifiedAt: Date): Date {
	const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)-\d+\.log/.exec(name) ?? [];
	// Just before noon, both midnights of the day are nearer than those around it.
	return day ? new Date(Number(year), Number(month) - 1, Number(day), 11, 59, 59, 999) : modifiedAt;
}

/** From a line to the next one: -1 when midnight lies between. */
function daysBetween(dayMs: number, laterMs: number) {
	if (dayMs - laterMs > SETBACK_MS) return -1;
	return laterMs - dayMs > DAY_MS - OVERTAKE_MS ? 1 : 0;
}

/** The server's clock may be in another time zone than the machine's: within half a day either way is near enough. */
function nearestDay(dayMs: number, near: Date) {
	const midnight = new Date(near.getFullYear(), near.getMonth(), near.getDate()).getTime();
	return Math.round((near.getTime() - midnight - dayMs) / DAY_MS);
}

/** Remembers the day and the moment: most lines of a file share them. */
function createIso() {
	let of: Day | null = null;
	let midnightMs = 0;
	let whole = true;
	let last: { ms: number; text: string } | null = null;
	return (day: Day, dayMs: number): string | null => {
		if (of?.year !== day.year || of.month !== day.month || of.day !== day.day) {
			[of, last] = [day, null];
			midnightMs = new Date(day.year, day.month, day.day).getTime();
			whole = new Date(day.year, day.month, day.day + 1).getTime() - midnightMs === DAY_MS;
		}
		const ms = midnightMs + dayMs;
		if (last?.ms === ms) return last.text;
		const at = new Date(ms);
		// A day on which the clocks change has 23 or 25 hours.
		if (!whole) at.setTime(new Date(day.year, day.month, day.day, 0, 0, 0, dayMs).getTime());
		if (Number.isNaN(at.getTime())) return null;
		last = { ms, text: at.toISOString() };
		return last.text;
	};
}

/** Neighbouring lines mostly ask for the same date. */
function remember<T>(work: (text: string) => T) {
	let last: { text: string; result: T } | null = null;
	return (text: string): T => {
		if (last?.text !== text) last = { text, result: work(text) };
		return last.result;
	};
}

function parseDate(text: string, near: Date | null): Day | null {
	const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
	if (isoDay) return valid(Number(isoYear), Number(isoMonth), Number(isoDay));
	const [, dd, name = '', yyyy] =
		/^(\d{1,2})[ .-]?(\D.*?|\d{1,2}\D.*?)[ .-]?(\d{4})$/.exec(text) ?? [];
	if (!dd || !yyyy) return null;
	const [day, year] = [Number(dd), Number(yyyy)];
	const month = monthOf(name);
	return month === null ? nearestMonth(year, day, near) : valid(year, month, day);
}

/** In a script that was decoded with the wrong charset the day and the year are still right. */
function nearestMonth(year: number, day: number, near: Date | null): Day | null {
	if (!near) return null;
	const distance = ({ year, month, day }: Day) =>
		Math.abs(new Date(year, month, day, 12).getTime() - near.getTime());
	return Array.from({ length: 12 }, (_, month) => valid(year, month + 1, day))
		.filter((candidate) => candidate !== null)
		.reduce<Day | null>(
			(best, one) => (!best || distance(one) < distance(best) ? one : best),
			null
		);
}

/** `month` counts from 1, in the result from 0 as in Date. */
function valid(year: number, month: number, day: number): Day | null {
	const date = new Date(year, month - 1, day);
	const real = year >= 1970 && date.getMonth() === month - 1 && date.getDate() === day;
	return real ? { year, month: month - 1, day } : null;
}
