import { z } from 'zod';
import { Report, type Note } from './report.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An automatic restart may be quicker than anybody can read. */
export const CRASH_HOLD_MS = 120_000;
/** Where nothing starts it again by itself there is nothing to wait for but a person who does. */
const ALONE_HOLD_MS = 30_000;
const STILL_MS = 4 * HOUR_MS;
/** The pauses between messages about a server that crashes again and again. */
const AGAIN_MS = [5 * MINUTE_MS, 4 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS];
/** After this long without a crash it counts as stable. */
const STEADY_MS = 30 * MINUTE_MS;
/** After that a crash is a new incident. */
const QUIET_MS = 6 * HOUR_MS;

/** What is known of the server's crashes and what was sent; times in milliseconds. */
export const Crashes = z.object({
	/** Not told yet. */
	count: z.int(),
	first: Report.nullable(),
	last: Report.nullable(),
	back: Report.nullable(),
	due: z.number().nullable(),
	/** What a reader of the messages believes. */
	told: z.enum(['well', 'down', 'flapping', 'gave-up']),
	steadyDue: z.number().nullable(),
	sends: z.int(),
	sentAt: z.number(),
	crashedAt: z.number()
});
export type Crashes = z.infer<typeof Crashes>;
export const NO_CRASHES: Crashes = {
	...{ count: 0, first: null, last: null, back: null, due: null, told: 'well' },
	...{ steadyDue: null, sends: 0, sentAt: 0, crashedAt: 0 }
};

const gapMs = ({ sends }: Crashes) =>
	sends === 0 ? 0 : AGAIN_MS[Math.min(sends, AGAIN_MS.length) - 1]!;

/** Whoever was told last that it is well learns of a new outage soon; a reported one needs no second message before its time. */
const soonestMs = (state: Crashes) =>
	state.told === 'well' && state.sends > 0
		? state.sentAt + AGAIN_MS[0]!
		: state.sentAt + gapMs(state);

export function crashed(state: Crashes, report: Report, now: number): Note[] {
	if (now - state.crashedAt > QUIET_MS) state.sends = 0;
	state.crashedAt = now;
	state.count++;
	state.first ??= report;
	state.last = report;
	state.back = null;
	state.steadyDue = null;
	const holdMs = report.facts['restarts'] === null ? ALONE_HOLD_MS : CRASH_HOLD_MS;
	state.due = Math.min(state.due ?? Infinity, Math.max(now + holdMs, soonestMs(state)));
	return [];
}

export function back(state: Crashes, report: Report, now: number): Note[] {
	if (state.due !== null && state.count > 0) {
		state.back = report;
		// What has passed may wait for its turn; what lasts may not.
		state.due = Math.max(state.due, state.sentAt + gapMs(state));
		return now >= state.sentAt + gapMs(state) ? speak(state, now) : [];
	}
	if (state.told === 'well') return [];
	if (state.told === 'flapping') {
		state.steadyDue = now + STEADY_MS;
		state.back = report;
		return [];
	}
	const before = state.last;
	said(state, 'well', now);
	return [note('server.back', report, { kind: 'recovered', first: before })];
}

export function gaveUp(state: Crashes, report: Report, now: number): Note[] {
	const { first } = state;
	const count = Math.max(1, state.count);
	said(state, 'gave-up', now);
	state.last = report;
	state.due = now + STILL_MS;
	return [note('server.gave-up', report, { first, count, also: ['server.crashed'] })];
}

/** Somebody stopped it: nobody needs to hear that it is down. */
export function settled(state: Crashes) {
	Object.assign(state, { ...NO_CRASHES, sends: state.sends, sentAt: state.sentAt });
}

export function tick(state: Crashes, now: number): Note[] {
	if (state.due !== null && now >= state.due) return speak(state, now);
	if (state.steadyDue === null || now < state.steadyDue || !state.back) return [];
	const report = state.back;
	said(state, 'well', now);
	return [note('server.back', report, { kind: 'steady' })];
}

export const nextAt = ({ due, steadyDue }: Crashes) =>
	[due, steadyDue].reduce<number | null>(
		(least, at) => (at === null ? least : Math.min(least ?? at, at)),
		null
	);

function speak(state: Crashes, now: number): Note[] {
	const { count, first, last, back: returned, told } = state;
	if (!last) {
		state.due = null;
		return [];
	}
	if (count === 0) {
		said(state, told, now);
		state.last = last;
		state.due = now + STILL_MS;
		const event = told === 'gave-up' ? 'server.gave-up' : 'server.crashed';
		return [note(event, last, { kind: 'still', also: ['server.crashed'] })];
	}
	const flapping = count > 1 || told === 'flapping';
	said(state, flapping ? 'flapping' : returned ? 'well' : 'down', now);
	if (flapping) {
		state.steadyDue = returned && now + STEADY_MS;
		state.back = returned;
		return [note('server.crashed', last, { kind: 'again', count, first, also: ['server.back'] })];
	}
	if (returned)
		return [
			note('server.back', returned, { kind: 'recovered', first: last, also: ['server.crashed'] })
		];
	state.last = last;
	state.due = now + STILL_MS;
	return [note('server.crashed', last, {})];
}

function said(state: Crashes, told: Crashes['told'], now: number) {
	const { sends, crashedAt } = state;
	Object.assign(state, { ...NO_CRASHES, told, crashedAt, sends: sends + 1, sentAt: now });
}

const note = (event: Note['event'], report: Report, more: Partial<Note>): Note => ({
	...{ event, report, also: [], count: 1, first: null, kind: 'plain' },
	...more
});
