import { expect, test } from 'vitest';
import { becameOf } from './became-of.ts';

const at = (s: number) => new Date(Date.UTC(2026, 0, 2, 3, 0, s)).toISOString();
const start = { state: 'succeeded', startedAt: at(0), finishedAt: at(20) } as const;
const NOW = Date.parse(at(300));
const crashed = (began: number) => ({
	...{ state: 'crashed', startedAt: null },
	lastRun: { startedAt: at(began), endedAt: at(120) }
});

test('a start whose server has crashed says when, and only the start of that run', () => {
	const after = (operation: typeof start, began: number) =>
		becameOf(operation, crashed(began) as Parameters<typeof becameOf>[1], NOW);
	expect(after(start, 1)).toBe('The server crashed 3 minutes ago');
	expect(after(start, 60)).toBeNull();
	expect(after({ ...start, startedAt: at(30), finishedAt: at(40) }, 1)).toBeNull();
	expect(after({ ...start, state: 'failed' } as never, 1)).toBeNull();
});

test('a start whose server hangs says since when, and nothing of one that is well or being ended', () => {
	const now = { state: 'unknown', hanging: true, silentSince: at(240), startedAt: at(1) } as const;
	expect(becameOf(start, now, NOW)).toBe('The server stopped responding 1 minute ago');
	expect(becameOf(start, { ...now, startedAt: at(100) }, NOW)).toBeNull();
	expect(becameOf(start, { ...now, state: 'stopping' }, NOW)).toBeNull();
	expect(becameOf(start, { state: 'running', startedAt: at(1) }, NOW)).toBeNull();
});
