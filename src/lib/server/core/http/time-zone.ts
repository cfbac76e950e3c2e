import type { Cookies } from '@sveltejs/kit';
import { TIME_ZONE_COOKIE } from '#schemas/time-zone';

/** Longer than any, and without what only offsets (`+05:30`) have. */
const NAME = /^[A-Za-z][\w+/-]{0,63}$/;
/** Asking Intl takes a third of a millisecond. */
const accepted = new Set(['UTC']);
const ACCEPTED_MAX = 50;

/** The reader's time zone, as their browser has told it; null when it has not, or when Intl knows none of that name. */
export function timeZoneOf(cookies: Pick<Cookies, 'get'>): string | null {
	const name = cookies.get(TIME_ZONE_COOKIE);
	return name && NAME.test(name) && isZone(name) ? name : null;
}

function isZone(name: string): boolean {
	if (accepted.has(name)) return true;
	try {
		new Intl.DateTimeFormat('en', { timeZone: name });
	} catch {
		return false; // a RangeError, which is how Intl says so
	}
	if (accepted.size === ACCEPTED_MAX) accepted.clear();
	accepted.add(name);
	return true;
}
