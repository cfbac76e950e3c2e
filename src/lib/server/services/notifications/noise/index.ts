import { z } from 'zod';
import type { NotificationEvent } from '#schemas/notifications/channel';
import * as crashes from './crashes.ts';
import { Crashes, NO_CRASHES } from './crashes.ts';
import { Report, type Note } from './report.ts';

export { BudgetState, createBudget, type Budget } from './budget.ts';
export { Report, type Note } from './report.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What resolves itself in the meantime is not reported. */
const BLIP_MS = 30_000;
const BUNDLE_MS = 5 * MINUTE_MS;
const STILL_MS = 4 * HOUR_MS;
const QUIET_MS = 6 * HOUR_MS;
const IDS_MAX = 500;
const ENTRIES_MAX = 500;

/** These report something that goes wrong again and again, not something new each time. */
const TROUBLES: readonly NotificationEvent[] = ['backup.failed'];

/** Never reported twice, and too many to be remembered. */
const UNIQUE: readonly NotificationEvent[] = ['player.joined', 'player.left'];

const Entry = z.object({
	event: z.string(),
	/** Waiting to be sent: how many, and the last. */
	count: z.int(),
	pending: Report.nullable(),
	/** It lasts. */
	open: z.boolean(),
	told: z.boolean(),
	due: z.number().nullable(),
	sends: z.int(),
	sentAt: z.number(),
	seenAt: z.number()
});
type Entry = z.infer<typeof Entry>;

/** The complete state of the rules, as JSON: times in milliseconds since 1970. */
export const NoiseState = z.object({
	/** The clock when this was written. */
	at: z.number(),
	crashes: Crashes,
	/** Told of, and ended before it answered again: whoever reads the messages does not know yet that it is well. */
	hung: Report.nullable().default(null),
	entries: z.record(z.string(), Entry),
	/** Ids of received reports, newest last. */
	ids: z.array(z.string())
});
export type NoiseState = z.infer<typeof NoiseState>;
export const QUIET: NoiseState = { at: 0, crashes: NO_CRASHES, hung: null, entries: {}, ids: [] };

/** Decides what is sent and when. Pure: it knows only its input, and the time it is given. */
export interface Noise {
	report(report: Report, now: number): Note[];
	tick(now: number): Note[];
	/** When `tick` has something to do next; null when nothing waits. */
	nextAt(): number | null;
	state(): NoiseState;
}

