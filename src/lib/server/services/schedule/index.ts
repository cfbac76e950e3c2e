import { humanSchedule } from '#schemas/cron/labels';
import {
	changedTask,
	taskKind,
	TASKS_MAX,
	type Task,
	type TaskAnswer,
	type TaskChange,
	type TaskCreate,
	type TaskList,
	type TaskRun,
	type TaskWaiting
} from '#schemas/task';
import type { Actor, RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError, invalid } from '#core/errors';
import type { Run } from '#core/exec';
import type { Lock } from '#core/lock';
import { createSerial } from '#core/serial';
import type { Crontab } from '#storage/crontab';
import { RUN_NOW, type BuildCommand } from './command.ts';
import type { Runner } from './runner.ts';
import {
	newId,
	parseTable,
	toLine,
	withLine,
	withNewLine,
	type Table,
	type TaskLine
} from './lines.ts';

export { createDispatch, TaskOutcome, type Dispatch } from './dispatch.ts';
export { createEmbedded } from './embedded.ts';
export { createOnce } from './once.ts';
export { readRuns, RUNS_FILE, writeRun } from './history.ts';
export { commandBuilder, readCommand, RUN_NOW, TaskOrder } from './command.ts';
export { createRunner, type Runner } from './runner.ts';
export { parseTable } from './lines.ts';

/** Tasks that cron, or the dashboard in its place, starts at their scheduled times. */
export interface Schedules {
	/** By their next runs. When the table cannot be read, `readOnly` says why, and there are no tasks. */
	list(): Promise<TaskList>;
	/** Without who starts them, and by which clock. */
	tasks(): Promise<Tasks>;
	/**
	 * `AppError('invalid')` when cron would refuse its line, or the one day it is for has passed; 'conflict' when it is
	 * there already, or there are too many.
	 */
	add(task: TaskCreate, by: Actor): Promise<Task>;
	/** `AppError('not-found')`; 'invalid' for what no new task could be. */
	change(change: TaskChange, by: Actor): Promise<Task>;
	/** With `on` only while it is for that day. */
	remove(id: string, by: Actor, on?: string): Promise<void>;
	/**
	 * Does it now, even if the task is disabled. A long one is done here: it answers as soon as its operation has begun.
	 * Any other runs its command: `AppError('timeout')` after a minute, and `signal` ends it and its children.
	 */
	run(id: string, by: Actor, signal?: AbortSignal): Promise<TaskAnswer>;
	/** What has begun and waits, the longest first. */
	waiting(): Promise<TaskWaiting[]>;
	/** `AppError('not-found')` when it waits no more. */
	callOff(key: string, by: Actor): Promise<void>;
	/** Newest first. */
	runs(): Promise<TaskRun[]>;
}

export type Tasks = Omit<TaskList, 'scheduler' | 'timeZone'>;

type Deps = {
	scheduler: 'crontab' | 'embedded';
	table: Crontab;
	build: BuildCommand;
	/** Shared by all processes that change the table. */
	lock: Lock;
	/** Why no task would be started at its time; null when all is well. */
	daemonProblem: () => Promise<string | null>;
	history: () => Promise<TaskRun[]>;
	execute: Run;
	/** Does long tasks in this process. */
	runner: Pick<Runner, 'runHere' | 'waiting' | 'callOff'>;
	/** As minimal as cron's own. */
	environment: NodeJS.ProcessEnv;
	audit: RecordAction;
	clock: Clock;
	timeZone?: string;
};

const LOCK_WAIT_MS = 5000;
/** A busy machine takes its time to start a dispatcher, and to take out the line. */
const MISSED_AFTER_MS = 5 * 60_000;
const RUN_LIMIT_MS = 60_000;
/** Time to undo what is half done (saving must be turned on again) before it is killed. */
const GRACE_MS = 10_000;
const OUTPUT_MAX = 20_000;

