import type { Operation } from '#schemas/operation';
import { storedTask, taskKind, type TaskRun } from '#schemas/task';
import { TaskRefused, type TaskContext } from '#schemas/tasks/index';
import { SCHEDULE, type Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { TaskOrder } from './command.ts';

export type Outcome = Pick<TaskRun, 'result' | 'exitCode' | 'detail'>;

type Deps = {
	/** Sends one console command; fails when the server is off. */
	command: (line: string) => Promise<string>;
	/** Null when nobody has played since the last one and the settings say to skip it then. */
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

/** Runs one task in the dispatcher's own process. `signal` makes it undo what is half done. */
export function createDispatch(deps: Deps) {
	const { clock } = deps;

	async function patiently<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
		const deadlineMs = clock.monotonicMs() + LOCK_WAIT_MS;
		for (;;) {
			try {
				return await attempt();
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
		const cancel = () => void deps.cancel(operation.id, SCHEDULE).catch(() => {}); // too late: it ends anyway
		signal.addEventListener('abort', cancel);
		if (signal.aborted) cancel();
		try {
			const { state, cause } = await deps.ended(operation.id);
			if (state === 'succeeded') return operation.id;
			throw new AppError('upstream', cause?.message ?? `The backup ended ${state}.`);
		} finally {
			signal.removeEventListener('abort', cancel);
		}
	}

	async function perform({ type, options }: TaskOrder, signal: AbortSignal): Promise<string> {
		const task = storedTask(type, '', options);
		if (!task)
			throw new TaskRefused(`The options of this task (${taskKind(type).label}) make no sense.`);
		const context: TaskContext = {
			command: async (line) => void (await deps.command(line)),
			backup: () => backup(signal),
			prune: (keep) => patiently(() => deps.prune(keep, SCHEDULE), signal)
		};
		return taskKind(type).run(task, context);
	}

	return async (order: TaskOrder, signal: AbortSignal): Promise<Outcome> => {
		try {
			return { result: 'done', exitCode: 0, detail: await perform(order, signal) };
		} catch (error) {
			if (error instanceof Unneeded)
				return { result: 'skipped', exitCode: 0, detail: error.message };
			if (error instanceof Held)
				return { result: 'skipped', exitCode: EXIT_SKIPPED, detail: `Skipped: ${error.message}` };
			if (signal.aborted)
				return { result: 'failed', exitCode: 1, detail: 'Stopped before it was done.' };
			if (!(error instanceof AppError || error instanceof TaskRefused)) throw error;
			return { result: 'failed', exitCode: 1, detail: error.message };
		}
	};
}

class Unneeded extends Error {}
class Held extends Error {}
