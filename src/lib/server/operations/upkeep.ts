import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import { createSerial } from '#core/serial';
import type { Journal } from '#storage/journal';
import type { Feed } from './feed.ts';
import type { Gate } from './gate.ts';
import { createOthers } from './others.ts';
import type { Slot } from './slot.ts';
import type { Unsaved } from './unsaved.ts';

const WATCH_EVERY_MS = 2000;
const KEPT = 500;

/** Work alongside the operations: recovery, tidying up, watching other processes. Failures are only logged. */
export type Upkeep = {
	/** Callers within this process take turns for the lock. */
	inTurn<T>(act: () => Promise<T>): Promise<T>;
	recover(): Promise<void>;
	start(): void;
	afterEnd(): void;
	saveUnsaved(): Promise<void>;
};

type Deps = {
	journal: Journal;
	clock: Clock;
	log: Logger;
	feed: Feed;
	lanes: { slot: Slot; gate: Gate }[];
	unsaved: Unsaved;
	closing: AbortSignal;
};

export function createUpkeep(deps: Deps): Upkeep {
	const { journal, clock, log, lanes, unsaved, closing } = deps;
	const others = createOthers(journal, deps.feed);
	const queue = createSerial();
	let watching = false;

	const inTurn = <T>(act: () => Promise<T>) => queue.run(act);
	const quietly = async (failure: string, act: () => Promise<unknown>) => {
		try {
			await act();
		} catch (cause) {
			log.error(failure, { cause });
		}
	};
	const saveUnsaved = () => quietly('The end of an operation could not be written', unsaved.save);
	const recover = () =>
		inTurn(async () => {
			if (closing.aborted) return;
			await saveUnsaved();
			for (const { gate } of lanes)
				await quietly('What a dead process left could not be taken up', gate.recover);
		});
	const look = async () => {
		const current = lanes.map(({ slot }) => slot.current?.record.entry.operation.id);
		const ours = (id: string) => unsaved.has(id) || current.includes(id);
		const open = lanes.flatMap(({ gate }) => gate.elsewhere().map(({ operation }) => operation));
		const byId = new Map(open.map((operation) => [operation.id, operation]));
		await others.look(
			[...byId.values()].filter(({ id }) => !current.includes(id)),
			ours
		);
	};
	const watch = async () => {
		for (;;) {
			await clock.sleep(WATCH_EVERY_MS, closing);
			await recover();
			await quietly('The journal could not be read', look);
		}
	};
	return {
		inTurn,
		recover,
		saveUnsaved,
		start() {
			if (watching) return;
			watching = true;
			watch().catch(() => {}); // the sleep rejects at the end
		},
		async afterEnd() {
			const tidy = () => journal.tidy(KEPT, clock.now());
			await quietly('Old operations could not be removed', tidy);
			await recover();
		}
	};
}