export function createSchedules(deps: Deps): Schedules {
	const { table, build, lock, audit, clock } = deps;
	/** Asked when it is needed: Intl brings megabytes into memory (docs/decisions/011). */
	const timeZone = () => deps.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

	async function shown(task: TaskLine): Promise<Task> {
		const human = humanSchedule(task.schedule, task.on);
		const words = { human, sentence: sentence(task) };
		if (!task.enabled) return { ...task, ...words, nextRunAt: null };
		const { nextOf } = await import('#schemas/cron/cron');
		const next = nextOf(task, clock.now(), timeZone());
		const missed = !next && (await wasMissed(task));
		return {
			...{ ...task, ...words, nextRunAt: next?.toISOString() ?? null },
			...(missed && { missed })
		};
	}

	async function wasMissed({ id, schedule, on }: TaskLine): Promise<boolean> {
		if (on === undefined) return false;
		const { timeOn } = await import('#schemas/cron/cron');
		const due = timeOn(on, schedule, timeZone());
		if (!due || clock.now().getTime() < due.getTime() + MISSED_AFTER_MS) return false;
		const runs = await deps.history();
		return !runs.some((run) => run.id === id && run.at >= due.toISOString());
	}

	/** `AppError('invalid')` when cron would not come on that day, or only in another year. */
	async function checkDay({ schedule, on, enabled }: TaskLine) {
		if (on === undefined || !enabled) return;
		const { nextRun, timeOn } = await import('#schemas/cron/cron');
		const now = clock.now();
		const due = timeOn(on, schedule, timeZone());
		const refused = (message: string) => invalid([{ path: 'on', message }]);
		if (!due) throw refused('There is no such time on that day.');
		if (due <= now) throw refused('That time has passed. Choose a later one.');
		if (nextRun(schedule, now, timeZone())?.getTime() !== due.getTime())
			throw refused('That is more than a year ahead. Choose an earlier day.');
	}

	type Changed<T> = { text: string; value: T };
	type Edit<T> = (text: string, table: Table) => Changed<T> | Promise<Changed<T>>;
	const changes = createSerial();
	/** One change at a time, across all processes: the table is read, changed and written in one go. */
	const change = <T>(edit: Edit<T>): Promise<T> => changes.run(() => changeNow(edit));

	async function changeNow<T>(edit: Edit<T>): Promise<T> {
		await lock.acquire(LOCK_WAIT_MS);
		try {
			const before = await table.read();
			const parsed = parseTable(before, build);
			if (parsed.damage) throw new AppError('conflict', parsed.damage);
			const { text, value } = await edit(before, parsed);
			if (text !== before) await table.write(text, before);
			return value;
		} finally {
			lock.release();
		}
	}

	const isSame = (one: TaskLine, other: TaskLine) =>
		one.schedule === other.schedule && build({ ...one, id: other.id }) === build(other);

	function refuseTwin(tasks: TaskLine[], line: TaskLine) {
		const twin = tasks.find((one) => one.id !== line.id && isSame(one, line));
		if (twin) throw scheduledAlready(twin);
	}

	async function find(id: string): Promise<TaskLine> {
		const { tasks } = parseTable(await table.read(), build);
		return same(tasks, id);
	}

	async function tasks(): Promise<Tasks> {
		try {
			const { tasks, problems, damage } = parseTable(await table.read(), build);
			const daemon = await deps.daemonProblem();
			return {
				tasks: (await Promise.all(tasks.map(shown))).sort(byNextRun),
				problems: daemon ? [daemon, ...problems] : problems,
				readOnly: damage
			};
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			return { tasks: [], problems: [], readOnly: error.message };
		}
	}

	return {
		async list() {
			return { scheduler: deps.scheduler, timeZone: timeZone(), ...(await tasks()) };
		},
		tasks,
		async add(task, by) {
			const line: TaskLine = { ...task, id: newId(), enabled: true };
			await checkDay(line);
			await change((text, { tasks }) => {
				refuseTwin(tasks, line);
				if (tasks.length >= TASKS_MAX) throw tooMany(tasks.length);
				return { text: withNewLine(text, toLine(line, build)), value: null };
			});
			await audit(by, 'task.add', { subject: line.id, detail: sentence(line) });
			return shown(line);
		},
		async change(wish, by) {
			const task = await change(async (_, parsed) => {
				const before = same(parsed.tasks, wish.id);
				const line = changedLine(before, wish);
				await checkDay(line);
				// Two that are there already, of an earlier version, still go on and off.
				if (!isSame(before, line)) refuseTwin(parsed.tasks, line);
				return { text: withLine(parsed, line.id, toLine(line, build)), value: line };
			});
			const fields = Object.keys(wish).length > (wish.enabled === undefined ? 1 : 2);
			const action = fields ? 'task.change' : wish.enabled ? 'task.enable' : 'task.disable';
			await audit(by, action, { subject: task.id, detail: sentence(task) });
			return shown(task);
		},
		async remove(id, by, on) {
			const task = await change((_, parsed) => {
				const line = same(parsed.tasks, id);
				if (on !== undefined && line.on !== on) throw missing();
				return { text: withLine(parsed, line.id, null), value: line };
			});
			await audit(by, 'task.remove', { subject: task.id, detail: sentence(task) });
		},
		async run(id, by, signal) {
			const task = await find(id);
			if (taskKind(task.type).long) {
				await audit(by, 'task.run', { subject: task.id, detail: sentence(task) });
				return deps.runner.runHere(task.id, task, by);
			}
			// By hand on any day, and it stays.
			const now = { ...task, on: undefined };
			const startedMs = clock.monotonicMs();
			const tell = (result: 'done' | 'failed', detail: string) =>
				audit(by, 'task.run', { subject: task.id, result, detail: `${sentence(task)}: ${detail}` });
			try {
				const { stdout, stderr, exitCode } = await deps.execute('/bin/sh', ['-c', build(now)], {
					env: { ...deps.environment, [RUN_NOW]: 'yes' },
					cwd: '/',
					timeoutMs: RUN_LIMIT_MS,
					graceMs: GRACE_MS,
					maxOutput: OUTPUT_MAX,
					okCodes: 'any',
					...(signal && { signal })
				});
				await tell(exitCode === 0 ? 'done' : 'failed', `exit code ${exitCode}`);
				const durationMs = Math.round(clock.monotonicMs() - startedMs);
				const output = [stdout, stderr].filter(Boolean).join('\n').slice(0, OUTPUT_MAX);
				return { ok: exitCode === 0, exitCode, durationMs, output: printable(output) };
			} catch (error) {
				await tell('failed', error instanceof AppError ? error.message : 'given up');
				if (!(error instanceof AppError) || error.kind !== 'timeout') throw error;
				const message = `The task did not finish within ${RUN_LIMIT_MS / 1000} seconds, so it was stopped.`;
				throw new AppError('timeout', message, { cause: error });
			}
		},
		waiting: async () => deps.runner.waiting(),
		async callOff(key, by) {
			const task = deps.runner.callOff(key, by);
			if (!task)
				throw new AppError('not-found', 'It waits no more: it has begun, or is over already.');
			await audit(by, 'task.call-off', { detail: taskKind(task.type).label });
		},
		runs: deps.history
	};
}

