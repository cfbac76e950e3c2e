import { dated } from '$lib/schemas/cron/days';
import { TaskDraft } from '$lib/schemas/task';
import { formActions, page, parse } from '#core/http';

export const load = page('page /admin/schedule', async ({ locals: { app }, url }) => {
	const [list, { triggers }, runs, waiting] = await Promise.all([
		app.schedule.list(),
		app.triggers.list(),
		app.schedule.runs(),
		app.schedule.waiting()
	]);
	const said = parse(TaskDraft, Object.fromEntries(url.searchParams));
	const now = new Date();
	const draft = dated(said, now, list.timeZone);
	return { list, triggers, runs, waiting, draft, now: now.toISOString() };
});

export const actions = formActions('page /admin/schedule', {
	add: async ({ body, locals }) => {
		const { id } = await locals.app.schedule.add(body, locals.actor);
		return { message: 'The task is scheduled.', location: `/admin/schedule#task-${id}` };
	},
	toggle: async ({ body, locals }) => {
		await locals.app.schedule.change(body, locals.actor);
		return { message: body.enabled ? 'The task is on again.' : 'The task is off.' };
	},
	remove: async ({ body, locals }) => {
		await locals.app.schedule.remove(body.id, locals.actor);
		return { message: 'The task is removed.', location: '/admin/schedule' };
	},
	run: async ({ body, locals, request }) => {
		const { schedule } = locals.app;
		const answer = await schedule.run(body.id, locals.actor, request.signal);
		if ('operationId' in answer) return { operation: { id: answer.operationId } };
		const { ok, exitCode, output, skipped, waits } = answer;
		const words = output.trim().split('\n').at(-1)?.slice(0, 300) || `Exit code ${exitCode}.`;
		// Neither a success nor a failure.
		if (skipped) return { message: `Skipped: ${words.replace(/^Skipped: /, '')}`, changed: false };
		if (waits) return { message: `It waits. ${words}`, changed: false };
		return ok ? { message: `Done. ${words}` } : { message: `It failed: ${words}`, bad: true };
	},
	callOff: async ({ body, locals }) => {
		await locals.app.schedule.callOff(body.key, locals.actor);
		return { message: 'It is called off. Nothing was done.' };
	},
	toggleTrigger: async ({ body, locals }) => {
		await locals.app.triggers.change(body.id, { enabled: body.enabled }, locals.actor);
		return { message: body.enabled ? 'The trigger is on again.' : 'The trigger is off.' };
	},
	removeTrigger: async ({ body, locals }) => {
		await locals.app.triggers.remove(body.id, locals.actor);
		return { message: 'The trigger is removed.', location: '/admin/schedule' };
	}
});
