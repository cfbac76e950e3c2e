import { expect, test } from 'vitest';
import type { Backup } from '#schemas/backup';
import type { TaskList } from '#schemas/task';
import type { Known } from '#core/ttl-cache';
import { createOverview } from './index.ts';

const NOT_YET = { value: null, problem: null };

test('what is still being found out is asked for again, and what cannot be found out is not', async () => {
	const machine = { disks: [], memory: { freeBytes: 1, totalBytes: 2 } };
	const answers = {
		tasks: { value: { tasks: [] }, problem: null } as Known<Pick<TaskList, 'tasks'>>,
		backups: { value: [], problem: null } as Known<Backup[]>
	};
	const look = () =>
		createOverview({
			online: () => [],
			chat: async () => [],
			tasks: async () => answers.tasks,
			backups: async () => answers.backups,
			machine: async () => ({ value: machine, problem: null }),
			labelOf: () => 'Backup'
		})('admin');
	expect(await look()).toMatchObject({ nextTask: 'none', backup: 'none', pending: false });
	answers.tasks = NOT_YET;
	expect(await look()).toMatchObject({ nextTask: null, backup: 'none', pending: true });
	Object.assign(answers, { tasks: { value: { tasks: [] }, problem: null }, backups: NOT_YET });
	expect(await look()).toMatchObject({ nextTask: 'none', backup: null, pending: true });
	answers.backups = { value: null, problem: 'The folder cannot be read.' };
	expect(await look()).toMatchObject({ backup: null, pending: false });
});
