import { readFileSync, readdirSync, statSync } from 'node:fs';
import { errno } from '#core/errors';

/** Linux counts a process's start in hundredths of a second since boot (USER_HZ), whatever the kernel's own tick. */
const TICK_MS = 10;
/** Pids looked at in one scan: a machine with more has other worries. */
const SCAN_MAX = 32_768;

/** What `/proc/<pid>/stat` says; `pid`, `startTicks` and the boot id together name a process for ever. */
export type ProcStat = { ended: boolean; group: number; session: number; startTicks: number };

/** Null when there is no such process, or none that we may look at. */
export function readStat(pid: number): ProcStat | null {
	const text = readProc(`/proc/${pid}/stat`)?.toString('latin1');
	return text ? parseStat(text) : null;
}

/** The name in field 2 is the program's own choice, with spaces and `)` in it: fields count from the last `)`. */
export function parseStat(text: string): ProcStat | null {
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [state = '', , group, session] = fields;
	const startTicks = Number(fields[19]);
	if (!state || !Number.isSafeInteger(startTicks)) return null;
	return {
		ended: 'ZXx'.includes(state),
		group: Number(group),
		session: Number(session),
		startTicks
	};
}

export const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();

export function startTime(startTicks: number, now: Date): Date {
	const uptimeMs = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000;
	return new Date(now.getTime() - Math.max(0, uptimeMs - startTicks * TICK_MS));
}

export const readArgv = (pid: number) => strings(readProc(`/proc/${pid}/cmdline`));

/** The environment a process was started with, only of our own user's processes; null when it is not ours to read. */
export function readEnviron(pid: number): string[] | null {
	if (inspect(() => statSync(`/proc/${pid}`).uid) !== process.getuid?.()) return null;
	const bytes = readProc(`/proc/${pid}/environ`);
	return bytes && strings(bytes);
}

/** Names a folder whatever the path: device and inode. Null when there is none. */
export const folderId = (path: string) =>
	inspect(() => {
		const { dev, ino } = statSync(path, { bigint: true });
		return `${dev}:${ino}`;
	});

/** The working directory as `folderId` names it; null when it cannot be seen (another user's process). */
export const workingFolder = (pid: number) => folderId(`/proc/${pid}/cwd`);

/** Living processes whose working directory is the folder, oldest first. */
export function processesIn(folder: string): { pid: number; stat: ProcStat }[] {
	return readdirSync('/proc')
		.filter((name) => /^[1-9]\d*$/.test(name))
		.slice(0, SCAN_MAX)
		.map(Number)
		.filter((pid) => pid !== process.pid && workingFolder(pid) === folder)
		.flatMap((pid) => {
			const stat = readStat(pid);
			return stat && !stat.ended ? [{ pid, stat }] : [];
		})
		.sort((a, b) => a.stat.startTicks - b.stat.startTicks);
}

const strings = (bytes: Buffer | null) =>
	bytes ? bytes.toString('utf8').replace(/\0$/, '').split('\0') : [];

const readProc = (path: string) => inspect(() => readFileSync(path));

/** Processes end and belong to others while we look at them: that is an answer, not an error. */
function inspect<T>(look: () => T): T | null {
	try {
		return look();
	} catch (error) {
		if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR'].includes(errno(error) ?? '')) return null;
		throw error;
	}
}
