import { mkdir, rename, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '#app';
import { appendLine } from '#core/files';
import { readEnv } from '#env';
import { readTaskEnvironment } from '../src/lib/server/env/task-environment.ts';
import type { TaskRun } from '#schemas/task';
import { readCommand, RUN_NOW } from '#services/schedule';

/** Does one scheduled task and writes one line into `tasks.log`; run by `scripts/task`, started by cron or the dashboard. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOG_MAX_BYTES = 5 << 20;
const USAGE = 2;

const started = Date.now();
const { data, id, order } = understood();
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
		outcome = await app.dispatch(order, stopped.signal);
	} finally {
		await app.close();
	}
} catch (error) {
	const detail = error instanceof Error ? error.message : String(error);
	outcome = { result: 'failed', exitCode: 1, detail };
}
await tell(outcome);
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

/** In the log folder, or in /tmp when that cannot be written. */
async function tell({ result, exitCode, detail }: typeof outcome) {
	const run: TaskRun = {
		at: new Date(started).toISOString(),
		id,
		type: order.type,
		result,
		exitCode,
		durationMs: Math.round(performance.now()), // whatever becomes of the clock
		detail: detail.replace(/\s+/g, ' ').slice(0, 1000)
	};
	const line = JSON.stringify(run);
	try {
		await mkdir(logDir, { recursive: true, mode: 0o700 });
		await append(path.join(logDir, 'tasks.log'), line);
	} catch {
		const spare = path.join('/tmp', `craftwarden-tasks-${process.getuid?.() ?? 0}.log`);
		await append(spare, line).catch((error) => console.error(`task: ${error}`));
	}
}

/** Never through a link that somebody laid out in /tmp. */
async function append(file: string, line: string) {
	const { size } = await stat(file).catch(() => ({ size: 0 }));
	if (size > LOG_MAX_BYTES) await rename(file, `${file}.1`);
	await appendLine(file, line, { own: true });
}
