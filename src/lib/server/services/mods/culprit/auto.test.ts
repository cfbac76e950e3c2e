import { expect, test } from 'vitest';
import { ann, createKit, finished } from '../../../../../../tests/faults/operations-kit.ts';
import { OperationFailure, toSummary } from '#operations';
import { createCulpritAuto } from './auto.ts';

/** An update of this many mods that ends in this way, and the searches that it started. */
async function after(ends: {
	mods?: number;
	trial?: 'bad';
	rollback?: 'works' | 'fails';
	wanted?: boolean;
	problem?: string;
}) {
	const kit = await createKit();
	const searched: unknown[] = [];
	const warned: unknown[] = [];
	const auto = createCulpritAuto({
		...{ journal: kit.journal, wanted: async () => ends.wanted ?? true },
		culprits: { start: async (request) => (searched.push(request), await kit.operations.get(id)) },
		trials: { problem: async () => ends.problem ?? null },
		log: { warn: (...words) => void warned.push(words) }
	});
	const failure = (message: string) => new OperationFailure({ message, log: [], mods: [] });
	kit.operations.define({
		kind: 'update',
		steps: () => [
			{
				id: 'x',
				label: 'x',
				async run(ctx) {
					if (ends.trial) await ctx.remember({ trial: ends.trial });
					throw failure('It does not start.');
				}
			}
		],
		...(ends.rollback && {
			rollback: {
				id: 'rollback',
				label: 'Back',
				async run() {
					if (ends.rollback === 'fails') throw failure('The old set does not start either.');
				}
			}
		})
	});
	const put = Array.from({ length: ends.mods ?? 2 }, () => ({}));
	const begun = await kit.operations.run('update', { put, rename: [] }, ann);
	const { id } = begun;
	const ended = await finished(kit.operations, begun);
	// Reported more than once: by the end, and by whoever watches other processes.
	await Promise.all([auto.seen(toSummary(ended)), auto.seen(toSummary(ended))]);
	expect(warned).toEqual([]);
	return searched.map((one) => (one as { operationId: string }).operationId === id);
}

test('after a rollback of several mods the search begins, once', async () => {
	expect(await after({ rollback: 'works' })).toEqual([true]);
});

test('also after a failed trial', async () => {
	expect(await after({ trial: 'bad' })).toEqual([true]);
});

test('not where the old set does not start either: no mod of the new one is to blame', async () => {
	expect(await after({ rollback: 'fails' })).toEqual([]);
});

test('not for one mod, not where it is switched off, and not where nothing can be booted', async () => {
	expect(await after({ rollback: 'works', mods: 1 })).toEqual([]);
	expect(await after({ rollback: 'works', wanted: false })).toEqual([]);
	expect(await after({ rollback: 'works', problem: 'No room.' })).toEqual([]);
});
