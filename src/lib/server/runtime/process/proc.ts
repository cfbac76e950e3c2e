import { readFileSync, readdirSync, statSync } from 'node:fs';
import { ifVisible, readProc, readStat, TICK_MS, type ProcStat } from '#core/process';

/** The most pids examined in one scan: a machine with more has other worries. */
const SCAN_MAX = 32_768;

export function startTime(startTicks: number, now: Date): Date {
	const uptimeMs = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000;
	return new Date(now.getTime() - Math.max(0, uptimeMs - startTicks * TICK_MS));
}

export const readArgv = (pid: number) => strings(readProc(`/proc/${pid}/cmdline`));

/**
 * The environment with which a process was started; only for processes of our own user, null when it is not readable.
 */
export function readEnviron(pid: number): string[] | null {
	if (ifVisible(() => statSync(`/proc/${pid}`).uid) !== process.getuid?.()) return null;
	const text = readProc(`/proc/${pid}/environ`);
	return text === null ? null : strings(text);
}

/** Identifies a folder whatever its path: device and inode. Null when there is none. */
export const folderId = (path: string) =>
	ifVisible(() => {
		const { dev, ino } = statSync(path, { bigint: true });
		return `${dev}:${ino}`;
	});

/** The working directory as `folderId` names it; null when it cannot be seen (another user's process). */
export const workingFolder = (pid: number) => folderId(`/proc/${pid}/cwd`);

/** The numbers of all processes. */
export const pids = (proc = '/proc') =>
	readdirSync(proc)
		.filter((name) => /^[1-9]\d*$/.test(name))
		.slice(0, SCAN_MAX)
		.map(Number);

/** Living processes whose working directory is the folder, oldest first. */
export function processesIn(folder: string): ProcStat[] {
	return pids()
		.filter((pid) => pid !== process.pid && workingFolder(pid) === folder)
		.flatMap((pid) => {
			const stat = readStat(pid);
			return stat && !stat.ended ? [stat] : [];
		})
		.sort((a, b) => a.startTicks - b.startTicks);
}

/** A null byte ends each one; the text is UTF-8. */
const strings = (latin1: string | null) =>
	latin1 ? Buffer.from(latin1, 'latin1').toString('utf8').replace(/\0$/, '').split('\0') : [];
