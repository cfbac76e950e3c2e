import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tidyMemory } from './tidy-memory.js';

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
	'free space between blocks in use is returned (needs glibc)',
	() => {
		const args = ['--expose-gc', '--input-type=module', '-e', PROGRAM];
		const given = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
		expect(given).toBeGreaterThan(5);
	}
);

describe('when it runs', () => {
	const MINUTE_MS = 60_000;
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	function started() {
		const server = new EventEmitter();
		const tidy = vi.fn();
		tidyMemory(server as Server, tidy);
		const minute = (requests: number) => {
			for (let i = 0; i < requests; i++) server.emit('request');
			vi.advanceTimersByTime(MINUTE_MS);
			return tidy.mock.calls.length;
		};
		return minute;
	}

	test('after the start, and again once it is quiet after some work', () => {
		const minute = started();
		expect([0, 100, 5_000, 0, 0, 0].map(minute)).toEqual([1, 2, 2, 3, 3, 3]);
	});

	test('steady traffic does not delay it forever', () => {
		const minute = started();
		expect(minute(0)).toBe(1);
		expect(Array.from({ length: 12 }, () => minute(1_500))).toEqual([
			...[1, 1, 1, 1, 2],
			...[2, 2, 2, 2, 3],
			...[3, 3]
		]);
	});
});
