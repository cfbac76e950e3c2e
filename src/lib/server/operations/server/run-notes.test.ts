import { expect, test } from 'vitest';
import {
	createKit,
	define,
	finished,
	noting,
	run
} from '../../../../../tests/faults/operations-kit.ts';
import { LAUNCHED } from '../index.ts';

const later = (from: string | null, ms: number) => new Date(Date.parse(from!) + ms).toISOString();
const RUN = 'the run';
const launching = noting([], 'launch', { run: (ctx) => ctx.remember({ [LAUNCHED]: RUN }) });

async function started() {
	const kit = await createKit();
	define(kit, [launching]);
	const { id, finishedAt } = await finished(kit.operations, run(kit));
	return { ...kit, id, finishedAt };
}

test('a success keeps that its server crashed soon after, and is told of it once and as no second end', async () => {
	const { operations, journal, summaries, noted, id, finishedAt } = await started();
	const at = later(finishedAt, 1400);
	const crash = { run: RUN, at, report: 'crash-1.txt' };
	await operations.crashed(crash);
	await operations.crashed(crash);
	await operations.crashed({ ...crash, at: later(at, 5000) });
	const kept = { at, report: 'crash-1.txt' };
	expect((await journal.read(id))?.operation).toMatchObject({ state: 'succeeded', crashed: kept });
	expect((await operations.list())[0]).toMatchObject({ id, crashed: kept });
	expect(noted).toMatchObject([{ id, state: 'succeeded', crashed: kept }]);
	expect(summaries.filter(({ crashed }) => crashed)).toEqual([]);
});

test('neither the crash of another run nor one long after is told of it', async () => {
	const { operations, noted, id, finishedAt } = await started();
	const crash = { run: RUN, at: later(finishedAt, 1400), report: null };
	await operations.crashed({ ...crash, run: 'another run' });
	await operations.crashed({ ...crash, at: later(finishedAt, 10 * 60_000 + 1) });
	expect(await operations.get(id)).not.toHaveProperty('crashed');
	expect(noted).toEqual([]);
	await operations.crashed({ ...crash, at: later(finishedAt, 10 * 60_000) });
	expect((await operations.get(id)).crashed).toEqual({ at: later(finishedAt, 10 * 60_000) });
});

test('a success keeps that its server stopped responding soon after', async () => {
	const { operations, journal, noted, id, finishedAt } = await started();
	const hung = { run: RUN, at: later(finishedAt, 60_000) };
	await operations.hung({ ...hung, run: 'another run' });
	await operations.hung({ ...hung, at: later(finishedAt, 10 * 60_000 + 1) });
	expect(noted).toEqual([]);
	await operations.hung(hung);
	await operations.hung({ ...hung, at: later(hung.at, 5000) });
	expect((await journal.read(id))?.operation.hung).toEqual({ at: hung.at });
	expect((await operations.list())[0]).toMatchObject({ id, hung: { at: hung.at } });
	expect(noted).toHaveLength(1);
	expect(await operations.get(id)).not.toHaveProperty('crashed');
});

test('what did not succeed has said more than that already', async () => {
	const failing = noting([], 'fails', { run: () => Promise.reject(new Error('No.')) });
	const kit = await createKit();
	define(kit, [launching, failing]);
	const { id, state, finishedAt } = await finished(kit.operations, run(kit));
	await kit.operations.crashed({ run: RUN, at: later(finishedAt, 1000), report: null });
	expect(state).toBe('failed');
	expect(await kit.operations.get(id)).not.toHaveProperty('crashed');
});
