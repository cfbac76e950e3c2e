import type { Operation } from '$lib/schemas/operation';
import { titlesOf, type ModTitles } from '$lib/schemas/plain/mod-titles';
import { formActions, page } from '#core/http';
import { isOfMods, type Outcome } from './next-steps';

type App = App.Locals['app'];

export const load = page(
	'page /admin/operations/[id]',
	async ({ locals: { app }, params, request, url }) => {
		const shown = await app.operations.get(params.id);
		return {
			shown,
			log: app.operations.log(params.id),
			outcome: await outcomeOf(shown, app),
			offer: await app.mods.culpritOffer(shown),
			from: cameFrom(request.headers.get('referer'), url)
		};
	}
);

async function outcomeOf(shown: Operation, app: App): Promise<Outcome> {
	const titles = await titlesNow(shown, app);
	const nothing = { before: null, backup: null, rest: [], titles };
	if (shown.state !== 'succeeded') return nothing;
	if (shown.kind === 'culprit') return { ...nothing, rest: await restOf(shown, app) };
	if (isOfMods(shown)) {
		const taken = await app.snapshots.list();
		const before = taken.find(({ operationId, problem }) => operationId === shown.id && !problem);
		return { ...nothing, before: before?.id ?? null };
	}
	if (shown.kind !== 'backup') return nothing;
	// There is one operation at a time: what was made while it ran, it made.
	const made = (await app.backups.list()).find(
		({ createdAt, state }) =>
			state === 'complete' && createdAt >= shown.startedAt && createdAt <= (shown.finishedAt ?? '')
	);
	return { ...nothing, backup: made?.id ?? null };
}

async function titlesNow({ cause }: Operation, app: App): Promise<ModTitles> {
	if (!cause?.mods.length) return {};
	return { ...titlesOf(cause.mods, (await app.mods.list()).mods), ...cause.titles };
}

/** What can be updated without the mods to blame, while it has not been done. */
async function restOf({ result }: Operation, app: App): Promise<string[]> {
	if (!result?.rest.length) return [];
	const installed = new Set((await app.mods.list()).mods.map(({ fileName }) => fileName));
	return result.rest.filter((fileName) => installed.has(fileName));
}

/** The page of ours that led here: `from` of one that refreshed itself, else what the browser says. */
function cameFrom(referer: string | null, url: URL): string | null {
	const text = url.searchParams.get('from') ?? referer;
	const from = text && URL.parse(text, url);
	if (!from || !/^\/admin(?:\/|$)/.test(from.pathname)) return null;
	return from.pathname.startsWith('/admin/operations/') ? null : from.pathname + from.search;
}

export const actions = formActions('page /admin/operations/[id]', {
	cancel: async ({ params, locals }) => {
		await locals.app.operations.cancel(params.id, locals.actor);
		return { message: 'The operation is being cancelled.' };
	},
	culprit: async ({ params, locals: { app, actor } }) => {
		const { kind } = await app.operations.get(params.id);
		const isStart = kind === 'start' || kind === 'restart';
		const request = isStart ? { scope: 'all' as const } : { operationId: params.id };
		return { message: 'The search has begun.', operation: await app.mods.culprit(request, actor) };
	}
});
