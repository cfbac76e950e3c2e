import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import type { Operation } from '$lib/schemas/operation';
import { toRow } from '$lib/schemas/operation-row';
import { formActions, isPutAway, page, putAway } from '#core/http';

/** One is shown under the state: the running one, or the last. */
const RECENT = 7;
/** Starting does not lead away: the overview shows the operation. */
const HERE = '/admin';
const TOUR = 'tour';

export const load = page('page /admin', async (event) => {
	const { app, session } = event.locals;
	const { depends } = event;
	depends('overview:attention');
	const { role } = session!.user;
	const [operations, attention, cockpit, damaged, setup, recent, tour] = await Promise.all([
		app.operations.list(RECENT),
		app.attention.report(role),
		app.overview(role),
		app.attention.damagedJars(),
		role === 'superadmin' ? app.firstRun.steps() : [],
		app.analytics.recent(6),
		isPutAway(event, TOUR) ? null : (app.tour?.() ?? null)
	]);
	return {
		operations: operations.map(toRow),
		...{ attention, cockpit, damaged, recent, tour, now: app.analytics.now() },
		isMadeUp: app.madeUpUntil !== null && recent.from < app.madeUpUntil,
		setup: setup.every(({ done, waits }) => done || waits) ? null : setup,
		announcementMax: ANNOUNCEMENT_MAX
	};
});

/** Its end is told by whoever watches it, in the same place. */
function cancelled(operation: Operation) {
	const location = `/admin/operations/${operation.id}`;
	if (operation.state !== 'running') return { location };
	return { message: 'The operation is being cancelled.', operation, location };
}

export const actions = formActions('page /admin', {
	start: async ({ body, locals }) => {
		const operation = await locals.app.power.start(body, locals.actor);
		return { message: 'The server is starting.', operation, location: HERE };
	},
	stop: async ({ body, locals }) => {
		const operation = await locals.app.power.stop(body, locals.actor);
		if (operation.kind === 'start') return cancelled(operation);
		const words = body.delaySeconds ? 'The countdown has started.' : 'The server is stopping.';
		return { message: words, operation, location: HERE };
	},
	restart: async ({ body, locals }) => {
		const operation = await locals.app.power.restart(body, locals.actor);
		const words = body.delaySeconds ? 'The countdown has started.' : 'The server is restarting.';
		return { message: words, operation, location: HERE };
	},
	kill: async ({ locals }) => {
		const { message, ended } = await locals.app.power.kill(locals.actor);
		return { message, bad: !ended };
	},
	seen: async ({ body, locals }) => {
		await locals.app.attention.see(body.key, locals.actor);
		return { location: body.to || HERE };
	},
	enableRcon: ({ locals }) => locals.app.setup.enableRcon(locals.actor),
	acceptEula: ({ locals }) => locals.app.setup.acceptEula(locals.actor),
	hideTour(event) {
		putAway(event, TOUR, true);
		const isShownAgain = event.locals.session?.user.role === 'superadmin';
		const back = isShownAgain ? ' The settings bring it back, under “About”.' : '';
		return { message: `Dismissed in this browser.${back}`, location: HERE };
	},
	showTour(event) {
		putAway(event, TOUR, false);
		return { location: HERE };
	}
});
