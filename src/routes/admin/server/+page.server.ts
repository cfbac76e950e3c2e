import { z } from 'zod';
import {
	SERVER_LOADERS,
	ServerLoader,
	SoftwarePlanId,
	VersionName
} from '$lib/schemas/software/software';
import { formActions, page, parse } from '#core/http';

/** What the address asks for; nonsense shows the beginning. */
const View = z.object({
	loader: ServerLoader.nullable().catch(null).default(null),
	game: VersionName.nullable().catch(null).default(null),
	plan: SoftwarePlanId.nullable().catch(null).default(null)
});

export const load = page('page /admin/server', async ({ locals: { app, session }, url }) => {
	const view = parse(View, Object.fromEntries(url.searchParams));
	const { software } = app;
	const [state, occupied] = await Promise.all([software.state(), software.occupied()]);
	const mayChange = session?.user.role === 'superadmin' && software.refusal === null;
	const creating = occupied === null;
	const here = SERVER_LOADERS.find((one) => one === state.loader) ?? null;
	const loader = creating ? view.loader : here;
	return {
		...{ software: state, refusal: software.refusal, creating, mayChange },
		plan: view.plan && mayChange ? await software.planned(view.plan) : null,
		choice:
			loader && mayChange
				? await choices(app, loader, creating ? view.game : state.gameVersion)
				: null
	};
});

/** What can be chosen, and why nothing can while those who know do not answer. */
async function choices(app: App.Locals['app'], loader: ServerLoader, wanted: string | null) {
	try {
		const choices = await app.software.choices(loader, wanted);
		const lists = await app.software.trouble(loader);
		return { loader, ...choices, lists, failure: null };
	} catch (error) {
		if (!(error instanceof Error) || error.name !== 'AppError') throw error;
		const nothing = { games: [], game: null, builds: [], memoryMb: 0, lists: null };
		return { loader, ...nothing, failure: error.message };
	}
}

const planned = (id: string) => ({ location: `/admin/server?plan=${id}` });

export const actions = formActions('page /admin/server', {
	planCreate: async ({ body, locals }) =>
		planned((await locals.app.software.plan({ do: 'create', ...body })).id),
	planChange: async ({ body, locals }) =>
		planned((await locals.app.software.plan({ do: 'change', ...body })).id),
	apply: async ({ body, locals }) => ({
		message: 'It has begun.',
		operation: await locals.app.software.apply(body.planId, locals.actor)
	}),
	fetchJava: async ({ body, locals }) => ({
		message: 'Java is being fetched.',
		operation: await locals.app.software.fetchJava(body.major, locals.actor)
	})
});
