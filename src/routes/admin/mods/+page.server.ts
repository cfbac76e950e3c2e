import { z } from 'zod';
import { MOD_CHOICES, MOD_TABS } from '$lib/schemas/mod-page';
import { JAR_MAX_BYTES, MOD_SEARCH_MAX, ModFileName, ModSearch } from '$lib/schemas/mod';
import { Empty } from '$lib/schemas/server';
import { action, orProblem, page, parse, uploadAction, within } from '#core/http';
import type { Actions } from './$types';

/** A page is not kept waiting for the registry: what is late is fetched by the browser. */
const REGISTRY_WAIT_MS = 1500;

/** What the address asks for; nonsense shows the beginning. */
const View = z.object({
	tab: z.enum(MOD_TABS).catch('installed').default('installed'),
	show: z.enum(MOD_CHOICES).nullable().catch(null).default(null),
	q: ModSearch.shape.q.catch(''),
	offset: ModSearch.shape.offset.catch(0),
	sort: ModSearch.shape.sort.catch('relevance'),
	mod: ModFileName.nullable().catch(null).default(null)
});

export const load = page(async ({ locals: { app }, url }) => {
	const view = parse(View, Object.fromEntries(url.searchParams));
	const { q, offset, sort } = view;
	const find = () => app.mods.search(parse(ModSearch, { q, offset, sort }));
	const [installed, updates, found, pack] = await Promise.all([
		app.mods.list(),
		within(REGISTRY_WAIT_MS, app.mods.updates(false)),
		view.tab === 'find' ? orProblem(find()) : null,
		app.modpack.info()
	]);
	return {
		...view,
		installed,
		updates,
		found,
		pack,
		limits: { jar: JAR_MAX_BYTES, search: MOD_SEARCH_MAX }
	};
});

const yes = z.enum(['yes', 'no']).transform((value) => value === 'yes');

export const actions = {
	lock: action(z.object({ fileName: ModFileName, locked: yes }), async (patch, { locals }) => {
		await locals.app.mods.patch(patch, locals.actor);
		return { message: patch.locked ? 'Locked.' : 'Unlocked.' };
	}),
	share: action(z.object({ fileName: ModFileName, shareable: yes }), async (patch, { locals }) => {
		await locals.app.mods.patch(patch, locals.actor);
		const words = patch.shareable
			? 'The players’ pack will hold it.'
			: 'It left the players’ pack.';
		return { message: words };
	}),
	recheck: action(Empty, async (_, { locals }) => {
		const { mods } = await locals.app.mods.updates(true);
		const count = mods.filter(({ updateAvailable }) => updateAvailable).length;
		const words = count === 1 ? 'One update is there.' : `${count} updates are there.`;
		return { message: count ? words : 'Everything is up to date.' };
	}),
	modpack: action(Empty, async (_, { locals }) => ({
		message: 'The players’ pack is being built.',
		operation: await locals.app.modpack.rebuild(locals.actor)
	})),
	upload: uploadAction('jar', JAR_MAX_BYTES, async (file, { locals }) => ({
		message: 'The file is there and is being installed.',
		operation: await locals.app.mods.upload(file, locals.actor)
	}))
} satisfies Actions;
