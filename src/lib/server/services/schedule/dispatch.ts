import type { ModUpdates } from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import type { PowerRequest } from '#schemas/server';
import type { ServerState } from '#schemas/status';
import { isOffered } from '#schemas/plain/offered';
import { storedTask, taskKind, TaskRun } from '#schemas/task';
import { TaskRefused, TaskSkipped, type TaskContext } from '#schemas/tasks/index';
import { SCHEDULE, type Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { TaskOrder } from './command.ts';

export const TaskOutcome = TaskRun.pick({ result: true, exitCode: true, detail: true });
export type Outcome = Pick<TaskRun, 'result' | 'exitCode' | 'detail'>;

/** Who requests it, and what they are told in the meantime. */
export type Wish = {
	/** `SCHEDULE` by default. */
	by?: Actor;
	/** Someone waits for an answer: an obstacle is reported at once. */
	impatient?: boolean;
	/** Aborted when this process ends: nobody waits any more, and an operation that has begun is left to the next one. */
	leaving?: AbortSignal;
	/** An operation has begun. */
	began?: (operation: Operation) => void;
	/** It waits for something, which may take long. */
	waits?: (why: string) => void;
};

/** Does one task to its end; `signal` makes it undo what is half done. */
export type Dispatch = (order: TaskOrder, signal: AbortSignal, wish?: Wish) => Promise<Outcome>;

type Power = (request: PowerRequest, by: Actor) => Promise<Operation>;
type Deps = {
	/** Sends one console command; fails when the server is off. */
	command: (line: string) => Promise<string>;
	/** The same, recorded in the audit log. */
	console: (line: string, by: Actor) => Promise<unknown>;
	/** Null when nobody has played since the last one and the settings say to skip it then. */
	backup: (by: Actor) => Promise<Operation | null>;
	prune: (keep: number, by: Actor) => Promise<{ removed: number }>;
	power: Record<'start' | 'stop' | 'restart', Power>;
	state: () => Promise<ServerState>;
	/** Of a running server; null when it does not say. */
	playersOnline: () => Promise<number | null>;
	/** Requested from the registry now. */
	modUpdates: () => Promise<ModUpdates>;
	updateMods: (by: Actor) => Promise<Operation>;
	/** Resolves with the operation once it is over. */
	ended: (id: string) => Promise<Operation>;
	cancel: (id: string, by: Actor) => Promise<unknown>;
	clock: Clock;
};

const LOCK_WAIT_MS = 10 * 60_000;
const LOCK_RETRY_MS = 2000;
/** sysexits' EX_TEMPFAIL: try again another time. */
const EXIT_SKIPPED = 75;

/** In these states there is nothing to do. */
const POINTLESS: Record<'start' | 'stop' | 'restart', Partial<Record<ServerState, string>>> = {
	start: { running: 'The server runs already.', starting: 'The server is starting already.' },
	stop: {
		stopped: 'The server is stopped already.',
		crashed: 'The server is not running.',
		stopping: 'The server is stopping already.'
	},
	restart: {
		stopped: 'The server is not running, so there is nothing to restart.',
		crashed: 'The server is not running, so there is nothing to restart.',
		stopping: 'The server is stopping, so there is nothing to restart.'
	}
};

export function createDispatch(deps: Deps): Dispatch {
	const { clock } = deps;

	async function patiently<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
		const deadlineMs = clock.monotonicMs() + LOCK_WAIT_MS;
		for (;;) {
			try {
				return await attempt();
			} catch (error) {
				// A finer code is a reason that waiting does not change.
				const held = error instanceof AppError && ['conflict', 'busy'].includes(error.code);
				if (!held || signal.aborted) throw error;
				if (clock.monotonicMs() >= deadlineMs) throw new Held(error.message);
			}
			await clock.sleep(LOCK_RETRY_MS, signal);
		}
	}

	/** The operation when it has succeeded; cancelled when the task is. */
	async function untilEnded(
		operation: Operation,
		signal: AbortSignal,
		{ by = SCHEDULE, leaving }: Wish
	) {
		const { promise: left, reject } = Promise.withResolvers<never>();
		const leave = () =>
			reject(
				new Left('Craftwarden was stopped. Operations already under way continue when it is back.')
			);
		leaving?.addEventListener('abort', leave);
		const cancel = () => void deps.cancel(operation.id, by).catch(() => {}); // too late: it ends anyway
		signal.addEventListener('abort', cancel);
		if (signal.aborted) cancel();
		try {
			const { kind, state, cause } = await Promise.race([deps.ended(operation.id), left]);
			if (state === 'succeeded') return operation;
			// By a person, who knows: that is no failure.
			if (state === 'cancelled' && !signal.aborted)
				throw new TaskSkipped(`The ${kind} was called off.`);
			throw new AppError('upstream', cause?.message ?? `The operation (${kind}) ended ${state}.`);
		} finally {
			signal.removeEventListener('abort', cancel);
			leaving?.removeEventListener('abort', leave);
		}
	}

	async function updatable(): Promise<string[]> {
		const { checkedAt, mods } = await deps.modUpdates();
		const problem = mods.find(({ error }) => error)?.error;
		if (checkedAt === null && problem) throw new AppError('upstream', problem);
		return mods
			.filter(isOffered)
			.map(({ fileName, latest }) => `${fileName} → ${latest?.version ?? 'newer'}`);
	}

	function contextOf(signal: AbortSignal, wish: Wish): TaskContext {
		const { by = SCHEDULE, impatient = false, began, waits, leaving } = wish;
		const stop = leaving ? AbortSignal.any([signal, leaving]) : signal;
		let waited = false;
		const attempt = <T>(act: () => Promise<T>) =>
			impatient && !waited ? act() : patiently(act, stop);
		async function operate(begin: () => Promise<Operation | null>): Promise<Operation | null> {
			const operation = await attempt(begin);
			if (!operation) return null;
			began?.(operation);
			return untilEnded(operation, signal, wish);
		}
		return {
			command: async (line) => void (await deps.command(line)),
			console: async (line) => void (await deps.console(line, by)),
			async backup() {
				const operation = await operate(() => deps.backup(by));
				if (!operation) throw new TaskSkipped('Nobody has played since the last backup.');
				return operation.id;
			},
			prune: (keep) => attempt(() => deps.prune(keep, by)),
			async power(action, delaySeconds) {
				await operate(async () => {
					const pointless = POINTLESS[action][await deps.state()];
					if (pointless) throw new TaskSkipped(pointless);
					return deps.power[action]({ delaySeconds, message: '' }, by);
				});
			},
			playersOnline: async () =>
				['stopped', 'crashed'].includes(await deps.state()) ? 0 : deps.playersOnline(),
			async wait(ms, why) {
				waits?.(why);
				waited = true;
				await clock.sleep(ms, stop);
			},
			checkMods: updatable,
			async updateMods() {
				const mods = await updatable();
				if (mods.length) await operate(() => deps.updateMods(by));
				return mods;
			}
		};
	}

	async function perform({ type, options }: TaskOrder, signal: AbortSignal, wish: Wish) {
		const task = storedTask(type, '', options);
		if (!task)
			throw new TaskRefused(`The options of this task (${taskKind(type).label}) make no sense.`);
		return taskKind(type).run(task, contextOf(signal, wish));
	}

	return async (order, signal, wish = {}) => {
		try {
			return { result: 'done', exitCode: 0, detail: await perform(order, signal, wish) };
		} catch (error) {
			if (error instanceof TaskSkipped)
				return { result: 'skipped', exitCode: 0, detail: error.message };
			if (error instanceof Held)
				return { result: 'skipped', exitCode: EXIT_SKIPPED, detail: `Skipped: ${error.message}` };
			if (error instanceof Left) return { result: 'failed', exitCode: 1, detail: error.message };
			if (signal.aborted || wish.leaving?.aborted)
				return { result: 'failed', exitCode: 1, detail: 'Stopped before it was done.' };
			if (!(error instanceof AppError || error instanceof TaskRefused)) throw error;
			return { result: 'failed', exitCode: 1, detail: error.message };
		}
	};
}

class Held extends Error {}
class Left extends Error {}
