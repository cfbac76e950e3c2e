import { browser } from '$app/environment';
import type { OperationRow } from '$lib/schemas/operation';
import { duration } from '$lib/schemas/plain/words/duration';
import { clockTime } from '$lib/ui/format/format';
import { zone } from '$lib/ui/format/zone';
import { now } from '$lib/ui/page/clock';

export type Counting = Pick<OperationRow, 'kind' | 'subject' | 'countsDownTo'>;

const secondsTo = (at: string) => Math.max(1, Math.ceil((Date.parse(at) - now()) / 1000));

/** "Restarts in 42 s", as it counts; the time of day without JavaScript. */
export function countdown({ kind, countsDownTo }: Counting): string {
	const what = kind === 'stop' ? 'Stops' : 'Restarts';
	if (!countsDownTo) return `${what} in a moment`;
	if (!browser) return `${what} at ${clockTime(countsDownTo)}${zone().suffix}`;
	return `${what} in ${duration(secondsTo(countsDownTo) * 1000)}`;
}

/** "42 s" or "5 min", which a finger covers; null while it does not count. */
export function timeLeft({ countsDownTo }: Counting): string | null {
	if (!countsDownTo || !browser) return null;
	const seconds = secondsTo(countsDownTo);
	return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
