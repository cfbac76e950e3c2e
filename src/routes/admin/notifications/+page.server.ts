import { formActions, found, page } from '#core/http';

const GONE = 'There is no such channel: it may have been removed.';

export const load = page('page /admin/notifications', async ({ locals: { app }, query }) => {
	const { notifications, env } = app;
	const [channels, inbox] = await Promise.all([notifications.list(), notifications.inbox()]);
	const kinds = notifications.kinds();
	const channel = (id: string | undefined) =>
		id === undefined
			? null
			: found(
					channels.find((one) => one.id === id),
					GONE
				);
	const editing = channel(query.edit);
	const kind = editing?.kind ?? query.add;
	return {
		...{ channels, inbox, kinds, editing },
		adding: editing === null && query.add !== undefined,
		removing: channel(query.remove),
		kind: kinds.find((one) => one.kind === kind) ?? null,
		linked: env.publicUrl !== null
	};
});

const location = '/admin/notifications';

export const actions = formActions('page /admin/notifications', {
	add: async ({ body, locals }) => {
		await locals.app.notifications.create(body, locals.actor);
		return { message: 'The channel was added. Send a test to see that it arrives.', location };
	},
	save: async ({ body: { id, ...patch }, locals }) => {
		await locals.app.notifications.change(id, patch, locals.actor);
		return { message: 'The channel is changed.', location };
	},
	toggle: async ({ body: { id, enabled }, locals }) => {
		await locals.app.notifications.change(id, { enabled }, locals.actor);
		return { message: enabled ? 'The channel is on again.' : 'The channel is off.' };
	},
	test: async ({ body, locals }) => {
		const { ok, status, message, answer } = await locals.app.notifications.test(
			body.id,
			locals.actor
		);
		const said = answer ? ` It answered: ${answer}` : status ? ` It answered ${status}.` : '';
		return { message: `${ok ? '' : 'The test failed. '}${message}${said}`, bad: !ok };
	},
	remove: async ({ body, locals }) => {
		await locals.app.notifications.remove(body.id, locals.actor);
		return { message: 'The channel is removed.', location };
	}
});
