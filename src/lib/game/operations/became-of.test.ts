import { expect, test } from 'vitest';
import { becameOf } from './became-of.ts';

const at = (s: number) => new Date(Date.UTC(2026, 0, 2, 3, 0, s)).toISOString();
const start = { state: 'succeeded', startedAt: at(0), finishedAt: at(20) } as const;
const NOW = Date.parse(at(300));

test('a start whose server crashed soon after says so, whatever the server is by now', () => {
	const crashed = { ...start, crashed: { at: at(30) } };
	const again = { state: 'running', startedAt: at(100) } as const;
	expect(becameOf(crashed, undefined, NOW)).toBe('the server crashed 10 s later');
	expect(becameOf(crashed, again, NOW)).toBe('the server crashed 10 s later');
	expect(becameOf({ ...start, crashed: { at: at(20) } }, again, NOW)).toBe(
		'the server crashed at once'
	);
	expect(becameOf({ ...start, hung: { at: at(30) } }, again, NOW)).toBe(
		'the server stopped responding 10 s later'
	);
	expect(becameOf(start, again, NOW)).toBeNull();
});

test('a start whose server hangs says since when, also while it is being ended, and nothing of one that is well', () => {
	const now = { state: 'unknown', hanging: true, silentSince: at(240), startedAt: at(1) } as const;
	expect(becameOf(start, now, NOW)).toBe('the server stopped responding 1 minute ago');
	expect(becameOf(start, { ...now, startedAt: at(100) }, NOW)).toBeNull();
	expect(becameOf(start, { ...now, state: 'stopping' }, NOW)).toBe(
		'the server stopped responding 1 minute ago'
	);
	expect(becameOf(start, { state: 'running', startedAt: at(1) }, NOW)).toBeNull();
});
