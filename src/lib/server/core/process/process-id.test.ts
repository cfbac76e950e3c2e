import { expect, test } from 'vitest';
import { bootId, markOf, ownProcessId, ProcessId, processId, processLives } from './process-id.ts';

test('an id contains what it was made of', () => {
	const mark = { bootId: 'b-1', pid: 7, startTicks: 70 };
	expect(markOf(processId(mark))).toEqual(mark);
	for (const other of ['', 'b 7', 'b 7 x', '0a1b2c', 'b 7 70 1']) expect(markOf(other)).toBeNull();
});

test('ids written by earlier versions parse to the same id', () => {
	const mark = { pid: 7, startTicks: 70, bootId: 'b' };
	expect(ProcessId.parse(mark)).toBe('b 7 70');
	expect(ProcessId.parse({ ...mark, argv: ['java'], ours: true })).toBe('b 7 70');
	expect(ProcessId.parse('b 7 70')).toBe('b 7 70');
	expect(ProcessId.safeParse({ pid: 7 }).success).toBe(false);
});

test('this process is alive; one with another start time or boot, or none, is not', () => {
	expect(processLives(ownProcessId())).toBe(true);
	const own = markOf(ownProcessId())!;
	expect(own).toMatchObject({ pid: process.pid, bootId: bootId() });
	expect(processLives(processId({ ...own, startTicks: own.startTicks + 1 }))).toBe(false);
	expect(processLives(processId({ ...own, bootId: 'another' }))).toBe(false);
	expect(processLives(processId({ ...own, pid: 2 ** 30 }))).toBe(false);
	expect(processLives('')).toBe(false);
});
