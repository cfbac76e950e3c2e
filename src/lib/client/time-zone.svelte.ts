import { TIME_ZONE_COOKIE } from '$lib/schemas/time-zone';

const YEAR_S = 365 * 24 * 60 * 60;
const ownName = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The reader's time zone, in the browser. The first draw is by the zone that the server has drawn by; where it did not
 * know this one, a cookie tells it for the next page.
 */
export class TimeZone {
	/** Undefined is the browser's own; null while the server did not know any. */
	current = $state.raw<string | null | undefined>();

	constructor(told: string | null) {
		this.current = told === ownName() ? undefined : told;
	}

	/** Call once the page is hydrated. */
	adopt() {
		this.current = undefined;
		document.cookie = `${TIME_ZONE_COOKIE}=${ownName()}; path=/; max-age=${YEAR_S}; samesite=lax`;
	}
}
