import { systemClock, type Clock } from '#core/clock';

/** One millisecond later each time it is asked: the names that carry a time are the same in each run. */
export function createSteadyClock(): Clock {
	let atMs = Date.parse('2026-01-02T03:04:05.000Z');
	return { ...systemClock, now: () => new Date(atMs++) };
}
