import { formActions, found, page } from '#core/http';

const SAVED = '/admin/schedule';

export const load = page('page /admin/schedule/edit', async ({ locals: { app }, query }) => {
	const id = query.id.toLowerCase();
	const [list, { triggers }] = await Promise.all([app.schedule.list(), app.triggers.list()]);
	const task = list.tasks.find((one) => one.id.toLowerCase() === id);
	if (task) {
		const others = list.tasks.filter((one) => one !== task);
		return { task, others, timeZone: list.timeZone, now: new Date().toISOString() };
	}
	const trigger = triggers.find((one) => one.id === id);
	return { trigger: found(trigger, 'There is no such task or trigger: it may have been removed.') };
});

export const actions = formActions('page /admin/schedule/edit', {
	task: async ({ body, locals }) => {
		await locals.app.schedule.change(body, locals.actor);
		return { message: 'The task is changed.', location: SAVED };
	},
	trigger: async ({ body: { id, ...patch }, locals }) => {
		await locals.app.triggers.change(id, patch, locals.actor);
		return { message: 'The trigger is changed.', location: SAVED };
	}
});
