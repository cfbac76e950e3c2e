import { expect, test } from 'vitest';
import { storedTask, taskKind, TaskCreate } from '../task.ts';
import { TASK_KINDS } from './index.ts';
import type { TaskContext, TaskKind } from './task-kind.ts';

const schedule = '0 4 * * *';

test('each option has a field, and an option shared by two types looks the same in both', () => {
	const seen = new Map<string, unknown>();
	for (const { options, fields } of TASK_KINDS as readonly TaskKind[]) {
		expect(Object.keys(fields)).toEqual(Object.keys(options));
		for (const [name, field] of Object.entries(fields))
			expect(seen.get(name) ?? seen.set(name, field).get(name)).toEqual(field);
	}
});

test.each(['@a', 'mail me@example.org', '§cred', '\u202eabc', 'a\u2066b', '\u200f', 'x\u061cy'])(
	'an announcement of %j is rejected with a message when it is created, and when it is in a crontab line',
	async (message) => {
		const refused = TaskCreate.safeParse({ type: 'say', schedule, message });
		expect(refused.error?.issues).toMatchObject([
			{ path: ['message'], message: expect.stringContaining('Without @, §') }
		]);
		const said: string[] = [];
		const running = taskKind('say').run(storedTask('say', schedule, { message })!, {
			command: async (line) => void said.push(line)
		} as TaskContext);
		await expect(running).rejects.toThrow(/contains @, §.* was not sent\. Remove the task/);
		expect(said).toEqual([]);
	}
);
