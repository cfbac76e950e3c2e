import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseTable } from '#services/schedule';
import { fakeCrontab } from '../fakes/crontab.ts';
import { EXPLORE_LIMIT_MS, explore, obstacle, type Outcome } from './explore.ts';
import { build, openSchedules, type Where } from './programs/schedules.ts';

const why = obstacle();
/** The file is written as all state is, whose own test tries that each time. */
const WHERE: Where[] = process.env.FAULTS === 'all' ? ['user', 'embedded'] : ['user'];
const FOREIGN = Buffer.from('# mine\r\nMAILTO=""\n\t0 5 * * 1\techo \xff\xfe%\n', 'latin1');
const HERE = {
	tryAcquire: () => true,
	acquire: async () => {},
	release() {},
	held: true,
	close() {}
};
const BY = { name: 'ada', role: 'admin' as const, address: null };
const tableOf = (dir: string, where: Where) =>
	path.join(dir, 'data', where === 'user' ? 'bin/spool' : 'crontab');

/** What was there before stands as it did, and one task in front of the next: never half a line. */
async function check(where: Where, dir: string, { call, fault, lines }: Outcome) {
	const bytes = await readFile(tableOf(dir, where));
	expect(bytes.subarray(0, FOREIGN.length)).toEqual(FOREIGN);
	const table = parseTable(bytes.subarray(FOREIGN.length).toString('latin1'), build);
	expect(table.lines.every(({ task }) => task !== null)).toBe(true);
	const now = table.tasks.map(({ type }) => type).join(' ');
	const known = ['backup', 'backup say', 'say'];
	const told = lines.includes('removed') ? 2 : lines.includes('added') ? 1 : 0;
	// A process that was killed had no time to report.
	expect(fault === 'SIGKILL' ? known.slice(told, told + 2) : [known[told]]).toContain(now);
	// The next one is done as if nothing had been.
	const { schedule } = openSchedules(dir, where, HERE);
	await schedule.add({ type: 'snapshot-prune', schedule: '0 0 * * *', keep: 3 }, BY);
	const { tasks } = await schedule.list();
	expect(tasks.map(({ type }) => type).sort()).toEqual([...now.split(' '), 'snapshot-prune']);
	// What could not be removed is cleaned up later.
	const left = (await readdir(path.join(dir, 'data'))).filter((name) => name.endsWith('.tmp'));
	expect(left.length).toBeLessThanOrEqual(fault === 'SIGKILL' || call.startsWith('unlink') ? 1 : 0);
}

describe.skipIf(why)(
	`killed, or refused by the disk, at any call${why ? ` (skipped: ${why})` : ''}`,
	() => {
		test.each(WHERE)(
			'the %s crontab keeps its lines, whole, and the tasks that were confirmed',
			async (where) => {
				const hits = await explore({
					program: path.resolve('tests/faults/programs/change-crontab.ts'),
					args: (dir) => [dir, where],
					async prepare(dir) {
						const bin = path.join(dir, 'data/bin');
						await mkdir(bin);
						await fakeCrontab(FOREIGN, bin);
						const { schedule, table } = openSchedules(dir, where, HERE);
						if (where === 'embedded') await table.write(FOREIGN.toString('latin1'), '');
						await schedule.add({ type: 'backup', schedule: '0 0 * * *' }, BY);
					},
					check: (dir, outcome) => check(where, dir, outcome),
					faults: ['SIGKILL', 'ENOSPC', 'EIO', 'EACCES', 'EROFS'],
					sample: 2
				});
				expect(hits).toBeGreaterThan(0);
			},
			EXPLORE_LIMIT_MS
		);
	}
);
