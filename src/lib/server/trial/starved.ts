import { readdirSync } from 'node:fs';
import os from 'node:os';
import { ifVisible, readProc } from '#core/process';

/**
 * How long other programs have kept a process and what it has started from running, in ms: as its thread that has
 * waited the longest for a processor tells. 0 where it has used most of the machine itself, or the kernel does not say.
 */
export function starvedMs(pid: number, elapsedMs: number): number {
	const threads = threadsOf(pid);
	const usedMs = threads.reduce((sum, thread) => sum + thread.ranMs, 0);
	if (usedMs > (elapsedMs * os.availableParallelism()) / 2) return 0;
	return Math.max(0, ...threads.map(({ waitedMs }) => waitedMs));
}

type Thread = { ranMs: number; waitedMs: number };
/** More are of no interest: it is not starved then. */
const PROCESSES_MAX = 200;

function threadsOf(pid: number): Thread[] {
	const found: Thread[] = [];
	const pids = new Set([pid]);
	for (const one of pids) {
		if (pids.size > PROCESSES_MAX) break;
		const tasks = `/proc/${one}/task`;
		for (const id of ifVisible(() => readdirSync(tasks)) ?? []) {
			const [ran, waited] = (readProc(`${tasks}/${id}/schedstat`) ?? '').split(' ').map(Number);
			if (waited !== undefined) found.push({ ranMs: ran! / 1e6, waitedMs: waited / 1e6 });
			const children = readProc(`${tasks}/${id}/children`)?.match(/\d+/g) ?? [];
			for (const child of children) pids.add(Number(child));
		}
	}
	return found;
}
