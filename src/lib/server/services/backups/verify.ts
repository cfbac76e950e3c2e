import type { BackupVerify } from '#schemas/backup';
import { AppError } from '#core/errors';
import { createSerial } from '#core/serial';
import type { Clock } from '#core/clock';
import type { Archiver, RunningJob, BackupFolder, Sidecar } from '#storage/archive';

/** A backup was made or is gone; an archive that was good is found to be damaged; how a verify stands. */
export type BackupFact =
	| { type: 'backups-changed' }
	| { type: 'backup-damaged'; id: string; problem: string }
	| { type: 'backup-verify'; verify: BackupVerify };

/** What is known of a verify, besides what the archive's description says. */
type Standing = Pick<BackupVerify, 'verifying' | 'verifyProgress' | 'verifyProblem'>;

/** Reads archives back, one at a time, however many callers ask. */
export interface Verifier {
	/** Queues it unless it is already queued; resolves when it is done; failures are only logged. */
	verify(sidecar: Sidecar): Promise<void>;
	/** Null when there is nothing to say. */
	standing(id: string): Standing | null;
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
const IDLE: Standing = { verifying: false, verifyProgress: null, verifyProblem: null };
const WAITING: Standing = { ...IDLE, verifying: true };
const UNEXPECTED = 'Something went wrong; the dashboard’s log says what.';

export function createVerifier(deps: Deps): Verifier {
	const { archiver, folder, publish, log, clock } = deps;
	const queued = new Map<string, Promise<void>>();
	const standings = new Map<string, Standing>();
	const closing = new AbortController();
	const queue = createSerial();

	function tell({ id, verifiedAt, problem }: Sidecar, standing: Standing | null) {
		if (standing) standings.set(id, standing);
		else standings.delete(id);
		const state = problem === null ? 'complete' : 'damaged';
		const verify = { id, state, verifiedAt, problem, ...(standing ?? IDLE) } as const;
		publish({ type: 'backup-verify', verify });
	}

	/** Tells each percent. */
	function following(sidecar: Sidecar) {
		const { bytes: total } = sidecar.totals;
		let told = -1;
		return (read: number) => {
			const done = Math.min(read, total);
			const percent = Math.floor((done / total) * 100);
			if (percent === told) return;
			told = percent;
			tell(sidecar, { ...WAITING, verifyProgress: { done, total } });
		};
	}

	/** Returns its description as it is then. */
	async function check(sidecar: Sidecar): Promise<Sidecar> {
		const { id, bytes, manifestSha256, totals } = sidecar;
		const file = folder.paths(id).archive;
		const expected = { bytes, manifestSha256, totals };
		const at = clock.now().toISOString();
		try {
			await archiver.run(
				{ kind: 'read', file, expected, into: null },
				{ signal: closing.signal, begun: deps.throttle, progress: following(sidecar) }
			);
			const good = (one: Sidecar) => ({ ...one, verifiedAt: at, problem: null });
			return (await folder.update(id, good)) ?? sidecar;
		} catch (error) {
			if (!(error instanceof AppError) || error.code !== 'archive-damaged') throw error;
			const { message: problem } = error;
			const known = await folder.update(id, (one) => ({ ...one, verifiedAt: at, problem }));
			if (!known) return sidecar; // deleted in the meantime
			log.error('A backup is damaged', { backup: id, problem });
			publish({ type: 'backup-damaged', id, problem });
			return known;
		}
	}

	async function run(sidecar: Sidecar) {
		try {
			tell(await check(sidecar), null);
		} catch (cause) {
			if (closing.signal.aborted) return;
			log.error('A backup could not be verified', { backup: sidecar.id, cause });
			const verifyProblem = cause instanceof AppError ? cause.message : UNEXPECTED;
			tell(sidecar, { ...IDLE, verifyProblem });
		}
	}

	return {
		verify(sidecar) {
			const before = queued.get(sidecar.id);
			if (before) return before;
			if (queued.size >= QUEUE_MAX)
				throw new AppError('busy', 'Too many backups wait to be verified. Try again later.');
			const mine = queue
				.run(() => run(sidecar), closing.signal)
				.catch(() => {}) // only when it is closing
				.finally(() => void queued.delete(sidecar.id));
			queued.set(sidecar.id, mine);
			tell(sidecar, WAITING);
			return mine;
		},
		standing: (id) => standings.get(id) ?? null,
		get busy() {
			return queued.size > 0;
		},
		close: () => closing.abort(new AppError('busy', 'Craftwarden is shutting down.'))
	};
}
