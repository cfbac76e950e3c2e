import { dayIn, firstDay } from '$lib/schemas/cron/days';
import { USUAL_TIME } from '$lib/schemas/cron/presets';
import { wallClock } from '$lib/ui/format/format';
import { forecast } from './forecast';

const HOUR_MS = 3_600_000;
const LATE = '23:00';

/** A time that a task is often wanted at, as the form's fields have it, and the moment it is. */
export type Soon = { label: string; on: string; time: string; at: Date };

/** The next such times by the server's clock; those that have passed are left out; pure. */
export function soon(now: Date, timeZone: string): Soon[] {
	const today = dayIn(now, timeZone);
	const usualOn = firstDay(USUAL_TIME, now, timeZone);
	const times = [
		{ label: 'In 1 hour', ...fieldsAt(new Date(now.getTime() + HOUR_MS), timeZone) },
		{ label: `Tonight ${LATE}`, on: today, time: LATE },
		{
			label: `${usualOn === today ? 'Today' : 'Tomorrow'} ${USUAL_TIME}`,
			...{ on: usualOn, time: USUAL_TIME }
		}
	].flatMap((one) => {
		const fields = { preset: 'once' as const, ...one, hours: '', day: '', cron: '' };
		const [at] = forecast(fields, now, timeZone).times;
		return at ? [{ ...one, at }] : [];
	});
	return times.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** The form's fields for this moment. */
export function fieldsAt(at: Date, timeZone: string) {
	const [on = '', time = ''] = wallClock(at, timeZone).toISOString().slice(0, 16).split('T');
	return { on, time };
}
