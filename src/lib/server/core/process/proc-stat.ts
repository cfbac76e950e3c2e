import { readFileSync } from 'node:fs';
import { errno } from '../errors.ts';

/** Linux counts a process's start and CPU time in hundredths of a second, whatever the kernel's own tick. */
export const TICK_MS = 10;

/** What `/proc/<pid>/stat` says. */
export type ProcStat = {
	pid: number;
	parent: number;
	group: number;
	session: number;
	ended: boolean;
	/** Ticks from boot to its start. */
	startTicks: number;
	/** Ticks of CPU time, in its own and the system's code. */
	cpuTicks: number;
};

/** Null when there is no such process, or none that we may look at. */
export function readStat(pid: number, proc = '/proc'): ProcStat | null {
	const text = readProc(`${proc}/${pid}/stat`);
	return text === null ? null : parseStat(text);
}

/** The name in field 2 is the program's own choice, with spaces and `)` in it: fields count from the last `)`. */
export function parseStat(text: string): ProcStat | null {
	const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [parent, group, session] = fields.slice(0, 3).map(Number);
	const numbers = {
		...{ pid: Number.parseInt(text, 10), parent: parent!, group: group!, session: session! },
		startTicks: Number(fields[18]),
		cpuTicks: Number(fields[10]) + Number(fields[11])
	};
	if (!state || !Object.values(numbers).every(Number.isSafeInteger)) return null;
	return { ...numbers, ended: 'ZXx'.includes(state) };
}

/** A file of `/proc`. Processes end, or belong to others, while we look at them: that is null, not an error. */
export const readProc = (file: string): string | null =>
	ifVisible(() => readFileSync(file, 'latin1'));

/** What `look` finds in `/proc`; null when the process has ended or is not visible to us. */
export function ifVisible<T>(look: () => T): T | null {
	try {
		return look();
	} catch (error) {
		if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR'].includes(errno(error) ?? '')) return null;
		throw error;
	}
}
