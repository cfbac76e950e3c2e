import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ADA, startDemo } from './kit/demo.ts';

/** Waits for the search that begins by itself, and returns how it ended. */
async function searched({ app, ended }: Awaited<ReturnType<typeof startDemo>>) {
	const found = async () =>
		(await app.operations.list()).find(({ kind }) => kind === 'culprit') ?? null;
	await expect.poll(found, { timeout: 20_000 }).not.toBeNull();
	return ended((await found())!.id);
}

test('after a rollback of several mods the search begins by itself', async () => {
	const demo = await startDemo();
	const { app, ended } = demo;
	const update = await ended((await app.mods.update({ all: true, skipTrial: true }, ADA)).id);
	expect(update).toMatchObject({ state: 'rolled-back' });
	expect((await searched(demo)).result!.culprits).toMatchObject([{ title: 'Quiet Villagers' }]);
}, 200_000);

test('the demo: updates fail on a copy, nobody is disconnected, and the search ends with an answer', async () => {
	const demo = await startDemo();
	const { dir, app, ended } = demo;
	const { run } = await app.power.observe();
	const before = (await app.mods.updates(false)).mods.map(({ fileName }) => fileName);
	const plan = await app.mods.plan({ update: before }, 'superadmin');
	expect(plan.trial).toEqual({ will: true, why: null });
	const failed = await ended((await app.mods.update({ all: true }, ADA)).id);
	expect(failed).toMatchObject({
		state: 'failed',
		boots: [{ verdict: 'bad' }, { verdict: 'good' }]
	});
	expect((await app.power.observe()).run?.id).toBe(run?.id);

	const search = await searched(demo);
	expect(search).toMatchObject({ state: 'succeeded', result: { together: false } });
	expect(search.result!.culprits).toMatchObject([{ title: 'Quiet Villagers', version: '3.0.0' }]);
	const { rest } = search.result!;
	expect(rest.toSorted()).toEqual(before.filter((name) => !/^quiet/.test(name)).toSorted());
	expect((await app.power.observe()).run?.id).toBe(run?.id);
	expect(await readdir(path.join(dir, 'trials'))).toEqual([]);

	// It is left out from now on, and the others are updated.
	const { id } = await app.mods.update({ fileNames: rest }, ADA);
	expect(await ended(id)).toMatchObject({ state: 'succeeded', boots: [{ verdict: 'good' }] });
	expect((await app.mods.updates(false)).mods.filter((mod) => mod.updateAvailable)).toMatchObject([
		{ fileName: 'quiet-villagers-2.0.1.jar', failedHere: { certain: true } }
	]);
}, 200_000);
