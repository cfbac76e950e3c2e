import type { OperationKind } from '#schemas/operation';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Lock } from '#core/lock';
import type { Entry, Journal } from '#storage/journal';
import type { Definition } from './definition.ts';
import { isRunning, type Slot } from './slot.ts';
import { atMost } from './time.ts';
import { inTheWay } from './labels.ts';

const LOCK_WAIT_MS = 500;
const LOCK_POLL_MS = 20;
const RECOVERY_WAIT_MS = 300;

/** Access to the lock: whatever a dead process left is recovered first. */
export type Gate = {
	/** Resolves with the lock held and nothing left behind. `AppError('conflict')` names what is in the way. */
	enter(): Promise<void>;
	/** Resumes the oldest operation that a dead process left, unless another process does. */
	recover(): Promise<void>;
	/** Under way in another process, or left behind by one. */
	elsewhere(): Entry[];
};

type Deps = {
	journal: Journal;
	lock: Lock;
	clock: Clock;
	slot: Slot;
	/** Undefined for a kind that this process does not know. */
	definition: (kind: OperationKind) => Promise<Definition<unknown> | undefined>;
	/** Whether this gate is responsible for it: others are recovered by their own. */
	mine: (entry: Entry) => boolean;
	/** Whether it blocks, although it came through another gate. */
	blocks: (entry: Entry) => boolean;
	/** Whether it has ended here, whatever the disk says. */
	isOver: (id: string) => boolean;
};

export function createGate(deps: Deps): Gate {
	const { journal, lock, clock, slot, definition, isOver } = deps;
	const elsewhere = () => {
		const ours = slot.current?.record.entry.operation.id;
		return journal
			.open()
			.filter(({ operation: { id } }) => id !== ours && !isOver(id))
			.filter((entry) => deps.mine(entry) || deps.blocks(entry));
	};
	/** With the lock held, begins the oldest that this process can recover. False when there is none. */
	const takeUpOne = async () => {
		// Read again under the lock: another process may have ended it just before.
		for (const entry of elsewhere().filter(deps.mine)) {
			const known = await definition(entry.operation.kind);
			if (!known) continue;
			await slot.takeUp(entry, known);
			return true;
		}
		return false;
	};
	/** The lock is released unless `act` has filled the slot or asks to keep it. */
	const locked = async (act: () => Promise<'keep' | 'release'>) => {
		let outcome: 'keep' | 'release' = 'release';
		try {
			outcome = await act();
		} finally {
			if (outcome === 'release' && !slot.current) lock.release();
		}
		return outcome === 'keep';
	};
	const tryEnter = () =>
		locked(async () => {
			if (await takeUpOne()) return 'release';
			journal.refuseNewer();
			const [unknown] = elsewhere();
			if (unknown) throw inTheWay(unknown.operation);
			return 'keep';
		});

	return {
		elsewhere,
		async enter() {
			const deadline = clock.monotonicMs() + LOCK_WAIT_MS;
			for (;;) {
				const { current } = slot;
				if (current && isRunning(current)) throw inTheWay(current.record.snapshot());
				await current?.ended;
				if (lock.tryAcquire()) {
					if (await tryEnter()) return;
					await atMost(RECOVERY_WAIT_MS, clock, slot.current?.ended);
					continue;
				}
				const [other] = elsewhere();
				if (other) throw inTheWay(other.operation);
				if (clock.monotonicMs() >= deadline)
					throw new AppError(
						'conflict',
						'Another process is busy with the server. Try again shortly.'
					);
				await clock.sleep(LOCK_POLL_MS);
			}
		},
		async recover() {
			if (slot.current || elsewhere().length === 0 || !lock.tryAcquire()) return;
			await locked(async () => {
				await takeUpOne();
				return 'release';
			});
		}
	};
}
