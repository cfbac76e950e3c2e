import { expect, test } from 'vitest';
import { readEnviron, readStat } from '#core/process';
import { folderId, startTime, workingFolder } from './proc.ts';

test('this very process is described correctly', () => {
	const stat = readStat(process.pid);
	expect(stat?.ended).toBe(false);
	expect(workingFolder(process.pid)).toBe(folderId(process.cwd()));
	const started = Date.now() - process.uptime() * 1000;
	expect(Math.abs(startTime(stat!.startTicks, new Date()).getTime() - started)).toBeLessThan(5000);
	expect(readEnviron(process.pid)?.some((entry) => entry.startsWith('PATH='))).toBe(true);
});

test('a process or folder that does not exist is null, not an error', () => {
	expect(readEnviron(2 ** 30)).toBeNull();
	expect(workingFolder(2 ** 30)).toBeNull();
	expect(folderId('/nowhere/at/all')).toBeNull();
});
