import type { Clock } from '#core/clock';
import type { Run } from '#core/exec';
import type { BuildCommand } from './command.ts';
import type { TaskLine } from './lines.ts';

type Deps = {
	tasks: () => Promise<TaskLine[]>;
	build: BuildCommand;
	/** Loaded only when there are tasks: the calendar code is large. */
	due: () => Promise<(schedule: string, at: Date, timeZone: string) => boolean>;
	execute: Run;
	environment: NodeJS.ProcessEnv;
	clock: Clock;
	log: { warn(message: string, facts?: Record<string, unknown>): void };
	timeZone?: string;
};

const MINUTE_MS = 60_000;
/** A backup of a huge world takes hours; a task that takes longer than this hangs. */
const RUN_LIMIT_MS = 12 * 3_600_000;
const GRACE_MS = 10_000;
const SET_BACK_MINUTES = 180;

/**
 * Does what cron does, where there is none: checks every full minute and starts what is due. Times missed while the
 * dashboard was asleep are not made up for, and a task that is still running is not started a second time.
 */
export function createEmbedded(deps: Deps) {
	const { clock, log } = deps;
	const closing = new AbortController();
	const running = new Map<string, Promise<void>>();
	let loop: Promise<void> | null = null;

	async function run(task: TaskLine) {
		try {
			await deps.execute('/bin/sh', ['-c', deps.build(task)], {
				env: deps.environment,
				cwd: '/',
				timeoutMs: RUN_LIMIT_MS,
				graceMs: GRACE_MS,
				signal: closing.signal
			});
		} catch (cause) {
			// The dispatcher has written the reason to tasks.log; here we only log that it failed.
			if (!closing.signal.aborted) log.warn('A scheduled task failed', { task: task.id, cause });
		}
	}

	async function look(at: Date) {
		const tasks = await deps.tasks().catch((cause) => {
			log.warn('The scheduled tasks could not be read', { cause });
			return [];
		});
		const enabled = tasks.filter((task) => task.enabled);
		if (!enabled.length) return;
		const isDue = await deps.due().catch((cause) => {
			log.warn('Due tasks cannot be determined', { cause });
			return () => false;
		});
		const timeZone = deps.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
		for (const task of enabled) {
			if (!isDue(task.schedule, at, timeZone)) continue;
			if (running.has(task.id)) {
				log.warn('A scheduled task is still running and was not started again', { task: task.id });
				continue;
			}
			const ended = run(task).finally(() => running.delete(task.id));
			running.set(task.id, ended);
		}
	}

	async function watch() {
		let last = minuteOf(clock.now());
		while (!closing.signal.aborted) {
			const leftMs = MINUTE_MS - (clock.now().getTime() % MINUTE_MS);
			await clock.sleep(leftMs, closing.signal).catch(() => {}); // closing
			const now = minuteOf(clock.now());
			// As cron does: a clock set back a little starts nothing a second time, a clock that is corrected is
			// followed.
			const again = now <= last && last - now < SET_BACK_MINUTES;
			if (closing.signal.aborted || again) continue;
			last = now;
			await look(new Date(now * MINUTE_MS));
		}
	}

	return {
		start: () => void (loop ??= watch()),
		/** Ends what it started: a dispatcher cleans up what it has half done. */
		async close() {
			closing.abort();
			await Promise.all([loop, ...running.values()]);
		}
	};
}

const minuteOf = (time: Date) => Math.floor(time.getTime() / MINUTE_MS);
