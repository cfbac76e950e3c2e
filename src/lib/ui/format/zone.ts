/** By whose clock times are shown. */
type Zone = {
	/** The machine's own when undefined. */
	timeZone: string | undefined;
	/** Behind a time of day, while the reader's own zone is not known. */
	suffix: '' | ' UTC';
};

/** A name that Intl knows; undefined for the machine's own, null while it is not known. */
type Known = string | undefined | null;

const UNKNOWN: Zone = { timeZone: 'UTC', suffix: ' UTC' };
let read = (): Known => null;

/** Tells where the reader's zone stands: that of the request on the server, the only one in a browser. */
export const zoneFrom = (source: () => Known) => {
	read = source;
};

/** The reader's time zone; UTC while it is not known. */
export function zone(): Zone {
	const timeZone = read();
	return timeZone === null ? UNKNOWN : { timeZone, suffix: '' };
}
