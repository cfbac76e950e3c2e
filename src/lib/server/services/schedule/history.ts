import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { TaskRun } from '#schemas/task';
import { appendLine } from '#core/files';

const LISTED = 100;
const LOG_MAX_BYTES = 5 << 20;
const DETAIL_MAX = 1000;
export const RUNS_FILE = 'tasks.log';

/** The runs in the last lines of `tasks.log`, newest first; other lines are skipped. */
export function readRuns(lines: string[]): TaskRun[] {
	return lines
		.toReversed()
		.flatMap((line) => {
			try {
				const run = TaskRun.safeParse(JSON.parse(line));
				return run.success ? [run.data] : [];
			} catch {
				return [];
			}
		})
		.slice(0, LISTED);
}

/** In the log folder, or in /tmp when that cannot be written. Never rejects. */
export async function writeRun(logDir: string, run: TaskRun): Promise<void> {
	const detail = run.detail.replace(/\s+/g, ' ').slice(0, DETAIL_MAX);
	const line = JSON.stringify({ ...run, detail });
	try {
		await mkdir(logDir, { recursive: true, mode: 0o700 });
		await append(path.join(logDir, RUNS_FILE), line);
	} catch {
		const spare = path.join('/tmp', `craftwarden-tasks-${process.getuid?.() ?? 0}.log`);
		await append(spare, line).catch((error) => process.stderr.write(`task: ${error}\n`));
	}
}

/** Never through a link that somebody planted in /tmp. */
async function append(file: string, line: string) {
	const { size } = await stat(file).catch(() => ({ size: 0 }));
	if (size > LOG_MAX_BYTES) await rename(file, `${file}.1`);
	await appendLine(file, line, { own: true });
}
