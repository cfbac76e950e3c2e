import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Actor } from '#core/actor';
import { createApp } from '#app';
import { readEnv } from '#env';

const ADA: Actor = { name: 'ada', role: 'superadmin', address: null };

test('the demo: updates fail on a copy, nobody is disconnected, and the search ends with an answer', async () => {
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
	await ended((await app.power.start({ delaySeconds: 0, message: '' }, ADA)).id);
	const { run } = await app.power.observe();
	const fileNames = (await app.mods.updates(false)).mods
		.filter(({ updateAvailable }) => updateAvailable)
		.map(({ fileName }) => fileName)
		// Those that hang or die late take their time to fail.
		.filter((fileName) => !/^(?:lithium|waymarks)/.test(fileName));
	const plan = await app.mods.plan({ update: fileNames }, 'superadmin');
	expect(plan.trial).toEqual({ will: true, why: null });
	const failed = await ended((await app.mods.update({ fileNames, planId: plan.id }, ADA)).id);
	expect(failed).toMatchObject({
		state: 'failed',
		boots: [{ verdict: 'bad' }, { verdict: 'good' }]
	});
	expect((await app.power.observe()).run?.id).toBe(run?.id);

	await expect
		.poll(async () => (await app.operations.list()).some(({ kind }) => kind === 'culprit'), {
			timeout: 10_000
		})
		.toBe(true);
	const { id } = (await app.operations.list()).find(({ kind }) => kind === 'culprit')!;
	const search = await ended(id);
	expect(search).toMatchObject({ state: 'succeeded', result: { together: false } });
	expect(search.result!.culprits).toMatchObject([{ title: 'Quiet Villagers', version: '3.0.0' }]);
	expect(search.result!.rest).toHaveLength(2);
	expect((await app.power.observe()).run?.id).toBe(run?.id);
	expect(await readdir(path.join(dir, 'trials'))).toEqual([]);
}, 200_000);
