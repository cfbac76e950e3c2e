import { Empty, PowerRequest, ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { toRow } from '$lib/schemas/operation';
import { EulaAccept } from '$lib/schemas/setup';
import { action, page } from '#core/http';
import type { Actions } from './$types';

/** One may be under way, which is shown by itself. */
const RECENT = 9;

export const load = page(async ({ locals, depends }) => {
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

export const actions = {
	start: action(PowerRequest, async (input, { locals }) => ({
		message: 'The server is starting.',
		operation: await locals.app.power.start(input, locals.actor)
	})),
	stop: action(PowerRequest, async (input, { locals }) => ({
		message: input.delaySeconds ? 'The countdown has begun.' : 'The server is stopping.',
		operation: await locals.app.power.stop(input, locals.actor)
	})),
	restart: action(PowerRequest, async (input, { locals }) => ({
		message: input.delaySeconds ? 'The countdown has begun.' : 'The server is restarting.',
		operation: await locals.app.power.restart(input, locals.actor)
	})),
	kill: action(Empty, (_, { locals }) => locals.app.power.kill(locals.actor)),
	enableRcon: action(Empty, (_, { locals }) => locals.app.setup.enableRcon(locals.actor)),
	acceptEula: action(EulaAccept, (_, { locals }) => locals.app.setup.acceptEula(locals.actor))
} satisfies Actions;