export function createNoise(start: NoiseState = QUIET): Noise {
	let state = structuredClone(start);

	/** A clock that was set back must not delay anything: the whole state moves with it. */
	function atTime(now: number) {
		if (now < state.at) state = shifted(state, now - state.at);
		state.at = now;
	}

	function isKnown(id: string) {
		if (state.ids.includes(id)) return true;
		state.ids.push(id);
		if (state.ids.length > IDS_MAX) state.ids.shift();
		return false;
	}

	function entryOf({ event, subject }: Report): Entry {
		const key = `${event} ${subject}`;
		return (state.entries[key] ??= {
			...{ event, count: 0, pending: null, open: false, told: false },
			...{ due: null, sends: 0, sentAt: 0, seenAt: 0 }
		});
	}

	function happened(report: Report, now: number): Note[] {
		const entry = entryOf(report);
		if (now - entry.seenAt > QUIET_MS) entry.sends = 0;
		entry.seenAt = now;
		entry.count++;
		entry.pending = report;
		const gap = entry.sends > 1 && TROUBLES.includes(report.event) ? STILL_MS : BUNDLE_MS;
		entry.due ??= Math.max(now, entry.sentAt + gap);
		return now >= entry.due ? tell(entry, now) : [];
	}

	function began(report: Report, now: number) {
		const entry = entryOf(report);
		if (entry.open) return;
		if (now - entry.seenAt > QUIET_MS) entry.sends = 0;
		Object.assign(entry, { open: true, told: false, seenAt: now, pending: report, count: 1 });
		const gap = entry.sends === 0 ? 0 : entry.sends === 1 ? BUNDLE_MS : STILL_MS;
		entry.due = Math.max(now + BLIP_MS, entry.sentAt + gap);
	}

	function ended(report: Report, now: number): Note[] {
		const entry = state.entries[`${report.event} ${report.subject}`];
		if (!entry?.open) return [];
		const { told, pending } = entry;
		Object.assign(entry, {
			open: false,
			told: false,
			due: null,
			pending: null,
			count: 0,
			seenAt: now
		});
		if (!told || report.event !== 'server.hanging') return [];
		if (report.lasts === 'over') return [answersAgain(report, pending)];
		state.hung = pending;
		return [];
	}

	/** It is up, after a crash or after a hang that a restart has ended. */
	function isBack(report: Report, now: number): Note[] {
		const { hung, crashes: before } = state;
		state.hung = null;
		const isWell = before.told === 'well' && before.count === 0;
		const notes = crashes.back(before, report, now);
		if (!hung) return notes;
		if (isWell) return [answersAgain(report, hung)];
		return notes.map((note) => ({ ...note, also: [...note.also, 'server.hanging'] }));
	}

	function tell(entry: Entry, now: number): Note[] {
		const { pending, count, told, open } = entry;
		entry.due = null;
		if (!pending) return [];
		Object.assign(entry, { sends: entry.sends + 1, sentAt: now, count: 0 });
		if (open) Object.assign(entry, { told: true, due: now + STILL_MS });
		else entry.pending = null;
		const kind = open && told ? 'still' : count > 1 ? 'again' : 'plain';
		return [
			{
				event: pending.event,
				also: [],
				report: pending,
				count: Math.max(1, count),
				first: null,
				kind
			}
		];
	}

	function forget(now: number) {
		const old = Object.entries(state.entries).filter(
			([, { open, due, seenAt }]) => !open && due === null && now - seenAt > 24 * HOUR_MS
		);
		for (const [key] of old) delete state.entries[key];
		const keys = Object.keys(state.entries);
		for (const key of keys.slice(0, Math.max(0, keys.length - ENTRIES_MAX)))
			delete state.entries[key];
	}

	return {
		report(report, now) {
			atTime(now);
			forget(now);
			if (report.lasts === 'begins') {
				began(report, now);
				return [];
			}
			if (report.lasts) return ended(report, now);
			if (!UNIQUE.includes(report.event) && isKnown(report.id)) return [];
			switch (report.event) {
				case 'server.crashed':
					return crashes.crashed(state.crashes, report, now);
				case 'server.back':
					return isBack(report, now);
				case 'server.gave-up':
					return crashes.gaveUp(state.crashes, report, now);
				case 'server.stopped':
					state.hung = null;
					crashes.settled(state.crashes);
			}
			return happened(report, now);
		},
		tick(now) {
			atTime(now);
			const due = Object.values(state.entries).filter(
				(entry) => entry.due !== null && now >= entry.due
			);
			return [...crashes.tick(state.crashes, now), ...due.flatMap((entry) => tell(entry, now))];
		},
		nextAt() {
			const dues = Object.values(state.entries).map(({ due }) => due);
			const all = [crashes.nextAt(state.crashes), ...dues].filter((at) => at !== null);
			return all.length ? Math.min(...all) : null;
		},
		state: () => structuredClone(state)
	};
}

const answersAgain = (report: Report, hung: Report | null): Note => ({
	...{ event: 'server.back', also: ['server.hanging'], report, count: 1 },
	...{ first: hung, kind: 'recovered' }
});

function shifted({ crashes: before, entries, ...rest }: NoiseState, byMs: number): NoiseState {
	const move = <T extends number | null>(at: T) => (at === null ? at : at + byMs) as T;
	return {
		...rest,
		crashes: {
			...before,
			due: move(before.due),
			steadyDue: move(before.steadyDue),
			sentAt: move(before.sentAt),
			crashedAt: move(before.crashedAt)
		},
		entries: Object.fromEntries(
			Object.entries(entries).map(([key, entry]) => [
				key,
				{ ...entry, due: move(entry.due), sentAt: move(entry.sentAt), seenAt: move(entry.seenAt) }
			])
		)
	};
}
