import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** What becomes of memory in small blocks, of which some stay in use; megabytes. */
const PROGRAM = `
	import { createHash } from 'node:crypto';
	import { trim } from '${import.meta.dirname}/tidy-memory.js';
	const residentMb = () => process.memoryUsage.rss() / 2 ** 20;
	const all = Array.from({ length: 60_000 }, () => createHash('sha256').update('x'));
	globalThis.few = all.filter((_, i) => i % 500 === 0);
	all.length = 0;
	gc();
	await new Promise((resolve) => setTimeout(resolve, 100));
	const before = residentMb();
	trim();
	console.log(before - residentMb());
`;
const { glibcVersionRuntime } = (
	process.report.getReport() as unknown as {
		header: { glibcVersionRuntime?: string };
	}
).header;

test.skipIf(!glibcVersionRuntime)(
	'what lies free between blocks in use is given back (needs glibc)',
	() => {
		const args = ['--expose-gc', '--input-type=module', '-e', PROGRAM];
		const given = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
		expect(given).toBeGreaterThan(5);
	}
);
