import { z } from 'zod';
import { andMore, MOD_DEEDS, modsWord } from '$lib/schemas/mod-page';
import { parseMarkdown } from '../markdown/markdown';
import { checkbox } from '$lib/schemas/common';
import {
	ModFileName,
	MODS_PER_REQUEST_MAX,
	PlanId,
	ProjectId,
	VersionId,
	type Plan,
	type PlanItem,
	type PlanRequest
} from '$lib/schemas/mod';
import { action, page, parse } from '#core/http';
import type { Actions } from './$types';

/** What the address asks for: the same for the preview and for the deed that follows it. */
const Wish = z
	.object({
		do: z.enum(Object.keys(MOD_DEEDS) as [keyof typeof MOD_DEEDS]),
		file: z.array(ModFileName).max(MODS_PER_REQUEST_MAX),
		all: z.literal('1').optional(),
		project: ProjectId.optional(),
		version: VersionId.optional(),
		dependents: z.literal('1').optional(),
		orphans: z.literal('1').optional()
	})
	.refine(({ file, all, project }) => file.length || all || project, 'Choose at least one mod');
type Wish = z.infer<typeof Wish>;

const wishOf = (url: URL): Wish =>
	parse(Wish, { ...Object.fromEntries(url.searchParams), file: url.searchParams.getAll('file') });

/** Changelogs shown on one page, in characters: a pack of 200 mods has megabytes of them. */
const CHANGELOG_MAX = 20_000;
const CHANGELOGS_MAX = 300_000;

export const load = page(async ({ url, locals: { app, actor } }) => {
	const wish = wishOf(url);
	const plan = await app.mods.plan(await requestOf(wish, app), actor.role ?? 'admin');
	return { wish, plan: drawn(plan), title: titleOf(wish, plan) };
});

export const actions = {
	run: action(
		z.object({ planId: PlanId, backupFirst: checkbox }),
		async (agreed, { url, locals: { app, actor } }) => {
			const operation = await run(wishOf(url), agreed, app, actor);
			return operation
				? { message: 'The change has begun.', operation }
				: { message: 'The change is done.', location: '/admin/mods' };
		}
	)
} satisfies Actions;

async function requestOf(wish: Wish, app: App.Locals['app']): Promise<PlanRequest> {
	const { do: deed, file, all, project: projectId, version: versionId } = wish;
	switch (deed) {
		case 'install':
			return { install: projectId ? [{ projectId, ...(versionId && { versionId }) }] : [] };
		case 'update':
			return { update: all ? await newer(app.mods) : file };
		case 'remove':
			return { remove: file, ...alsoRemoved(wish) };
		default:
			return { [deed]: file };
	}
}

const alsoRemoved = ({ dependents, orphans }: Wish) => ({
	removeDependents: dependents === '1',
	removeOrphans: orphans === '1'
});

async function newer(service: App.Locals['app']['mods']) {
	const { mods } = await service.updates(false);
	return mods
		.filter(({ updateAvailable, locked }) => updateAvailable && !locked)
		.map(({ fileName }) => fileName);
}

async function run(
	wish: Wish,
	agreed: { planId: string; backupFirst: boolean },
	{ mods }: App.Locals['app'],
	by: App.Locals['actor']
) {
	const { do: deed, file, project = '', version } = wish;
	switch (deed) {
		case 'install':
			return mods.install(
				{ projectId: project, ...(version && { versionId: version }), ...agreed },
				by
			);
		case 'update':
			return mods.update({ fileNames: wish.all ? await newer(mods) : file, ...agreed }, by);
		case 'remove':
			return mods.remove({ fileNames: file, ...alsoRemoved(wish), ...agreed }, by);
		default:
			return mods.switchFiles(
				{ fileNames: file, enabled: deed === 'enable', planId: agreed.planId },
				by
			);
	}
}

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

/** It counts what the button and the operation count: every mod that changes. */
function titleOf({ do: deed, all, file }: Wish, plan: Plan) {
	if (all) return 'Update all mods';
	const changing = [...plan.add, ...plan.replace, ...plan.remove, ...plan.rename];
	const touched = changing.length ? changing : plan.keep;
	const first = touched.find(({ reason }) => reason === null) ?? touched[0];
	const what =
		file.length > 1 || !first
			? modsWord(touched.length || file.length)
			: andMore(first.title, touched.length - 1);
	return `${MOD_DEEDS[deed]} ${what}`;
}
