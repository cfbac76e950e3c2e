import { parseMarkdown } from '../markdown/markdown';
import { ModWish, type Plan, type PlanItem } from '$lib/schemas/mod';
import { isGood } from '$lib/schemas/plain/good-backup';
import { HOLD_SECONDS } from '$lib/schemas/plain/limits';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { formActions, orProblem, page, parseAddress } from '#core/http';

/** What the address asks for: the same for the preview and for the change that follows it. */
const wishOf = (url: URL): ModWish =>
	parseAddress(ModWish, {
		...Object.fromEntries(url.searchParams),
		file: url.searchParams.getAll('file'),
		project: url.searchParams.getAll('project')
	});

/** Changelogs shown on one page, in characters: a pack of 200 mods has megabytes of them. */
const CHANGELOG_MAX = 20_000;
const CHANGELOGS_MAX = 300_000;

export const load = page(
	'page /admin/mods/plan',
	async ({ url, depends, locals: { app, actor } }) => {
		depends('craftwarden:plan');
		const wish = wishOf(url);
		const plan = await app.mods.preview(wish, actor.role ?? 'admin');
		const { note } = plan.trial.will ? await app.mods.trials() : { note: null };
		const leftOut = wish.do === 'update' && wish.all ? await leftOutOf(app) : [];
		return {
			...{ wish, plan: drawn(plan), leftOut, trialNote: note },
			searches: await searchesOf(plan, app),
			saved: plan.restart ? await savedAt(app) : undefined,
			announcementMax: ANNOUNCEMENT_MAX,
			/** For how long the server is watched once it is ready, unless it has crashed later than that of late. */
			holdMs: app.demoHoldMs?.server ?? HOLD_SECONDS.real * 1000
		};
	}
);

/** What is known, or done, to find out who is to blame for what failed with several; nothing of what the journal has lost. */
async function searchesOf({ warnings }: Plan, app: App.Locals['app']): Promise<Searches> {
	const ids = new Set(warnings.flatMap(({ operationId }) => operationId ?? []));
	const known = await Promise.all([...ids].map((id) => orProblem(searchOf(id, app))));
	return Object.fromEntries(known.flatMap(({ value }) => (value ? [[value.of, value]] : [])));
}

async function searchOf(of: string, { operations, mods }: App.Locals['app']) {
	const failed = await operations.get(of);
	const { search, estimate, why } = await mods.culpritOffer(failed);
	const { state = null } = search ? await operations.get(search) : {};
	return {
		...{ of, search, running: state === 'running', offered: estimate !== null && why === null },
		/** The search itself has found that they do not start together. */
		found: failed.kind === 'culprit'
	};
}
type Searches = Record<string, Awaited<ReturnType<typeof searchOf>>>;

/**
 * When the newest good backup of the world was made; null when there is none. Undefined where there is no world, and
 * where that cannot be told: no backup could be made then either.
 */
async function savedAt({ backups }: App.Locals['app']): Promise<string | null | undefined> {
	const [listed, noWorld] = await Promise.all([
		orProblem(backups.list()),
		orProblem(backups.noWorld())
	]);
	if (listed.problem || noWorld.problem || noWorld.value !== null) return undefined;
	return listed.value?.find(isGood)?.createdAt ?? null;
}

/** Newer versions that are not among all updates, because they did not start here before. */
async function leftOutOf({ mods }: App.Locals['app']) {
	const [{ mods: updates }, installed] = await Promise.all([mods.updates(false), mods.list()]);
	const names = new Map(installed.mods.map(({ fileName, name }) => [fileName, name]));
	return updates
		.filter(({ updateAvailable, locked, leftOut }) => updateAvailable && !locked && leftOut)
		.flatMap(({ fileName, latest, failedHere }) =>
			failedHere ? [{ fileName, latest, failedHere }] : []
		)
		.map(({ fileName, latest, failedHere }) => ({
			...{ fileName, failedHere },
			title: `${names.get(fileName) ?? fileName} ${latest?.version ?? ''}`.trimEnd()
		}));
}

export const actions = formActions('page /admin/mods/plan', {
	run: async ({ body, url, locals: { app, actor } }) => ({
		message: 'The change has started.',
		operation: await app.mods.fulfil(wishOf(url), body, actor)
	})
});

/** The same with changelogs as trees, so that no parser is loaded in the browser. */
function drawn(plan: Plan) {
	let left = CHANGELOGS_MAX;
	const item = (one: PlanItem) => ({
		...one,
		changelogs: one.changelogs.map(({ text, ...log }) => {
			const taken = (text ?? '').slice(0, Math.min(CHANGELOG_MAX, Math.max(0, left)));
			left -= taken.length;
			return { ...log, blocks: parseMarkdown(taken), cut: taken.length < (text ?? '').length };
		})
	});
	const { add, replace, remove, keep, rename, dependents, orphans } = plan;
	return {
		...plan,
		add: add.map(item),
		replace: replace.map(item),
		remove: remove.map(item),
		keep: keep.map(item),
		rename: rename.map(item),
		dependents: dependents.map(item),
		orphans: orphans.map(item)
	};
}
