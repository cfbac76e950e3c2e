import path from 'node:path';
import type { Operation } from '../schemas/operation.ts';
import type { Actor } from './core/actor.ts';
import type { Clock } from './core/clock.ts';
import { run } from './core/exec.ts';
import { later, methodsOf } from './core/later.ts';
import type { Lock } from './core/lock.ts';
import type { Logger } from './core/log.ts';
import type { Env } from './env.ts';
import { lastLines } from './minecraft/last-lines.ts';
import type { Rcon } from './minecraft/rcon.ts';
import type { Audit } from './services/audit.ts';
import type { Operations } from './services/operations/index.ts';
import type { createDispatch } from './services/schedule/dispatch.ts';
import { createEmbedded } from './services/schedule/embedded.ts';
import { commandBuilder, parseTable } from './services/schedule/lines.ts';
import { createFileCrontab, createUserCrontab } from './storage/crontab.ts';

type Needs = {
	clock: Clock;
	log: Logger;
	audit: Audit;
	operations: Operations;
	rcon: Rcon;
	backup: (by: Actor) => Promise<Operation | null>;
	prune: (keep: number, by: Actor) => Promise<{ removed: number }>;
	/** Of the crontab, in a connection of its own. */
	lock: Lock;
	environment: NodeJS.ProcessEnv;
	/** The project's folder: cron needs the dispatcher's absolute path. */
	root: string;
};

const RUNS_READ = 200;

/** What happens at its time: the tasks in the crontab, the scheduler in cron's place, and the dispatcher of one task. */
export function createTasks(env: Env, needs: Needs) {
	const { clock, log, operations, environment, root } = needs;
	const embeddedFile = path.join(env.dataDir, 'crontab');
	const table =
		env.scheduler === 'embedded'
			? createFileCrontab(embeddedFile)
			: createUserCrontab({ run, environment, dir: env.dataDir });
	const build = commandBuilder(path.join(root, 'scripts/task'), env.dataDir);
	const bare = {
		HOME: environment['HOME'],
		LOGNAME: environment['LOGNAME'],
		SHELL: '/bin/sh',
		PATH: '/usr/bin:/bin'
	};
	const schedules = later(async () => {
		const { cronDaemonProblem } = await import('./storage/cron-daemon.ts');
		const { readRuns } = await import('./services/schedule/history.ts');
		const { createSchedules } = await import('./services/schedule/index.ts');
		return createSchedules({
			...{ table, build, clock, lock: needs.lock },
			scheduler: env.scheduler,
			daemonProblem: async () => (env.scheduler === 'crontab' ? cronDaemonProblem() : null),
			history: async () => readRuns(await lastLines(path.join(env.logDir, 'tasks.log'), RUNS_READ)),
			execute: run,
			environment: bare,
			audit: needs.audit.record
		});
	});
	const embedded = createEmbedded({
		...{ build, clock, log },
		tasks: async () => parseTable(await table.read(), build).tasks,
		due: async () => (await import('../cron.ts')).isDue,
		execute: run,
		environment: bare
	});
	const dispatcher = later(async () => {
		const { createDispatch } = await import('./services/schedule/dispatch.ts');
		return createDispatch({
			command: (line) => needs.rcon.command(line),
			backup: needs.backup,
			prune: needs.prune,
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
	const dispatch: ReturnType<typeof createDispatch> = async (...order) =>
		(await dispatcher())(...order);
	return {
		schedule: methodsOf(schedules),
		dispatch,
		start: () => {
			if (env.scheduler === 'embedded') embedded.start();
		},
		close: async () => {
			await embedded.close();
			needs.lock.close();
		}
	};
}
