import path from 'node:path';
import { systemClock } from '../../../src/lib/server/core/clock.ts';
import { run } from '../../../src/lib/server/core/exec.ts';
import type { Lock } from '../../../src/lib/server/core/lock.ts';
import { createSchedules } from '../../../src/lib/server/services/schedule/index.ts';
import { commandBuilder } from '../../../src/lib/server/services/schedule/lines.ts';
import { createFileCrontab, createUserCrontab } from '../../../src/lib/server/storage/crontab.ts';

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
		audit: async () => {}
	});
	return { table, schedule };
}
