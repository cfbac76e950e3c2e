import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createApp } from '#app';
import { readEnv } from '#env';
import type { SoftwareWish } from '#schemas/software/software';
import { ownPort } from '../../scripts/demo-server/testing/own-port.ts';
import { startSources } from '../../scripts/demo-sources/sources.ts';
import { eventually, processesIn } from '../harness.ts';

/** What lies in a folder, but for the lock that keeps a second dashboard out. */
const listed = async (dir: string) =>
	(await readdir(dir)).filter((name) => name !== '.craftwarden.lock');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A tenth of the real value, because these games start ten times as fast. */
const HOLD_MS = 3_000;
export const ADA = { name: 'ada', role: 'superadmin', address: null } as const;

/** The whole dashboard on an empty folder, the fake services and a stand-in for Java. Concurrent tests pass their own `finished`. */
export async function setup(more: Record<string, string> = {}, finished = onTestFinished) {
	const root = await mkdtemp(path.join(os.tmpdir(), 'craftwarden-software-'));
	const serverDir = path.join(root, 'server');
	const bin = path.join(root, 'jdk/bin');
	for (const dir of [serverDir, bin]) await mkdir(dir, { recursive: true });
	const java = `#!/bin/sh\nexport DEMO_SPEED=20 DEMO_BOTS=0\nexec '${process.execPath}' '${ROOT}/scripts/demo-sources/java.ts' "$@"\n`;
	await writeFile(path.join(bin, 'java'), java);
	await chmod(path.join(bin, 'java'), 0o755);
	await writeFile(path.join(root, 'jdk/release'), 'JAVA_VERSION="25.0.1"\n');
	const fake = await startSources();
	const environment = {
		...{ PATH: process.env['PATH'], HOME: path.join(root, 'home') },
		...{
			SERVER_DIR: serverDir,
			DATA_DIR: path.join(root, 'data'),
			LOG_DIR: path.join(root, 'log')
		},
		...{ SUPERADMIN_USERNAME: 'ada', SUPERADMIN_PASSWORD: 'correct horse battery' },
		...{ SCHEDULER: 'embedded', ENV_FILE: '/dev/null', VERIFY_TIMEOUT_SECONDS: '60' },
		...{ JAVA_HOME: path.join(root, 'jdk'), ...fake.addresses, ...more }
	};
	const app = await createApp(await readEnv(environment, ROOT), {
		environment,
		root: ROOT,
		holdMs: HOLD_MS
	});
	await app.start();
	finished(async () => {
		await app.close();
		for (const pid of await processesIn(serverDir)) process.kill(pid, 'SIGKILL');
		await fake.close();
		await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
	});
	const over = (id: string) =>
		eventually(
			() => app.operations.get(id),
			({ state }) => state !== 'running',
			150_000
		);
	// Its console listens there.
	const port = await ownPort({ beyond: 10 });
	const wish = (
		loader: 'vanilla' | 'fabric' | 'neoforge' | 'forge' | 'paper',
		extra: object = {}
	) =>
		({
			...{ do: 'create', loader, gameVersion: '1.21.1', memoryMb: 512, port, acceptEula: true },
			...extra
		}) as SoftwareWish;
	const apply = async (what: SoftwareWish) => {
		const { id } = await app.software.plan(what);
		return over((await app.software.apply({ planId: id }, ADA)).id);
	};
	const names = async () => (await listed(serverDir)).sort();
	const text = (name: string) => readFile(path.join(serverDir, name), 'utf8');
	const audited = async () => (await app.audit.list({ limit: 50 }, 'superadmin')).map((one) => one);
	return { app, fake, root, serverDir, port, wish, apply, over, names, text, audited };
}
