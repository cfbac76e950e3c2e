import { OperationRef, type Operation } from '$lib/schemas/operation';
import { Empty } from '$lib/schemas/server';
import { action, page, parse } from '#core/http';
import type { Actions } from './$types';

/** What changes the files in `mods/`: of restores those of snapshots, which take one first. */
const isOfMods = ({ kind, steps }: Operation) =>
	['install', 'update', 'enable', 'disable', 'remove'].includes(kind) ||
	(kind === 'restore' && steps.some(({ id }) => id === 'snapshot'));

export const load = page(async ({ locals: { app }, params }) => {
	const shown = await app.operations.get(parse(OperationRef, params).id);
	const ofMods = isOfMods(shown);
	const taken = ofMods && shown.state === 'succeeded' ? await app.snapshots.list() : [];
	const before = taken.find(({ operationId, problem }) => operationId === shown.id && !problem);
	return { shown, ofMods, before: before?.id ?? null };
});

export const actions = {
	cancel: action(Empty, async (_, { locals, params }) => {
		await locals.app.operations.cancel(parse(OperationRef, params).id, locals.actor);
		return { message: 'The operation is being cancelled.' };
	})
} satisfies Actions;
