import { expect, test } from 'vitest';
import { parseStat, readStat } from './proc-stat.ts';

const FIELDS = '4242 77 78 0 -1 4194304 1 0 0 0 30 12 0 0 20 0 1 0 98765 1 2';

test.each(['(java)', '(Web Content)', '(a) S 1 2 3 (b)', '(:-) )', '()'])(
	'the fields are found whatever the program calls itself: %s',
	(name) => {
		expect(parseStat(`123 ${name} S ${FIELDS}`)).toEqual({
			...{ pid: 123, parent: 4242, group: 77, session: 78 },
			...{ ended: false, startTicks: 98765, cpuTicks: 42 }
		});
	}
);

test.each(['Z', 'X', 'x'])('a process in state %s has ended', (state) => {
	expect(parseStat(`1 (java) ${state} ${FIELDS}`)?.ended).toBe(true);
});

test.each([
	'',
	')',
	'rubbish',
	'1 (java)',
	'1 (java) S 2',
	`x (y) S ${FIELDS}`,
	`1 (x) S ${'z '.repeat(30)}`
])('an invalid stat line is null: %j', (text) => {
	expect(parseStat(text)).toBeNull();
});

test('a process that does not exist is null, not an error', () => {
	expect(readStat(process.pid)?.ended).toBe(false);
	expect(readStat(2 ** 30)).toBeNull();
});
