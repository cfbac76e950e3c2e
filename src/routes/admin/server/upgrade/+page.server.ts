import { z } from 'zod';
import { SERVER_LOADERS, SoftwarePlanId } from '$lib/schemas/software/software';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { formActions, orProblem, page, parse, within } from '#core/http';

/** A page does not wait for slow services: the browser fetches late answers. */
const WAIT_MS = 1500;
/** Nonsense shows the list. */
const View = z.object({
	plan: SoftwarePlanId.nullable().catch(null).default(null),
	/** Which of them to look at first. */
	version: z
		.string()
		.regex(/^[\w.-]{1,32}$/)
		.nullable()
		.catch(null)
		.default(null)
});

export const load = page(
	'page /admin/server/upgrade',
	async ({ locals: { app, session }, url }) => {
		const view = parse(View, Object.fromEntries(url.searchParams));
		const [installed, upgrades, parked, refusal] = await Promise.all([
			app.mods.list(),
			within(WAIT_MS, orProblem(app.upgrades.list(false))),
			within(WAIT_MS, app.mods.parked()),
			app.upgrades.refusal()
		]);
		const { loader, gameVersion, mods } = installed;
		const known = SERVER_LOADERS.find((one) => one === loader);
		const mayUpgrade = session?.user.role === 'superadmin' && refusal === null;
		const plan = view.plan && mayUpgrade ? await app.upgrades.planned(view.plan) : null;
		return {
			server: { loader, gameVersion },
			...{ upgrades, refusal, mayUpgrade },
			plan,
			wanted: view.version,
			announcementMax: ANNOUNCEMENT_MAX,
			trialNote: plan?.trial.will ? (await app.mods.trials()).note : null,
			lists: known ? await app.software.trouble(known) : null,
			parked: parked ?? [],
			misfits: mods
				.filter(
					(mod) => mod.enabled && mod.problems.some(({ code }) => code === 'wrong-game-version')
				)
				.map(({ fileName, name }) => ({ fileName, name }))
		};
	}
);

export const actions = formActions('page /admin/server/upgrade', {
	recheck: async ({ locals }) => {
		await locals.app.upgrades.list(true);
		return { message: 'The versions were checked again.' };
	},
	plan: async ({ body, locals }) => ({
		location: `/admin/server/upgrade?plan=${(await locals.app.upgrades.plan(body)).id}`
	}),
	start: async ({ body, locals }) => ({
		message: 'The upgrade has started.',
		operation: await locals.app.upgrades.start(body, locals.actor)
	})
});
