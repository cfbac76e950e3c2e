import path from 'node:path';
import { systemClock } from '#core/clock';
import { run } from '#core/exec';
import type { Lock } from '#core/lock';
import { createSchedules, commandBuilder } from '#services/schedule';
import { createFileCrontab, createUserCrontab } from '#storage/crontab';

export type Where = 'user' | 'embedded';
export const build = commandBuilder('/srv/scripts/task', '/srv/data');

/** Tasks in the file `data/crontab`, or in the table of the `crontab` command in `data/bin`. */
export function openSchedules(dir: string, where: Where, lock: Lock) {
	const data = path.join(dir, 'data');
	const environment = { PATH: `${path.join(data, 'bin')}:${process.env['PATH']}` };
	const table =
		where === 'embedded'
			? createFileCrontab(path.join(data, 'crontab'))
			: createUserCrontab({
					environment,
					dir: data,
					// Node looks a program up in its own PATH.
					run: (file, args, options) =>
						run('/bin/sh', ['-c', 'exec "$0" "$@"', file, ...args], options)
				});
	const schedule = createSchedules({
		...{ table, build, lock, environment, clock: systemClock, timeZone: 'UTC' },
		scheduler: where === 'user' ? 'crontab' : 'embedded',
		daemonProblem: async () => null,
		history: async () => [],
		execute: run,
		runner: { runHere: async () => ({ operationId: '' }), waiting: () => [], callOff: () => null },
		audit: async () => {}
	});
	return { table, schedule };
}
