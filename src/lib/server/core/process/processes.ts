import { readdirSync, statSync } from 'node:fs';
import { ifVisible, readProc } from './proc-stat.ts';

/** The most pids examined in one scan: a machine with more has other worries. */
const SCAN_MAX = 32_768;

/** The numbers of all processes. */
export const pids = (proc = '/proc') =>
	readdirSync(proc)
		.filter((name) => /^[1-9]\d*$/.test(name))
		.slice(0, SCAN_MAX)
		.map(Number);

export const readArgv = (pid: number) => strings(readProc(`/proc/${pid}/cmdline`));

/**
 * The environment with which a process was started; only for processes of our own user, null when it is not readable.
 */
export function readEnviron(pid: number): string[] | null {
	if (ifVisible(() => statSync(`/proc/${pid}`).uid) !== process.getuid?.()) return null;
	const text = readProc(`/proc/${pid}/environ`);
	return text === null ? null : strings(text);
}

/** A null byte ends each one; the text is UTF-8. */
const strings = (latin1: string | null) =>
	latin1 ? Buffer.from(latin1, 'latin1').toString('utf8').replace(/\0$/, '').split('\0') : [];
