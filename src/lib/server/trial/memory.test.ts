import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../tests/faults/temp.ts';
import { freeMemory, memoryProblem } from './memory.ts';

const GIB = 2 ** 30;
const MACHINE = { 'proc/meminfo': `MemTotal: 1 kB\nMemAvailable:   ${(8 * GIB) / 1024} kB\n` };
const GROUP = 'sys/fs/cgroup/system.slice/craftwarden.service';
const IN_GROUP = { 'proc/self/cgroup': '0::/system.slice/craftwarden.service\n' };

/** Null stands for a file that is there and cannot be read. */
async function leftOn(files: Record<string, string | null>) {
	const root = await tempDir();
	for (const [name, text] of Object.entries(files)) {
		const file = path.join(root, name);
		await mkdir(text === null ? file : path.dirname(file), { recursive: true });
		if (text !== null) await writeFile(file, text);
	}
	return freeMemory(root);
}

test('free memory is the least of what the machine and each of our groups leave', async () => {
	expect(await leftOn(MACHINE)).toBe(8 * GIB);
	const limited = {
		...{ ...MACHINE, ...IN_GROUP, [`${GROUP}/memory.max`]: 'max\n' },
		'sys/fs/cgroup/system.slice/memory.max': `${4 * GIB}\n`,
		'sys/fs/cgroup/system.slice/memory.current': `${3 * GIB}\n`,
		'sys/fs/cgroup/system.slice/memory.stat': `anon 5\ninactive_file ${GIB}\n`
	};
	expect(await leftOn(limited)).toBe(2 * GIB);
	const old = {
		...{ ...MACHINE, 'proc/self/cgroup': '5:cpu,cpuacct:/\n4:memory:/game\n' },
		'sys/fs/cgroup/memory/game/memory.limit_in_bytes': `${2 * GIB}\n`,
		'sys/fs/cgroup/memory/game/memory.usage_in_bytes': `${GIB}\n`
	};
	expect(await leftOn(old)).toBe(GIB);
});

test.each<[string, Record<string, string | null>]>([
	['nothing at all', {}],
	['available memory', { 'proc/meminfo': 'MemTotal: 1 kB\n' }],
	['the machine', { 'proc/meminfo': null }],
	['which group it is in', { ...MACHINE, 'proc/self/cgroup': null }],
	['a limit', { ...MACHINE, ...IN_GROUP, [`${GROUP}/memory.max`]: null }],
	[
		'how much of the limit is used',
		{ ...MACHINE, ...IN_GROUP, [`${GROUP}/memory.max`]: '1073741824\n' }
	]
])('no memory counts as free when this cannot be read: %s', async (_, files) => {
	const free = await leftOn(files);
	expect(free).toBeNull();
	expect(memoryProblem(free, { heapBytes: 1, liveMayGrow: 0 })).toMatch(/cannot be read/);
});
