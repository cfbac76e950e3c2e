import { readFileSync } from 'node:fs';

/** Names a process for ever: pids come again, also after a boot. */
export type ProcessMark = { pid: number; startTicks: number; bootId: string };

export function ownMark(): ProcessMark {
	return { pid: process.pid, startTicks: ticksOf('self') ?? 0, bootId: bootId() };
}

export const lives = (mark: ProcessMark): boolean =>
	mark.bootId === bootId() && ticksOf(String(mark.pid)) === mark.startTicks;

const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();

/** When it began, in ticks since boot; null when it has ended. */
function ticksOf(pid: string): number | null {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		return 'ZXx'.includes(fields[0] ?? 'X') ? null : Number(fields[19]);
	} catch {
		return null;
	}
}
