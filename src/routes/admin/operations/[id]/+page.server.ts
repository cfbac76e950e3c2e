import type { Operation } from '$lib/schemas/operation';
import { formActions, page } from '#core/http';

/** What changes the files in `mods/`: of restores those of snapshots, which take one first. */
const isOfMods = ({ kind, steps }: Operation) =>
	['install', 'update', 'enable', 'disable', 'remove'].includes(kind) ||
	(kind === 'restore' && steps.some(({ id }) => id === 'snapshot'));

export const load = page('page /admin/operations/[id]', async ({ locals: { app }, params }) => {
	const shown = await app.operations.get(params.id);
	const ofMods = isOfMods(shown);
	const taken = ofMods && shown.state === 'succeeded' ? await app.snapshots.list() : [];
	const before = taken.find(({ operationId, problem }) => operationId === shown.id && !problem);
	return { shown, ofMods, before: before?.id ?? null };
});

export const actions = formActions('page /admin/operations/[id]', {
	cancel: async ({ params, locals }) => {
		await locals.app.operations.cancel(params.id, locals.actor);
		return { message: 'The operation is being cancelled.' };
	}
});
