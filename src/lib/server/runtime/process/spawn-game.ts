import { spawn } from 'node:child_process';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import { readStat } from '#core/process';

/** Both are null when we were not its parent. */
export type ProcessExit = { code: number | null; signal: string | null };

/** Spawns and reads the identity before the event loop turns: until then even a child that has ended is not reaped. */
export async function spawnGame(
	[file = '', ...args]: string[],
	where: { cwd: string; env: NodeJS.ProcessEnv },
	[input = 'ignore', output]: [input: number | 'ignore' | undefined, output: number]
) {
	try {
		const child = spawn(file, args, { ...where, detached: true, stdio: [input, output, output] });
		const stat = child.pid ? readStat(child.pid) : null;
		const exit = new Promise<ProcessExit>((resolve, reject) => {
			child.once('exit', (code, signal) => resolve({ code, signal }));
			child.once('error', reject);
		});
		child.unref();
		if (!child.pid) throw await exit;
		if (!stat) throw new Error(`process ${child.pid} cannot be seen in /proc`);
		return { identity: { pid: child.pid, startTicks: stat.startTicks }, exit };
	} catch (cause) {
		throw cannotStart(file, cause);
	}
}

function cannotStart(file: string, cause: unknown): AppError {
	const java = path.basename(file) === 'java';
	const place = file === 'java' ? '' : ` at ${file}`;
	const words: Record<string, string> = {
		ENOENT: java
			? `The server could not be started: Java was not found${place}. Install the Java version that this game version needs, or name its path in SERVER_COMMAND.`
			: `The server could not be started: ${file} was not found. Correct SERVER_COMMAND.`,
		EACCES: `The server could not be started: ${file} may not be executed. Make it executable, or correct SERVER_COMMAND.`
	};
	const message =
		words[errno(cause) ?? ''] ??
		`The server could not be started: ${cause instanceof Error ? cause.message : String(cause)}`;
	return new AppError('upstream', message, { cause, ...(java && { code: 'java-missing' }) });
}
