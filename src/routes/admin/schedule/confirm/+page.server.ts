import { found, page } from '#core/http';

export const load = page('page /admin/schedule/confirm', async ({ locals: { app }, query }) => {
	const id = query.id.toLowerCase();
	const [{ tasks }, { triggers }] = await Promise.all([app.schedule.list(), app.triggers.list()]);
	const task = tasks.find((one) => one.id.toLowerCase() === id);
	const asked = query.do;
	if (task)
		return {
			kind: 'task' as const,
			asked,
			id: task.id,
			type: task.type,
			words: task.sentence
		};
	const trigger = triggers.find((one) => one.id === id);
	const { human } = found(trigger, 'There is no such task or trigger: it may have been removed.');
	return { kind: 'trigger' as const, asked: 'remove' as const, id, type: null, words: human };
});
