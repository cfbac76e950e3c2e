import type { Operation } from '#schemas/operation';
import { SNAPSHOT_KEEP_MAX } from '#schemas/snapshot';
import { MESSAGE_MAX, type TaskRun, type TaskType } from '#schemas/task';
import { SCHEDULE, type Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';

/** What a line's command asks for, as it came: from a crontab that anybody may have edited. */
export type TaskOrder = { type: TaskType; message?: string; keep?: string };
export type Outcome = Pick<TaskRun, 'result' | 'exitCode' | 'detail'>;

type Deps = {
	/** Sends one console command; fails when the server is off. */
	command: (line: string) => Promise<string>;
	/** Null when nobody played since the last one, and the settings say to skip it then. */
	backup: (by: Actor) => Promise<Operation | null>;
	prune: (keep: number, by: Actor) => Promise<{ removed: number }>;
	/** Resolves with the operation once it is over. */
	ended: (id: string) => Promise<Operation>;
	cancel: (id: string, by: Actor) => Promise<unknown>;
	clock: Clock;
};

const LOCK_WAIT_MS = 10 * 60_000;
const LOCK_RETRY_MS = 2000;
/** sysexits' EX_TEMPFAIL: try again another time. */
const EXIT_SKIPPED = 75;
const KEEP_DEFAULT = 10;

/** Does one task to its end, in the dispatcher's own process. `signal` undoes what is half done. */
export function createDispatch(deps: Deps) {
	const { clock } = deps;

	async function patiently<T>(deed: () => Promise<T>, signal: AbortSignal): Promise<T> {
		const deadlineMs = clock.monotonicMs() + LOCK_WAIT_MS;
		for (;;) {
			try {
				return await deed();
			} catch (error) {
				const held = error instanceof AppError && ['conflict', 'busy'].includes(error.kind);
				if (!held || signal.aborted) throw error;
				if (clock.monotonicMs() >= deadlineMs) throw new Held(error.message);
			}
			await clock.sleep(LOCK_RETRY_MS, signal);
		}
	}

	async function backup(signal: AbortSignal): Promise<string> {
		const operation = await patiently(() => deps.backup(SCHEDULE), signal);
		if (!operation) throw new Unneeded('Nobody has played since the last backup.');
		const cancel = () => void deps.cancel(operation.id, SCHEDULE).catch(() => {}); // past cancelling: it ends anyway
		signal.addEventListener('abort', cancel);
		if (signal.aborted) cancel();
		try {
			const { state, cause } = await deps.ended(operation.id);
			if (state === 'succeeded') return `Backup made (operation ${operation.id}).`;
			throw new AppError('upstream', cause?.message ?? `The backup ended ${state}.`);
		} finally {
			signal.removeEventListener('abort', cancel);
		}
	}

	async function deed({ type, message, keep }: TaskOrder, signal: AbortSignal): Promise<string> {
		switch (type) {
			case 'say': {
				const line = oneLine(message ?? '');
				if (!line) throw new AppError('invalid', 'There is nothing to say.');
				await deps.command(`say ${line}`);
				return `Announced: ${line}`;
			}
			case 'backup':
				return backup(signal);
			case 'snapshot-prune': {
				const { removed } = await patiently(() => deps.prune(clamped(keep), SCHEDULE), signal);
				return `${removed} snapshots removed, the newest ${clamped(keep)} kept.`;
			}
		}
	}

	return async (order: TaskOrder, signal: AbortSignal): Promise<Outcome> => {
		try {
			return { result: 'done', exitCode: 0, detail: await deed(order, signal) };
		} catch (error) {
			if (error instanceof Unneeded)
				return { result: 'skipped', exitCode: 0, detail: error.message };
			if (error instanceof Held)
				return { result: 'skipped', exitCode: EXIT_SKIPPED, detail: `Skipped: ${error.message}` };
			if (signal.aborted)
				return { result: 'failed', exitCode: 1, detail: 'Stopped before it was done.' };
			if (!(error instanceof AppError)) throw error;
			return { result: 'failed', exitCode: 1, detail: error.message };
		}
	};
}

class Unneeded extends Error {}
class Held extends Error {}

const oneLine = (text: string) =>
	text
		.replace(/[\r\n\p{Cc}]+/gu, ' ')
		.trim()
		.slice(0, MESSAGE_MAX);

function clamped(keep: string | undefined): number {
	const number = Math.trunc(Number(keep || KEEP_DEFAULT));
	if (Number.isNaN(number)) return KEEP_DEFAULT;
	return Math.min(SNAPSHOT_KEEP_MAX, Math.max(1, number));
}
