import { expect, test } from 'vitest';
import { snapshotTitle, whatServerDoes } from './backups';

test('a snapshot says before which change it was taken, where that is known', () => {
	expect(snapshotTitle({ reason: 'update', subject: 'Lithium 0.13.1 and 4 more' })).toBe(
		'Before updating to Lithium 0.13.1 and 4 more'
	);
	const subject = 'the snapshot 20260102T030405Z-1a2b';
	expect(snapshotTitle({ reason: 'restore', subject })).toMatch(
		/^Before restoring the snapshot of \d+ Jan 2026, \d\d:04$/
	);
	expect(snapshotTitle({ reason: 'update' })).toBe('Before an update');
	expect(snapshotTitle({ reason: 'manual' })).toBe('By hand');
});

test.each([
	['running', /^The server is started again afterwards\./],
	['crashed', /^The server has crashed, so it is started with them, and keeps running if/],
	['stopped', /^The server is stopped: it is started only to try them, and stopped again\./]
] as const)('what putting back a snapshot means for a server that is %s', (state, words) => {
	expect(whatServerDoes(state)).toMatch(words);
});
