import { TaskRun } from '#schemas/task';

const LISTED = 100;

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
