import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errno } from '#core/errors';

const KIB = 1024;
/** What stays free for everything else. */
export const RESERVE_BYTES = 2 ** 30;

/**
 * Bytes that programs can still take, on the machine and in our control groups. Null when any part of it cannot be
 * determined: unknown memory does not count as free.
 */
export function freeMemory(root = '/'): number | null {
	try {
		const read = readerIn(root);
		const available = /^MemAvailable:\s+(\d+) kB$/m.exec(read('proc/meminfo') ?? '')?.[1];
		if (!available) return null;
		return Math.min(Number(available) * KIB, ...groupsLeave(read));
	} catch {
		return null; // there, but not readable
	}
}

type Read = (file: string) => string | null;

/** Null when the file does not exist, as in some kernels and containers. Any other error is thrown. */
const readerIn =
	(root: string): Read =>
	(file) => {
		try {
			return readFileSync(path.join(root, file), 'utf8');
		} catch (error) {
			if (['ENOENT', 'ENOTDIR'].includes(errno(error) ?? '')) return null;
			throw error;
		}
	};

function groupsLeave(read: Read): number[] {
	const groups = read('proc/self/cgroup') ?? '';
	const v2 = /^0::(\/.*)$/m.exec(groups)?.[1] ?? '/';
	const v1 = /^\d+:(?:\w+,)*memory(?:,\w+)*:(\/.*)$/m.exec(groups)?.[1] ?? '/';
	return [
		...withParents(v2).map((group) => leaves(read, path.join('sys/fs/cgroup', group), V2)),
		...withParents(v1).map((group) => leaves(read, path.join('sys/fs/cgroup/memory', group), V1))
	];
}

const withParents = (group: string): string[] =>
	group === '/' ? [group] : [group, ...withParents(path.dirname(group))];

const V2 = { max: 'memory.max', now: 'memory.current', cache: /^inactive_file (\d+)$/m };
const V1 = {
	max: 'memory.limit_in_bytes',
	now: 'memory.usage_in_bytes',
	cache: /^total_inactive_file (\d+)$/m
};

/** The limit minus what is used, not counting files that can be dropped. */
function leaves(read: Read, dir: string, { max, now, cache }: typeof V2): number {
	const limit = read(path.join(dir, max))?.trim() ?? 'max';
	if (limit === 'max') return Infinity;
	const used = Number(read(path.join(dir, now))?.trim() || NaN);
	const files = Number(cache.exec(read(path.join(dir, 'memory.stat')) ?? '')?.[1] ?? 0);
	const left = Number(limit || NaN) - used + files;
	if (!Number.isFinite(left)) throw new Error(`${dir} cannot be understood`);
	return Math.max(0, left);
}

/** Why a boot does not fit in memory beside what runs, in a sentence; null when it does. */
export function memoryProblem(
	free: number | null,
	needs: { heapBytes: number; liveMayGrow: number }
) {
	if (free === null)
		return 'The memory that this machine and its limits leave free cannot be read, so nothing is started beside the server.';
	const spare = free - needs.liveMayGrow - RESERVE_BYTES;
	if (spare >= needs.heapBytes) return null;
	return `There is not enough memory for a trial boot beside the running server: it needs ${gib(needs.heapBytes)}, and ${gib(Math.max(0, spare))} can be spared.`;
}

const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`;
