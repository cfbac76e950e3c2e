import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readStat, type ProcStat } from './proc-stat.ts';

/** Identifies a process for ever: pids are reused, and after a boot so are the ticks. */
export type ProcessMark = { bootId: string; pid: number; startTicks: number };

/** A mark in one word, to store and to compare. */
export const processId = ({ bootId, pid, startTicks }: ProcessMark) =>
	`${bootId} ${pid} ${startTicks}`;

/** An id as it was stored; earlier versions stored the mark's parts. */
export const ProcessId = z.union([
	z.string(),
	z.object({ bootId: z.string(), pid: z.int(), startTicks: z.int() }).transform(processId)
]);

/** Null for anything but the id of a process. */
export function markOf(id: string): ProcessMark | null {
	const [, bootId, pid, startTicks] = /^(\S+) (\d+) (\d+)$/.exec(id) ?? [];
	return bootId ? { bootId, pid: Number(pid), startTicks: Number(startTicks) } : null;
}

/** The mark of the machine's current boot. */
export const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();

export const ownProcessId = () =>
	processId({
		bootId: bootId(),
		pid: process.pid,
		startTicks: readStat(process.pid)?.startTicks ?? 0
	});

/** What `/proc` says about this very process; null when it has ended. */
export function statOf({ pid, startTicks, ...mark }: ProcessMark): ProcStat | null {
	const stat = mark.bootId === bootId() ? readStat(pid) : null;
	return stat && !stat.ended && stat.startTicks === startTicks ? stat : null;
}

export const processLives = (id: string): boolean => {
	const mark = markOf(id);
	return mark !== null && statOf(mark) !== null;
};
