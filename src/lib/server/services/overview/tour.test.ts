import { expect, test } from 'vitest';
import type { Operation, OperationKind, OperationState } from '#schemas/operation';
import { createTour } from './index.ts';

let counted = 0;
const operation = (kind: OperationKind, state: OperationState = 'succeeded'): Operation => ({
	id: `20260102T${String((counted += 1)).padStart(9, '0')}Z-1a2b`,
	...{ kind, state, subject: null, by: 'ada', steps: [], cause: null },
	...{ startedAt: '2026-01-02T03:04:05.000Z', finishedAt: '2026-01-02T03:04:06.000Z' }
});
const others = (count: number) => Array.from({ length: count }, () => operation('backup'));

function setUp(journal: Operation[]) {
	const asked: number[] = [];
	const tour = createTour({
		offered: async () => 4,
		async operations(limit) {
			asked.push(limit);
			return journal.toReversed().slice(0, limit);
		}
	});
	return { tour, asked };
}

const NOTHING = {
	...{ search: null, named: null, updated: false, left: 4 },
	...{ rolledBack: null, upgraded: false, newer: false }
};
const cause = { message: 'It did not start.', log: [], mods: ['quiet-villagers'] };
const culprit = { fileName: 'quiet-3.jar', title: 'Quiet Villagers', version: '3.0.0' };
const found = { result: { culprits: [culprit], together: false, rest: [] } };

test('what was tried stays done, however much has happened since', async () => {
	const search = { ...operation('culprit'), ...found };
	const broken = operation('install', 'rolled-back');
	const journal = [
		...[operation('update', 'failed'), search, operation('update'), broken],
		...[operation('upgrade'), operation('upgrade', 'rolled-back')],
		...others(80)
	];
	const tried = { updated: true, rolledBack: broken.id, upgraded: true };
	const done = { ...tried, left: 4, search: null, named: search.id, newer: true };
	const { tour, asked } = setUp(journal);
	expect(await tour()).toEqual(done);
	journal.splice(0, 6);
	expect(await tour()).toEqual(done);
	expect(asked[1]).toBeLessThan(80);
});

test('each is ticked off by its own end', async () => {
	const journal = [operation('update'), operation('update', 'rolled-back')];
	const { tour } = setUp(journal);
	expect(await tour()).toEqual(NOTHING);
	const searching = operation('culprit', 'running');
	journal.push(searching);
	expect(await tour()).toEqual({ ...NOTHING, search: searching.id });
	journal[2] = { ...searching, state: 'succeeded' };
	expect(await tour()).toEqual(NOTHING);
	journal[2] = { ...searching, ...found, state: 'succeeded' };
	expect(await tour()).toEqual({ ...NOTHING, named: searching.id });
	// The update comes long after the search that it follows.
	journal.push(...others(60), operation('update'));
	expect(await tour()).toMatchObject({ updated: true, rolledBack: null });
	journal.push(operation('upgrade', 'failed'));
	expect(await tour()).toMatchObject({ rolledBack: null, upgraded: false, newer: false });
	// One game version works, and another one does not, be it on a copy only.
	journal.push(operation('upgrade'));
	expect(await tour()).toMatchObject({ rolledBack: null, upgraded: true, newer: true });
	journal.push(operation('go-back'));
	expect(await tour()).toMatchObject({ upgraded: true, newer: false });
});

test('while the server is stopped its own start names the bad mod', async () => {
	const another = { ...operation('update', 'rolled-back'), cause: { ...cause, mods: ['lithium'] } };
	const failed = { ...operation('update', 'rolled-back'), cause };
	const journal: Operation[] = [another];
	const { tour } = setUp(journal);
	expect(await tour()).toEqual(NOTHING);
	journal.push(failed);
	expect(await tour()).toEqual({ ...NOTHING, named: failed.id });
	journal.push({ ...operation('culprit'), ...found });
	expect(await tour()).toEqual({ ...NOTHING, named: failed.id });
});
