import { nextRun } from './cron.ts';
import { USUAL_TIME, type Preset } from './presets.ts';

const DAY_MS = 86_400_000;

/** Which day it is there: `YYYY-MM-DD`. */
export const dayIn = (at: Date, timeZone: string) =>
	// The Swedish write it in this way.
	new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at);

/** The first day, or the first such day of the week, on which that time of day (`HH:MM`) still lies ahead. */
export function firstDay(time: string, now: Date, timeZone: string, weekday = '*') {
	const [hour, minute] = time.split(':').map(Number);
	return dayIn(nextRun(`${minute} ${hour} * * ${weekday}`, now, timeZone) ?? now, timeZone);
}

type Draft = {
	preset?: Preset | undefined;
	on?: string | undefined;
	time?: string | undefined;
	day?: string | undefined;
};

/** The same draft with the day that it names (`today`, `tomorrow`, a day of the week) as a date, for a task that runs once. */
export function dated<D extends Draft>({ day, ...draft }: D, now: Date, timeZone: string) {
	if (draft.preset !== 'once') return /^\d$/.test(day ?? '') ? { ...draft, day } : draft;
	if (day === undefined || draft.on !== undefined) return draft;
	const today = dayIn(now, timeZone);
	const on =
		day === 'today'
			? today
			: day === 'tomorrow'
				? new Date(Date.parse(today) + DAY_MS).toISOString().slice(0, 10)
				: firstDay(draft.time ?? USUAL_TIME, now, timeZone, day);
	return { ...draft, on };
}
