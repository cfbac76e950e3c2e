import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { startRegistry, type RegistryOptions } from '../../../scripts/demo-registry/registry.ts';
import type { Clock } from '#core/clock';
import { createModrinth, type ModrinthDeps } from '../../../src/lib/server/registry/modrinth.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';

export const USER_AGENT = 'craftwarden/craftwarden/0.0.0-test';

/** A fake registry and our client for it; time stands still unless it is driven. */
export async function setupRegistry(
	options: RegistryOptions = {},
	deps: Partial<ModrinthDeps> = {}
) {
	const fake = await startRegistry(options);
	onTestFinished(() => fake.close());
	const clock = createManualClock();
	const warnings: string[] = [];
	const note = (message: string) => void warnings.push(message);
	const client = (more: Partial<ModrinthDeps> = {}) => {
		const registry = createModrinth({
			baseUrl: new URL(fake.url),
			userAgent: USER_AGENT,
			clock: clock as Clock,
			log: { info: note, warn: note },
			...deps,
			...more
		});
		onTestFinished(() => registry.close());
		return registry;
	};
	return { fake, clock, client, registry: client(), warnings };
}

/** Lets time pass, in steps, until the promise has settled; returns its result. */
export async function drive<T>(clock: ManualClock, promise: Promise<T>, stepMs = 250): Promise<T> {
	let settled = false;
	const over = () => void (settled = true);
	promise.then(over, over);
	while (!settled) {
		await clock.advance(stepMs);
		await delay(2);
	}
	return promise;
}

/** Returns what a promise is rejected with. */
export const failureOf = async (promise: Promise<unknown>) =>
	promise.then(
		() => {
			throw new Error('it did not fail');
		},
		(error: unknown) => error as Error & { kind?: string; code?: string }
	);

export async function emptyDir() {
	const dir = await mkdtemp(path.join(os.tmpdir(), 'craftwarden-registry-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	return { dir, file: path.join(dir, 'mod.jar'), names: () => readdir(dir) };
}
