import type { Operation } from '#schemas/operation';
import type { Actor, RecordAction } from '#core/actor';
import { AppError } from '#core/errors';
import { beginAudited, type Countdown, type Operations } from '#operations';
import type { RestoreInput } from './restore.ts';

type Deps = {
	operations: Pick<Operations, 'run'>;
	audit: RecordAction;
	/** Why the mods cannot be changed at all, in a sentence. */
	untouchable: () => Promise<string | null>;
};

type Wish = {
	/** Names it for people. */
	note: string;
	/** Before a running server is stopped for it. */
	countdown?: Countdown | null;
};

/** Begins the operation that puts a snapshot back. */
export const createRestoreStart =
	({ operations, audit, untouchable }: Deps) =>
	(snapshotId: string, by: Actor, { note, countdown }: Wish): Promise<Operation> => {
		const subject = note ? `the snapshot “${note}”` : `the snapshot ${snapshotId}`;
		const input: RestoreInput = {
			...{ snapshot: snapshotId, by: by.name },
			...(countdown && { countdown })
		};
		return beginAudited({ action: 'snapshots.restore', subject, by }, audit, async () => {
			const why = await untouchable();
			if (why) throw new AppError('conflict', why);
			return operations.run('restore', input, by, subject);
		});
	};
