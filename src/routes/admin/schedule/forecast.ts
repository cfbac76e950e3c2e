import { dayIn } from '$lib/schemas/cron/days';
import { nextOf, nextRuns } from '$lib/schemas/cron/cron';
import { scheduleFault, spaced } from '$lib/schemas/cron/fields';
import { scheduleOf, type PresetWish } from '$lib/schemas/cron/presets';
import { dayAndTime } from '$lib/ui/format/format';

const SHOWN = 3;
const DAY_MS = 86_400_000;
const NEAR = ['today', 'tomorrow'];

export type Forecast = { times: Date[]; fault: string | null };
const wrong = (fault: string | null): Forecast => ({ times: [], fault });

/** When a task with these fields would run, or why it would not; pure. */
export function forecast(fields: PresetWish, now: Date, timeZone: string): Forecast {
	const isOnce = fields.preset === 'once';
	const schedule = isOnce && !fields.on ? '' : spaced(scheduleOf(fields));
	const fault = schedule && scheduleFault(schedule);
	if (!schedule || fault) return wrong(fault || null);
	if (isOnce) {
		const time = nextOf({ schedule, on: fields.on }, now, timeZone);
		return time ? { times: [time], fault: null } : wrong('That time has passed.');
	}
	const times = nextRuns(schedule, now, timeZone, SHOWN);
	return times.length ? { times, fault: null } : wrong('There is no such day: it would never run.');
}

/** `tomorrow at 04:00`, `on Mon 30 Nov at 04:00`, by the clock of this time zone; pure. */
export function inWords(at: Date, now: Date, timeZone: string): string {
	const [date = '', time = ''] = dayAndTime(at, { timeZone }).split(', ');
	const ahead = Date.parse(dayIn(at, timeZone)) - Date.parse(dayIn(now, timeZone));
	return `${NEAR[ahead / DAY_MS] ?? `on ${date}`} at ${time}`;
}
