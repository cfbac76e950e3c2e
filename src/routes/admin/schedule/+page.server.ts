import { z } from 'zod';
import { PRESETS, scheduleOf } from './tasks';
import { SNAPSHOT_KEEP_MAX } from '$lib/schemas/snapshot';
import { MESSAGE_MAX, TaskCreate, TaskRef, TaskType } from '$lib/schemas/task';
import { action, page } from '#core/http';
import type { Actions } from './$types';

export const load = page(async ({ locals: { app } }) => {
	const [list, runs] = await Promise.all([app.schedule.list(), app.schedule.runs()]);
	return { list, runs, limits: { message: MESSAGE_MAX, keep: SNAPSHOT_KEEP_MAX } };
});

const text = z.string().default('');
/** The form has the fields of every type and preset: only those of the chosen ones count. */
const TaskForm = z
	.object({
		type: TaskType,
		preset: z.enum(PRESETS),
		time: z
			.string()
			.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Hours and minutes, as 04:30')
			.or(z.literal('')),
		hours: text,
		day: text,
		cron: text,
		message: text,
		keep: text
	})
	.transform(({ type, message, keep, ...wish }, context) => {
		const task = TaskCreate.safeParse({
			type,
			schedule: scheduleOf(wish),
			...(type === 'say' && { message }),
			...(type === 'snapshot-prune' && { keep })
		});
		if (task.success) return task.data;
		for (const { message: words, path } of task.error.issues)
			context.addIssue({ code: 'custom', message: words, path });
		return z.NEVER;
	});
const ToggleForm = TaskRef.extend({
	enabled: z.enum(['yes', 'no']).transform((value) => value === 'yes')
});

export const actions = {
	add: action(TaskForm, async (task, { locals }) => {
		await locals.app.schedule.add(task, locals.actor);
		return { message: 'The task is scheduled.' };
	}),
	toggle: action(ToggleForm, async (change, { locals }) => {
		await locals.app.schedule.toggle(change, locals.actor);
		return { message: change.enabled ? 'The task is on again.' : 'The task is off.' };
	}),
	remove: action(TaskRef, async ({ id }, { locals }) => {
		await locals.app.schedule.remove(id, locals.actor);
		return { message: 'The task is removed.', location: '/admin/schedule' };
	}),
	run: action(TaskRef, async ({ id }, { locals, request }) => {
		const { ok, exitCode, output } = await locals.app.schedule.run(
			id,
			locals.actor,
			request.signal
		);
		const words = output.trim().split('\n').at(-1)?.slice(0, 300) || `Exit code ${exitCode}.`;
		return { message: ok ? `Done. ${words}` : `It failed: ${words}` };
	})
} satisfies Actions;
