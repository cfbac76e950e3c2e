import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { toRow } from '$lib/schemas/operation';
import { formActions, page } from '#core/http';

/** One may be in progress, which is shown separately. */
const RECENT = 9;

export const load = page('page /admin', async ({ locals, depends }) => {
	depends('overview:attention');
	const { role } = locals.session!.user;
	const [operations, attention, setup] = await Promise.all([
		locals.app.operations.list(RECENT),
		locals.app.attention(role),
		role === 'superadmin' ? locals.app.firstRun.steps() : []
	]);
	const recent = await locals.app.analytics.recent(6);
	return {
		operations: operations.map(toRow),
		attention,
		setup: setup.every(({ done }) => done) ? null : setup,
		recent,
		announcementMax: ANNOUNCEMENT_MAX
	};
});

export const actions = formActions('page /admin', {
	start: async ({ body, locals }) => ({
		message: 'The server is starting.',
		operation: await locals.app.power.start(body, locals.actor)
	}),
	stop: async ({ body, locals }) => ({
		message: body.delaySeconds ? 'The countdown has begun.' : 'The server is stopping.',
		operation: await locals.app.power.stop(body, locals.actor)
	}),
	restart: async ({ body, locals }) => ({
		message: body.delaySeconds ? 'The countdown has begun.' : 'The server is restarting.',
		operation: await locals.app.power.restart(body, locals.actor)
	}),
	kill: ({ locals }) => locals.app.power.kill(locals.actor),
	enableRcon: ({ locals }) => locals.app.setup.enableRcon(locals.actor),
	acceptEula: ({ locals }) => locals.app.setup.acceptEula(locals.actor)
});
