/** The part of `/proc/<pid>/stat` that says what a process uses. */
export type ProcUsage = {
	pid: number;
	parent: number;
	ended: boolean;
	startTicks: number;
	/** Time on a CPU in its own and the system's code, in hundredths of a second. */
	cpuTicks: number;
};

/** The name in field 2 is the program's own choice, with spaces and `)` in it: fields count from the last `)`. */
export function parseUsage(text: string): ProcUsage | null {
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const facts = {
		pid: Number.parseInt(text, 10),
		parent: Number(fields[1]),
		ended: 'ZXx'.includes(fields[0] || 'X'),
		startTicks: Number(fields[19]),
		cpuTicks: Number(fields[11]) + Number(fields[12])
	};
	const { pid, parent, startTicks, cpuTicks } = facts;
	return [pid, parent, startTicks, cpuTicks].every(Number.isSafeInteger) ? facts : null;
}

/** `VmRSS` of `/proc/<pid>/status`, whatever the size of a page; null for what has no memory. */
export function residentBytes(status: string): number | null {
	const found = /^VmRSS:\s*(\d+) kB$/m.exec(status);
	return found ? Number(found[1]) * 1024 : null;
}
