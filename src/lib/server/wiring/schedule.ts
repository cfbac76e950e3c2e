import path from 'node:path';
import type { Operation } from '#schemas/operation';
import type { ModUpdates } from '#schemas/mod';
import { taskKind } from '#schemas/task';
import type { Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { run } from '#core/exec';
import { lazy, lazyMethods } from '#core/lazy';
import type { Lock } from '#core/lock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import { lastLines } from '#core/files';
import type { Rcon } from '#minecraft/rcon';
import type { Audit } from '#services/audit';
import type { Operations } from '#operations';
import type { Power } from '#services/power';
import {
	createEmbedded,
	createOnce,
	createRunner,
	commandBuilder,
	parseTable,
	RUNS_FILE,
	TaskOrder,
	TaskOutcome,
	writeRun,
	type Dispatch
} from '#services/schedule';
import { createFileCrontab, createUserCrontab } from '#storage/crontab';
import { createHandover } from '#storage/handover';

type Needs = {
	clock: Clock;
	log: Logger;
	audit: Audit;
	operations: Operations;
	rcon: Rcon;
	power: Power;
	/** Of a running server; null when it does not say. */
	playersOnline: () => Promise<number | null>;
	console: (line: string, by: Actor) => Promise<unknown>;
	modUpdates: () => Promise<ModUpdates>;
	updateMods: (by: Actor) => Promise<Operation>;
	backup: (by: Actor) => Promise<Operation | null>;
	prune: (keep: number, by: Actor) => Promise<{ removed: number }>;
	/** Of the crontab, in a connection of its own. */
	lock: Lock;
	environment: NodeJS.ProcessEnv;
	/** The project's folder: cron needs the dispatcher's absolute path. */
	root: string;
};

const RUNS_READ = 200;

/** What runs on a schedule: the tasks in the crontab, the scheduler in cron's place, and the dispatcher of one task. */
export function wireSchedule(config: ServerConfig, needs: Needs) {
	const { clock, log, operations, environment, root } = needs;
	const embeddedFile = path.join(config.dataDir, 'crontab');
	const table =
		config.scheduler === 'embedded'
			? createFileCrontab(embeddedFile)
			: createUserCrontab({ run, environment, dir: config.dataDir });
	const build = commandBuilder(path.join(root, 'scripts/task'), config.dataDir);
	const bare = {
		HOME: environment['HOME'],
		LOGNAME: environment['LOGNAME'],
		SHELL: '/bin/sh',
		PATH: '/usr/bin:/bin'
	};
	const dispatcher = lazy(async () => {
		const { createDispatch } = await import('#services/schedule');
		return createDispatch({
			command: (line) => needs.rcon.command(line),
			console: needs.console,
			backup: needs.backup,
			prune: needs.prune,
			power: needs.power,
			state: async () => (await needs.power.observe()).state,
			playersOnline: needs.playersOnline,
			modUpdates: needs.modUpdates,
			updateMods: needs.updateMods,
			cancel: operations.cancel,
			ended: (id) =>
				new Promise((resolve) => {
					const stop = operations.watch(id, (event) => {
						if (event.type !== 'end') return;
						queueMicrotask(() => stop());
						resolve(event.operation);
					});
				}),
			clock
		});
	});
	const here: Dispatch = async (...order) => (await dispatcher())(...order);
	const runner = createRunner({
		...{ clock, log },
		dispatch: here,
		write: (done) => writeRun(config.logDir, done)
	});
	const handover = createHandover({
		...{ clock, warn: log.warn },
		dir: path.join(config.dataDir, 'handover'),
		order: TaskOrder,
		answer: TaskOutcome
	});
	const schedules = lazy(async () => {
		const { cronDaemonProblem } = await import('#storage/crontab');
		const { readRuns } = await import('#services/schedule');
		const { createSchedules } = await import('#services/schedule');
		return createSchedules({
			...{ table, build, clock, lock: needs.lock },
			scheduler: config.scheduler,
			daemonProblem: async () => (config.scheduler === 'crontab' ? cronDaemonProblem() : null),
			history: async () =>
				readRuns(await lastLines(path.join(config.logDir, RUNS_FILE), RUNS_READ)),
			execute: run,
			runner,
			environment: bare,
			audit: needs.audit.record
		});
	});
	const embedded = createEmbedded({
		...{ build, clock, log },
		tasks: async () => parseTable(await table.read(), build).tasks,
		due: async () => (await import('#schemas/cron/cron')).isDue,
		execute: run,
		// Its day is the one of the clock by which it was found due.
		environment: { ...bare, TZ: environment['TZ'] }
	});
	/** Long work is done by the running dashboard: there it can be seen and cancelled. */
	const dispatch: Dispatch = async (order, signal) => {
		if (!taskKind(order.type).long) return here(order, signal);
		try {
			return (await handover.offer(order, signal)) ?? (await here(order, signal));
		} catch (error) {
			if (signal.aborted)
				return { result: 'failed', exitCode: 1, detail: 'Stopped before it was done.' };
			throw error;
		}
	};
	const schedule = lazyMethods(schedules);
	const once = createOnce({ dispatch, remove: schedule.remove, clock });
	return {
		schedule,
		/** One task to its end; `on` is the only day on which it may be done. */
		dispatch: (
			order: TaskOrder,
			signal: AbortSignal,
			{ id, on }: { id: string | null; on: string | null }
		) => (on === null ? dispatch(order, signal) : once(order, signal, { id, on })),
		runner,
		async start() {
			await handover.serve(runner.perform);
			if (config.scheduler === 'embedded') embedded.start();
		},
		close: async () => {
			runner.close();
			await handover.close();
			await embedded.close();
			needs.lock.close();
		}
	};
}
