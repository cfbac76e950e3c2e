import { nextOf, nextRuns } from '$lib/schemas/cron/cron';
import { scheduleFault, spaced } from '$lib/schemas/cron/fields';
import { scheduleOf, type PresetWish } from '$lib/schemas/cron/presets';

const SHOWN = 3;

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
