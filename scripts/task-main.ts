import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '#app';
import { readEnv } from '#env';
import { readTaskEnvironment } from '../src/lib/server/env/task-environment.ts';
import type { TaskRun } from '#schemas/task';
import { readCommand, RUN_NOW, writeRun } from '#services/schedule';

/** Does one scheduled task and writes one line into `tasks.log`; run by `scripts/task`, started by cron or the dashboard. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const USAGE = 2;

const started = Date.now();
const { data, id, on, order } = understood();
const stopped = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
	process.on(signal, () => stopped.abort(new Error(signal)));

let logDir = path.join(homedir(), 'logs', 'craftwarden');
let outcome: Pick<TaskRun, 'result' | 'exitCode' | 'detail'>;
try {
	const env = await readEnv(await readTaskEnvironment(data, process.env), ROOT);
	logDir = env.logDir;
	const app = await createApp(env, { root: ROOT });
	try {
		outcome = await app.dispatch(order, stopped.signal, { id, on });
	} finally {
		await app.close();
	}
} catch (error) {
	const detail = error instanceof Error ? error.message : String(error);
	outcome = { result: 'failed', exitCode: 1, detail };
}
const durationMs = Math.round(performance.now()); // whatever becomes of the clock
const at = new Date(started).toISOString();
await writeRun(logDir, { at, id, type: order.type, durationMs, ...outcome });
if (outcome.exitCode !== 0 || RUN_NOW in process.env || process.stdout.isTTY)
	console.log(outcome.detail);
process.exit(outcome.exitCode);

function understood() {
	try {
		return readCommand(process.argv.slice(2));
	} catch (error) {
		console.error(`task: ${error instanceof Error ? error.message : error}`);
		process.exit(USAGE);
	}
}
