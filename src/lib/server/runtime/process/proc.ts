import { readFileSync, statSync } from 'node:fs';
import { ifVisible, pids, readStat, TICK_MS, type ProcStat } from '#core/process';

export function startTime(startTicks: number, now: Date): Date {
	const uptimeMs = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000;
	return new Date(now.getTime() - Math.max(0, uptimeMs - startTicks * TICK_MS));
}

/** Identifies a folder whatever its path: device and inode. Null when there is none. */
export const folderId = (path: string) =>
	ifVisible(() => {
		const { dev, ino } = statSync(path, { bigint: true });
		return `${dev}:${ino}`;
	});

/** The working directory as `folderId` names it; null when it cannot be seen (another user's process). */
export const workingFolder = (pid: number) => folderId(`/proc/${pid}/cwd`);

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
