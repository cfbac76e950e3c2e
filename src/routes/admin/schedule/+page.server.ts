import { formActions, page } from '#core/http';

export const load = page('page /admin/schedule', async ({ locals: { app } }) => {
	const [list, runs] = await Promise.all([app.schedule.list(), app.schedule.runs()]);
	return { list, runs };
});

export const actions = formActions('page /admin/schedule', {
	add: async ({ body, locals }) => {
		await locals.app.schedule.add(body, locals.actor);
		return { message: 'The task is scheduled.' };
	},
	toggle: async ({ body, locals }) => {
		await locals.app.schedule.toggle(body, locals.actor);
		return { message: body.enabled ? 'The task is on again.' : 'The task is off.' };
	},
	remove: async ({ body, locals }) => {
		await locals.app.schedule.remove(body.id, locals.actor);
		return { message: 'The task is removed.', location: '/admin/schedule' };
	},
	run: async ({ body, locals, request }) => {
		const { schedule } = locals.app;
		const { ok, exitCode, output } = await schedule.run(body.id, locals.actor, request.signal);
		const words = output.trim().split('\n').at(-1)?.slice(0, 300) || `Exit code ${exitCode}.`;
		return { message: ok ? `Done. ${words}` : `It failed: ${words}` };
	}
});
