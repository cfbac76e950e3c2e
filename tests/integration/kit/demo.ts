import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Actor } from '#core/actor';
import { createApp } from '#app';
import { readEnv } from '#env';
import { seedDemo } from '../../harness.ts';

export const ADA: Actor = { name: 'ada', role: 'superadmin', address: null };

/** The demo within this process, on ports of its own, at twenty times the speed, with its game running. */
export async function startDemo() {
	const dir = await mkdtemp(path.join(tmpdir(), 'demo-story-'));
	const environment = {
		...{ PATH: process.env['PATH'], DATA_DIR: dir, LOG_DIR: path.join(dir, 'logs') },
		...{ DEMO_SPEED: '20', VERIFY_TIMEOUT_SECONDS: '60', MODRINTH_URL: '' }
	};
	await seedDemo(dir);
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
	const { id } = await app.power.start({ delaySeconds: 0, message: '' }, ADA);
	expect(await ended(id)).toMatchObject({ state: 'succeeded' });
	return { dir, app, ended };
}
