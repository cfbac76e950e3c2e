import { AppError } from '#core/errors';
import { createSerial } from '#core/serial';
import type { Clock } from '#core/clock';
import type { Archiver, RunningJob, BackupFolder, Sidecar } from '#storage/archive';

/** Called when an archive that was good is found to be damaged. */
export type BackupFact = { type: 'backup-damaged'; id: string; problem: string };

/** Reads archives back, one at a time, however many callers ask. */
export interface Verifier {
	/** Queues it unless it is already queued; resolves when it is done; failures are only logged. */
	verify(sidecar: Sidecar): Promise<void>;
	/** Queued or in progress. */
	busyWith(id: string): boolean;
	readonly busy: boolean;
	close(): void;
}

type Deps = {
	archiver: Archiver;
	/** Pauses the work while the game lags. */
	throttle: (job: RunningJob) => void;
	folder: BackupFolder;
	publish: (fact: BackupFact) => void;
	log: { error(message: string, facts?: object): void };
	clock: Clock;
};

const QUEUE_MAX = 100;

export function createVerifier(deps: Deps): Verifier {
	const { archiver, folder, publish, log, clock } = deps;
	const queued = new Map<string, Promise<void>>();
	const closing = new AbortController();
	const queue = createSerial();

	async function check({ id, bytes, manifestSha256, totals }: Sidecar) {
		const file = folder.paths(id).archive;
		const expected = { bytes, manifestSha256, totals };
		const at = clock.now().toISOString();
		try {
			await archiver.run(
				{ kind: 'read', file, expected, into: null },
				{ signal: closing.signal, begun: deps.throttle }
			);
			await folder.update(id, (sidecar) => ({ ...sidecar, verifiedAt: at, problem: null }));
		} catch (error) {
			if (!(error instanceof AppError) || error.code !== 'archive-damaged') throw error;
			const { message: problem } = error;
			const known = await folder.update(id, (sidecar) => ({ ...sidecar, verifiedAt: at, problem }));
			if (!known) return; // deleted in the meantime
			log.error('A backup is damaged', { backup: id, problem });
			publish({ type: 'backup-damaged', id, problem });
		}
	}

	return {
		verify(sidecar) {
			const before = queued.get(sidecar.id);
			if (before) return before;
			if (queued.size >= QUEUE_MAX)
				throw new AppError('busy', 'Too many backups wait to be verified. Try again later.');
			const mine = queue
				.run(() => check(sidecar), closing.signal)
				.catch((cause) => {
					if (!closing.signal.aborted)
						log.error('A backup could not be verified', { backup: sidecar.id, cause });
				})
				.finally(() => void queued.delete(sidecar.id));
			queued.set(sidecar.id, mine);
			return mine;
		},
		busyWith: (id) => queued.has(id),
		get busy() {
			return queued.size > 0;
		},
		close: () => closing.abort(new AppError('busy', 'Craftwarden is shutting down.'))
	};
}
