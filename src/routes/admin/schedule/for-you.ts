import { dayAndTime, wallClock } from '$lib/ui/format/format';
import { zone } from '$lib/ui/format/zone';

/**
 * A time of the schedule by the reader's own clock: `05:00 for you`, with the day where it is another one; null where
 * both clocks show the same, or the reader's is not known.
 */
export function forYou(at: Date, timeZone: string, own?: string): string | null {
	if (own === undefined && zone().suffix) return null;
	const [there, here] = [wallClock(at, timeZone), wallClock(at, own)];
	if (there.getTime() === here.getTime()) return null;
	const [day = '', time = ''] = dayAndTime(at, { timeZone: own }).split(', ');
	const weekday = there.getUTCDate() === here.getUTCDate() ? '' : `${day.slice(0, 3)} `;
	return `${weekday}${time} for you`;
}
