import { readFileSync } from 'node:fs';
import path from 'node:path';

const KIB = 1024;
/** What stays free for everything else. */
export const RESERVE_BYTES = 2 ** 30;

/** Bytes that programs can still take: on the machine, and in our control groups. Null when it cannot be determined. */
export function freeMemory(root = '/'): number | null {
	const read = (file: string) => {
		try {
			return readFileSync(path.join(root, file), 'utf8');
		} catch {
			return null; // not every kernel and container has it
		}
	};
	const available = /^MemAvailable:\s+(\d+) kB$/m.exec(read('proc/meminfo') ?? '')?.[1];
	const all = [available ? Number(available) * KIB : null, ...groupsLeave(read)];
	const known = all.filter((bytes) => bytes !== null);
	return known.length ? Math.min(...known) : null;
}

type Read = (file: string) => string | null;

function groupsLeave(read: Read): (number | null)[] {
	const own = /^0::(\/.*)$/m.exec(read('proc/self/cgroup') ?? '')?.[1] ?? '/';
	const left: (number | null)[] = [];
	for (let group = own; ; group = path.dirname(group)) {
		left.push(leaves(read, path.join('sys/fs/cgroup', group), V2));
		if (group === '/' || group === '.') break;
	}
	return [...left, leaves(read, 'sys/fs/cgroup/memory', V1)];
}

const V2 = { max: 'memory.max', now: 'memory.current', cache: /^inactive_file (\d+)$/m };
const V1 = {
	max: 'memory.limit_in_bytes',
	now: 'memory.usage_in_bytes',
	cache: /^total_inactive_file (\d+)$/m
};

/** The limit minus what is used, not counting files that can be dropped. */
function leaves(read: Read, dir: string, { max, now, cache }: typeof V2): number | null {
	const limit = Number(read(path.join(dir, max))?.trim() || NaN);
	const used = Number(read(path.join(dir, now))?.trim() || NaN);
	if (!Number.isFinite(limit) || !Number.isFinite(used)) return null;
	const files = Number(cache.exec(read(path.join(dir, 'memory.stat')) ?? '')?.[1] ?? 0);
	return Math.max(0, limit - used + files);
}

/** Why a boot does not fit in memory beside what runs, in a sentence; null when it does. */
export function memoryProblem(
	free: number | null,
	needs: { heapBytes: number; liveMayGrow: number }
) {
	if (free === null) return null;
	const spare = free - needs.liveMayGrow - RESERVE_BYTES;
	if (spare >= needs.heapBytes) return null;
	return `There is not enough memory for a trial boot beside the running server: it needs ${gib(needs.heapBytes)}, and ${gib(Math.max(0, spare))} can be spared.`;
}

const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`;
