import type { ServerLoadEvent } from '@sveltejs/kit';
import { z } from 'zod';
import { toRow } from '$lib/schemas/operation-row';
import { isOffered } from '$lib/schemas/plain/offered';
import { mayChangeMods } from '$lib/schemas/plain/of-mods';
import { MOD_CATEGORIES, MOD_CHOICES, MOD_ORDERS, MOD_TABS } from '$lib/schemas/mod-page';
import {
	JAR_MAX_BYTES,
	MOD_SEARCH_MAX,
	ModFileName,
	ModSearch,
	type ModUpdates
} from '$lib/schemas/mod';
import { formActions, orProblem, page, parse, within } from '#core/http';

/** A page does not wait for a slow registry: the browser fetches late answers. */
const REGISTRY_WAIT_MS = 1500;

/** The query parameters; invalid ones show the beginning. */
const View = z.object({
	tab: z.enum(MOD_TABS).catch('installed').default('installed'),
	show: z.enum(MOD_CHOICES).nullable().catch(null).default(null),
	order: z.enum(MOD_ORDERS).catch('updates').default('updates'),
	q: ModSearch.shape.q.catch(''),
	offset: ModSearch.shape.offset.catch(0),
	sort: ModSearch.shape.sort.catch('relevance'),
	category: z.enum(['', ...MOD_CATEGORIES]).catch(''),
	side: ModSearch.shape.side.catch(''),
	/** Chosen from the beginning, so that choosing them all works without JavaScript. */
	pick: z.literal('updates').nullable().catch(null).default(null),
	/** However many they are. */
	all: z.literal('1').nullable().catch(null).default(null),
	mod: ModFileName.nullable().catch(null).default(null)
});

/** The address's own; the search in the installed mods is the browser's, which asks for nothing while somebody types. */
function viewOf({ searchParams }: URL, untracked: ServerLoadEvent['untrack']) {
	const isOnTab = searchParams.get('tab') === 'find';
	const asked = Object.keys(View.shape).flatMap((name) => {
		const read = () => searchParams.get(name);
		const value = name === 'q' && !isOnTab ? untracked(read) : read();
		return value === null ? [] : [[name, value]];
	});
	return parse(View, Object.fromEntries(asked));
}

/** Each tab loads what it shows, and nothing else. */
export const load = page(
	'page /admin/mods',
	async ({ locals: { app, actor }, url, untrack, depends }) => {
		depends('craftwarden:mods');
		const view = viewOf(url, untrack);
		const { q, offset, sort, category, side } = view;
		const tab = view.tab === 'upload' && actor.role !== 'superadmin' ? 'installed' : view.tab;
		const find = () => app.mods.search(parse(ModSearch, { q, offset, sort, category, side }));
		const [installed, blamed, disabledAfter, updates, found, pack] = await Promise.all([
			app.mods.list(),
			tab === 'installed' ? app.attention.blamed() : null,
			tab === 'installed' ? app.attention.disabledAfterCrash() : [],
			tab === 'installed' ? within(REGISTRY_WAIT_MS, app.mods.updates(false)) : null,
			tab === 'find' ? orProblem(find()) : null,
			tab === 'modpack' ? app.modpack.info() : null
		]);
		const { mods, loader, gameVersion, registryProblem } = installed;
		const running = [app.operations.beside(), app.operations.busy()];
		const changing = running.find((one) => one && mayChangeMods(one.kind));
		return {
			...view,
			tab,
			server: { loader, gameVersion, registryProblem },
			count: mods.length,
			installed: tab === 'installed' ? installed : null,
			...{ blamed, disabledAfter },
			changing: changing ? toRow(changing) : null,
			updates: updates && withoutChangelogs(updates),
			found,
			pack,
			limits: { jar: JAR_MAX_BYTES, search: MOD_SEARCH_MAX }
		};
	}
);

/** The list does not show them, and 200 mods have megabytes of them. */
const withoutChangelogs = ({ mods, ...rest }: ModUpdates): ModUpdates => ({
	...rest,
	mods: mods.map((mod) => ({ ...mod, latest: mod.latest && { ...mod.latest, changelog: null } }))
});

export const actions = formActions('page /admin/mods', {
	lock: async ({ body, locals }) => {
		await locals.app.mods.patch(body, locals.actor);
		return { message: body.locked ? 'Locked.' : 'Unlocked.' };
	},
	share: async ({ body, locals }) => {
		await locals.app.mods.patch(body, locals.actor);
		const words = body.shareable
			? 'It will be in the players’ pack.'
			: 'It was taken out of the players’ pack.';
		return { message: words };
	},
	forgetFailure: async ({ body, locals }) => {
		await locals.app.mods.forgetFailure(body.versionId, locals.actor);
		return { message: 'What happened with that version is forgotten.' };
	},
	recheck: async ({ locals }) => {
		const { mods } = await locals.app.mods.updates(true);
		const count = mods.filter(isOffered).length;
		const words = count === 1 ? 'One update is available.' : `${count} updates are available.`;
		return { message: count ? words : 'Everything is up to date.' };
	},
	modpack: async ({ locals }) => ({
		message: 'The players’ pack is being built.',
		operation: await locals.app.modpack.rebuild(locals.actor)
	}),
	upload: async ({ file, locals }) => ({
		message: 'The file was uploaded and is being installed.',
		operation: await locals.app.mods.upload(file, locals.actor)
	})
});
