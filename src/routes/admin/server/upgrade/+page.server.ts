import { formActions, orProblem, page, within } from '#core/http';

/** A page does not wait for slow services: the browser fetches late answers. */
const WAIT_MS = 1500;

export const load = page('page /admin/server/upgrade', async ({ locals: { app } }) => {
	const [installed, upgrades, parked] = await Promise.all([
		app.mods.list(),
		within(WAIT_MS, orProblem(app.upgrades.list(false))),
		within(WAIT_MS, app.mods.parked())
	]);
	const { loader, gameVersion, mods } = installed;
	return {
		server: { loader, gameVersion },
		upgrades,
		parked: parked ?? [],
		misfits: mods
			.filter(
				(mod) => mod.enabled && mod.problems.some(({ code }) => code === 'wrong-game-version')
			)
			.map(({ fileName, name }) => ({ fileName, name }))
	};
});

export const actions = formActions('page /admin/server/upgrade', {
	recheck: async ({ locals }) => {
		const { newestComplete } = await locals.app.upgrades.list(true);
		return {
			message: newestComplete
				? `All mods have a version for ${newestComplete}.`
				: 'No newer version has all mods yet.'
		};
	}
});
