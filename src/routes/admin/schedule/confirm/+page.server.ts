import { found, page } from '#core/http';

export const load = page('page /admin/schedule/confirm', async ({ locals: { app }, query }) => {
	const { tasks } = await app.schedule.list();
	const task = tasks.find((one) => one.id.toLowerCase() === query.id.toLowerCase());
	return { task: found(task, 'There is no such task: it may have been removed.') };
});
