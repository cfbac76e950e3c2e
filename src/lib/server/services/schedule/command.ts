import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { taskKind, TaskDay, TaskId, TaskType, type TaskCreate } from '#schemas/task';
import { TASK_KINDS } from '#schemas/tasks/index';

/** What `/bin/sh -c` is given, both by cron and by run-now. */
export type BuildCommand = (task: TaskCreate & { id: string }) => string;

/** What a line's command asks for, unchecked: it comes from a crontab that anybody may have edited. */
export type TaskOrder = { type: TaskType; options: Record<string, unknown> };
export const TaskOrder: z.ZodType<TaskOrder> = z.object({
	type: TaskType,
	options: z.record(z.string(), z.unknown())
});

/**
 * Set for a run that somebody is waiting for. Cron mails whatever is printed, so otherwise only a failure is printed.
 */
export const RUN_NOW = 'CRAFTWARDEN_RUN_NOW';

/** A word of a shell command line that needs no quoting. */
export const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * The only builder of commands. `script` and `dataDir` are absolute: cron has no working folder and hardly an
 * environment. The day of a task that runs once is a word of it: a dispatcher that is too old for that refuses the
 * command, where it would otherwise do it each year.
 */
export const commandBuilder =
	(script: string, dataDir: string): BuildCommand =>
	(task) => {
		const words = [script, task.type, '--data', dataDir, '--id', task.id];
		if (task.on !== undefined) words.push('--on', task.on);
		const values = new Map(Object.entries(task));
		for (const name of Object.keys(taskKind(task.type).fields))
			if (values.get(name) !== undefined) words.push(`--${name}`, String(values.get(name)));
		return words.map(quoted).join(' ');
	};

/** Reads the words of such a command. Throws with a sentence when they are not one. */
export function readCommand(words: string[]): {
	data: string;
	id: string | null;
	/** The only day on which it may run. */
	on: string | null;
	order: TaskOrder;
} {
	const names = ['data', 'id', 'on', ...TASK_KINDS.flatMap(({ fields }) => Object.keys(fields))];
	const { values, positionals } = parseArgs({
		args: withBoundValues(words),
		allowPositionals: true,
		options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
	});
	const { data, id, on, ...options } = values;
	const type = TaskType.safeParse(positionals[0]);
	if (!data || !path.isAbsolute(data) || positionals.length !== 1 || !type.success)
		throw new Error(
			`Say what to do (${TaskType.options.join(', ')}), and --data with the absolute path of the data directory.`
		);
	if (on !== undefined && !TaskDay.safeParse(on).success)
		throw new Error('After --on comes a day, as 2026-11-26.');
	return {
		data,
		id: TaskId.safeParse(id).data ?? null,
		on: on ?? null,
		order: { type: type.data, options }
	};
}

/** `--name value` as `--name=value`: otherwise a value that begins with a dash would be taken for an option. */
function withBoundValues(words: string[]): string[] {
	const bound: string[] = [];
	for (let i = 0; i < words.length; i++) {
		const word = words[i]!;
		const isName = /^--\w+$/.test(word) && i + 1 < words.length;
		bound.push(isName ? `${word}=${words[++i]}` : word);
	}
	return bound;
}
