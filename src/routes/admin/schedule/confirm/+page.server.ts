import { TaskRef } from '$lib/schemas/task';
import { found, page, parse } from '#core/http';

export const load = page(async ({ locals: { app }, url }) => {
	const { id } = parse(TaskRef, Object.fromEntries(url.searchParams));
	const { tasks } = await app.schedule.list();
	const task = tasks.find((one) => one.id.toLowerCase() === id.toLowerCase());
	return { task: found(task, 'There is no such task: it may have been removed.') };
});
