import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Actor } from '#core/actor';
import { createApp } from '#app';
import { readEnv } from '#env';

const ADA: Actor = { name: 'ada', role: 'superadmin', address: null };

async function startDemo() {
	const dir = await mkdtemp(path.join(tmpdir(), 'trial-story-'));
	const environment = {
		...{ PATH: process.env['PATH'], DATA_DIR: dir, LOG_DIR: path.join(dir, 'logs') },
		...{ DEMO_SPEED: '20', VERIFY_TIMEOUT_SECONDS: '60', MODRINTH_URL: '' }
	};
	const env = await readEnv(environment, process.cwd());
	const app = await createApp(env, { environment });
	onTestFinished(async () => {
		await app.power.kill(ADA).catch(() => {});
		await app.close();
		await rm(dir, { recursive: true, force: true, maxRetries: 5 });
	});
	await app.start();
	const ended = async (id: string) => {
		await expect
			.poll(async () => (await app.operations.get(id)).state, { timeout: 150_000, interval: 200 })
			.not.toBe('running');
		return app.operations.get(id);
	};
	// The demo starts its game by itself.
	await expect
		.poll(async () => (await app.power.observe()).state, { timeout: 60_000 })
		.toBe('running');
	await expect.poll(() => app.operations.running(), { timeout: 60_000 }).toBeNull();
	const search = async () => {
		const found = async () =>
			(await app.operations.list()).find(({ kind }) => kind === 'culprit') ?? null;
		await expect.poll(found, { timeout: 20_000 }).not.toBeNull();
		return ended((await found())!.id);
	};
	return { dir, app, ended, search };
}

test('after a rollback of several mods the search begins by itself', async () => {
	const { app, ended, search } = await startDemo();
	const update = await ended((await app.mods.update({ all: true, skipTrial: true }, ADA)).id);
	expect(update).toMatchObject({ state: 'rolled-back' });
	expect((await search()).result!.culprits).toMatchObject([{ title: 'Quiet Villagers' }]);
}, 200_000);

test('the demo: updates fail on a copy, nobody is disconnected, and the search ends with an answer', async () => {
	const { dir, app, ended, search: searchEnded } = await startDemo();
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

	const search = await searchEnded();
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
