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
		async operations(limit) {
			asked.push(limit);
			return journal.toReversed().slice(0, limit);
		}
	});
	return { tour, asked };
}

test('what was tried stays done, however much has happened since', async () => {
	const search = operation('culprit');
	const journal = [
		...[operation('update', 'failed'), search, operation('update')],
		...[operation('install', 'rolled-back')],
		...[operation('upgrade'), operation('upgrade', 'rolled-back')],
		...others(80)
	];
	const done = { search: search.id, updated: true, rolledBack: true, upgraded: true };
	const { tour, asked } = setUp(journal);
	expect(await tour()).toEqual(done);
	journal.splice(0, 6);
	expect(await tour()).toEqual(done);
	expect(asked[1]).toBeLessThan(80);
});

test('each is ticked off by its own end', async () => {
	const journal = [operation('update'), operation('update', 'rolled-back')];
	const { tour } = setUp(journal);
	const nothing = { search: null, updated: false, rolledBack: false, upgraded: false };
	expect(await tour()).toEqual(nothing);
	const search = operation('culprit');
	journal.push(search);
	expect(await tour()).toEqual({ ...nothing, search: search.id });
	// The update comes long after the search that it follows.
	journal.push(...others(60), operation('update'));
	expect(await tour()).toMatchObject({ updated: true, rolledBack: false });
	journal.push(operation('upgrade', 'failed'), operation('upgrade'));
	expect(await tour()).toMatchObject({ rolledBack: false, upgraded: false });
	// One game version works, and the next does not, be it on a copy only.
	journal.push(operation('upgrade', 'failed'));
	expect(await tour()).toMatchObject({ rolledBack: false, upgraded: true });
});
