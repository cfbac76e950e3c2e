import { z } from 'zod';
import { ProjectId } from '$lib/schemas/mod';
import {
	FOLDER_MAX,
	PACK_MAX_BYTES,
	PackSearch,
	SERVER_LOADERS,
	ServerLoader,
	SoftwarePlanId,
	VersionName
} from '$lib/schemas/software/software';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { formActions, orProblem, page, parse } from '#core/http';

/** The query parameters; invalid ones show the beginning. */
const View = z.object({
	loader: ServerLoader.nullable().catch(null).default(null),
	game: VersionName.nullable().catch(null).default(null),
	from: z.literal('pack').nullable().catch(null).default(null),
	q: PackSearch.shape.q,
	project: ProjectId.nullable().catch(null).default(null),
	plan: SoftwarePlanId.nullable().catch(null).default(null)
});

export const load = page('page /admin/server', async ({ locals: { app, session }, url }) => {
	const view = parse(View, Object.fromEntries(url.searchParams));
	const { software } = app;
	const [state, occupied, kept] = await Promise.all([
		software.state(),
		software.occupied(),
		app.upgrades.kept()
	]);
	const mayChange = session?.user.role === 'superadmin' && software.refusal === null;
	const creating = occupied === null;
	const here = SERVER_LOADERS.find((one) => one === state.loader) ?? null;
	const importing = creating && mayChange && view.from === 'pack' && view.plan === null;
	const loader = creating ? view.loader : here;
	return {
		kept,
		mayGoBack: session?.user.role === 'superadmin',
		packs: importing ? await packsFor(app, view) : null,
		...{ software: state, refusal: software.refusal, occupied, creating, mayChange },
		announcementMax: ANNOUNCEMENT_MAX,
		port: creating && mayChange ? await software.usualPort() : null,
		plan: view.plan && mayChange ? await software.planned(view.plan) : null,
		choice:
			loader && mayChange && !importing
				? await choices(app, loader, creating ? view.game : state.gameVersion)
				: null
	};
});

/** The choices, or why there are none while the sources do not answer. */
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

/** What is found in the registry, or one pack of it; without it files and folders can still be imported. */
async function packsFor({ software }: App.Locals['app'], { q, project }: z.infer<typeof View>) {
	const [found, chosen] = await Promise.all([
		project ? null : orProblem(software.findPacks(q)),
		project ? orProblem(software.packChoice(project)) : null
	]);
	return {
		...{ q, hits: found?.value ?? [], chosen: chosen?.value ?? null },
		problem: found?.problem ?? chosen?.problem ?? null,
		memoryMb: await software.usualMemoryMb(),
		limits: { pack: PACK_MAX_BYTES, folder: FOLDER_MAX }
	};
}

const planned = (id: string) => ({ location: `/admin/server?plan=${id}` });

export const actions = formActions('page /admin/server', {
	planCreate: async ({ body, locals }) =>
		planned((await locals.app.software.plan({ do: 'create', ...body })).id),
	planImport: async ({ body, locals }) =>
		planned((await locals.app.software.plan({ do: 'import', ...body })).id),
	upload: async ({ file, fields, locals }) =>
		planned((await locals.app.software.planUpload(file, fields)).id),
	planChange: async ({ body, locals }) =>
		planned((await locals.app.software.plan({ do: 'change', ...body })).id),
	apply: async ({ body, locals }) => ({
		message: 'It has started.',
		operation: await locals.app.software.apply(body, locals.actor)
	}),
	fetchJava: async ({ body, locals }) => ({
		message: 'Java is being fetched.',
		operation: await locals.app.software.fetchJava(body.major, locals.actor)
	})
});