/** What never runs again comes last; at the same time, by what it does. */
const byNextRun = (one: Task, other: Task) =>
	compare(one.nextRunAt ?? NEVER, other.nextRunAt ?? NEVER) ||
	compare(sentence(one), sentence(other));
/** After any time. */
const NEVER = '~';
const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function same(tasks: TaskLine[], id: string): TaskLine {
	const task = tasks.find((one) => one.id.toLowerCase() === id.toLowerCase());
	if (!task) throw missing();
	return task;
}

const missing = () => new AppError('not-found', 'There is no such task: it may have been removed.');

function changedLine(line: TaskLine, change: TaskChange): TaskLine {
	const { id, enabled, ...task } = line;
	const { data, error } = changedTask(task as TaskCreate, change);
	if (data) return { ...data, id, enabled: change.enabled ?? enabled };
	const issues = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
	throw invalid(issues);
}

const scheduledAlready = ({ enabled }: TaskLine) =>
	new AppError(
		'conflict',
		enabled
			? 'This is scheduled already.'
			: 'This is scheduled already, and disabled. Enable it in the list of tasks.'
	);

const tooMany = (count: number) =>
	new AppError(
		'conflict',
		`There are already ${count} scheduled tasks, and no more can be added. Remove one that is not needed.`
	);

/** `Every night at 04:30, make a backup` */
const sentence = (task: TaskCreate) =>
	`${often(humanSchedule(task.schedule, task.on))}, ${taskKind(task.type).does(task)}`;

/** A schedule in words, at the beginning of a sentence. */
const often = (human: string) => (/^(?:Every|Once)/.test(human) ? human : `On “${human}”`);

/** Keeps line ends and removes other control characters from a program's output. */
const printable = (text: string) =>
	// eslint-disable-next-line no-control-regex
	text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '').replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ');
