import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { render } from 'svelte/server';
import { expect, test, vi } from 'vitest';
import { FORM_FIELDS, optionsOf, TaskCreate } from '#schemas/task';
import { systemClock } from '#core/clock';
import { run } from '#core/exec';
import { createLock } from '#core/lock';
import { commandBuilder, createDispatch, createSchedules, readCommand } from '#services/schedule';
import { createFileCrontab } from '#storage/crontab';
import OptionField from '../../src/routes/admin/schedule/OptionField.svelte';
import { taskIcon, taskLabel, typeOptions } from '../../src/routes/admin/schedule/tasks.ts';
import { dispatchDeps } from '../fakes/dispatch-deps.ts';
import { tempDir } from '../faults/temp.ts';

/** The line in the registry. */
vi.mock(import('../../src/lib/schemas/tasks/index.ts'), async (original) => {
	const { TASK_KINDS, ...rest } = await original();
	const { warn } = await import('../fakes/fourth-task-type.ts');
	return { ...rest, TASK_KINDS: [...TASK_KINDS, warn] as unknown as typeof TASK_KINDS };
});

const WARN = 'warn' as TaskCreate['type'];
const BY = { name: 'ada', role: 'admin' as const, address: null };

async function setup() {
	const dir = await tempDir();
	const script = path.join(dir, 'task');
	await writeFile(script, `#!/bin/sh\nprintf '%s\\0' "$@"\n`);
	await chmod(script, 0o755);
	const lock = createLock(path.join(dir, 'lock'), systemClock);
	const build = commandBuilder(script, dir);
	const table = createFileCrontab(path.join(dir, 'crontab'));
	const schedule = createSchedules({
		scheduler: 'embedded',
		...{ table, build, lock, execute: run, clock: systemClock },
		daemonProblem: async () => null,
		history: async () => [],
		runner: { runHere: async () => ({ operationId: '' }), waiting: () => [], callOff: () => null },
		environment: { PATH: '/usr/bin:/bin' },
		audit: async () => {},
		timeZone: 'UTC'
	});
	return { schedule, table, dir };
}

function dispatching() {
	const commands: string[] = [];
	const dispatch = createDispatch(
		dispatchDeps({ command: async (line) => (commands.push(line), '') })
	);
	return { dispatch, commands };
}

test('the form has its name and draws its fields, each for its types alone', () => {
	expect(typeOptions(false).at(-1)).toEqual({ value: 'warn', label: 'Warn of a restart' });
	const mine = FORM_FIELDS.filter(({ types }) => types.includes('warn'));
	expect(mine.map(({ name, types }) => [name, types])).toEqual([
		['reason', ['warn']],
		['minutes', ['warn']],
		['loudly', ['warn']]
	]);
	const html = mine
		.map(({ name, field }) => render(OptionField, { props: { name, field, failure: null } }).body)
		.join('');
	expect(html).toMatch(/<input[^>]* name="reason"[^>]* maxlength="40"/);
	expect(html).toMatch(/name="minutes"[^>]* value="5"[^>]*type="number"[^>]* max="30"/);
	expect(html).toMatch(/<select[^>]* name="loudly"[^]*<option value="only">Skip it/);
	expect(taskIcon(WARN)).toBeTruthy();
});

test('it travels from the form through the crontab line and a shell to its action', async () => {
	const { schedule, table, dir } = await setup();
	const typed = { reason: '-n 5% $(id)', minutes: '5', loudly: 'only', message: '', keep: '10' };
	const body = { type: 'warn', schedule: '0 4 * * *', ...optionsOf(WARN, typed) };
	const task = await schedule.add(TaskCreate.parse(body), BY);
	expect(await table.read()).toContain(`'--reason' '-n 5\\% $(id)' '--minutes' '5'`);

	const { tasks } = await schedule.list();
	expect(tasks).toMatchObject([{ ...body, minutes: 5, id: task.id, enabled: true }]);
	expect(taskLabel(tasks[0]!.type)).toBe('Warn of a restart');
	expect(tasks[0]!.sentence).toBe('Every night at 04:00, warn of -n 5% $(id), 5 minutes before');

	const answer = await schedule.run(task.id, BY);
	// The words as the shell has handed them over; zero bytes become spaces on the way to people.
	expect(answer).toMatchObject({
		output: expect.stringContaining('--reason -n 5% $(id) --minutes 5 --loudly only')
	});
	const words = ['warn', '--data', dir, '--id', task.id, '--reason', typed.reason];
	const { order } = readCommand([...words, '--minutes', '5', '--loudly', 'only']);
	const { dispatch, commands } = dispatching();
	await expect(dispatch(order, new AbortController().signal)).resolves.toMatchObject({
		result: 'done',
		detail: 'Warned.'
	});
	expect(commands).toEqual(['say -n 5% $(id): restart in 5 min (only)']);
});

test('its own rules reject it, when it is created and when it runs', async () => {
	const body = { type: 'warn', schedule: '0 4 * * *', reason: 'x' };
	expect(TaskCreate.safeParse({ ...body, minutes: 5 }).success).toBe(true);
	for (const wrong of [{}, { minutes: 31 }, { minutes: 5, loudly: 'now' }, { minutes: 5, keep: 3 }])
		expect(TaskCreate.safeParse({ ...body, ...wrong }).success).toBe(false);
	const { dispatch, commands } = dispatching();
	const order = { type: WARN, options: { reason: 'x', minutes: '99' } };
	const outcome = await dispatch(order, new AbortController().signal);
	expect(outcome).toMatchObject({ result: 'failed', exitCode: 1 });
	expect(commands).toEqual([]);
});
