import { expect, test } from 'vitest';
import { folderId, parseStat, readEnviron, readStat, startTime, workingFolder } from './proc.ts';

const FIELDS = '4242 77 77 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 2';

test.each(['(java)', '(Web Content)', '(a) S 1 2 3 (b)', '(:-) )', '()'])(
	'the start time is found whatever the program calls itself: %s',
	(name) => {
		expect(parseStat(`123 ${name} S ${FIELDS}`)).toEqual({
			ended: false,
			group: 77,
			session: 77,
			startTicks: 98765
		});
	}
);

test.each(['Z', 'X', 'x'])('a process in state %s has ended', (state) => {
	expect(parseStat(`1 (java) ${state} ${FIELDS}`)?.ended).toBe(true);
});

test.each(['', 'rubbish', '1 (java)', '1 (java) S 2'])(
	'what is no stat line is null: %j',
	(text) => {
		expect(parseStat(text)).toBeNull();
	}
);

test('this very process is described rightly', () => {
	const stat = readStat(process.pid);
	expect(stat?.ended).toBe(false);
	expect(workingFolder(process.pid)).toBe(folderId(process.cwd()));
	const started = Date.now() - process.uptime() * 1000;
	expect(Math.abs(startTime(stat!.startTicks, new Date()).getTime() - started)).toBeLessThan(5000);
	expect(readEnviron(process.pid)?.some((entry) => entry.startsWith('PATH='))).toBe(true);
});

test('a process or folder that does not exist is null, not an error', () => {
	expect(readStat(2 ** 30)).toBeNull();
	expect(readEnviron(2 ** 30)).toBeNull();
	expect(workingFolder(2 ** 30)).toBeNull();
	expect(folderId('/nowhere/at/all')).toBeNull();
});
