import type { Clock } from '#core/clock';

export type Outgoing = { event: string; data: unknown };
type Slot = { sentMs: number; waiting: boolean; items: Map<string, Outgoing> };

/** At most five of each kind of event per second; newer events replace the waiting ones they supersede. */
export const GAP_MS = 200;

/**
 * Collects events and passes them on in batches. The first of a kind leaves at once (together with whatever else was
 * put in the same turn), the ones right after it wait for the gap and only the newest of each key is sent.
 */
export interface Outbox {
	/** `merge` combines a waiting event with a new one, where a later event does not replace an earlier one. */
	put<T>(event: string, data: T, options?: { key?: string; merge?: (waiting: T) => T }): void;
}

export function createOutbox(deps: {
	clock: Clock;
	/** Nothing is sent after it. */
	signal: AbortSignal;
	send: (batch: Outgoing[]) => void;
}): Outbox {
	const { clock, signal, send } = deps;
	const slots = new Map<string, Slot>();
	const due = new Set<Slot>();

	const flush = () => {
		if (signal.aborted) return;
		const batch = [...due].flatMap((slot) => [...slot.items.values()]);
		for (const slot of due) {
			slot.items.clear();
			slot.waiting = false;
			slot.sentMs = clock.monotonicMs();
		}
		due.clear();
		if (batch.length) send(batch);
	};
	const makeDue = (slot: Slot) => {
		if (!due.size) queueMicrotask(flush);
		due.add(slot);
	};

	return {
		put(event, data, { key = event, merge } = {}) {
			if (signal.aborted) return;
			let slot = slots.get(event);
			if (!slot) slots.set(event, (slot = { sentMs: -Infinity, waiting: false, items: new Map() }));
			const before = slot.items.get(key);
			const merged = before && merge ? merge(before.data as typeof data) : data;
			slot.items.set(key, { event, data: merged });
			if (slot.waiting) return;
			slot.waiting = true;
			const mine = slot;
			const waitMs = slot.sentMs + GAP_MS - clock.monotonicMs();
			if (waitMs <= 0) makeDue(mine);
			else
				clock.sleep(waitMs, signal).then(
					() => makeDue(mine),
					() => {} // the client is gone
				);
		}
	};
}
