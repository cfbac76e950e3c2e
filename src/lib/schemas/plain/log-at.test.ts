import { expect, test } from 'vitest';
import { logAt } from './log-at.ts';

test('the log of a moment is the first one archived later', () => {
	const file = (name: string, hour: number) => ({
		...{ name, kind: 'archive' as const, bytes: 1 },
		modifiedAt: `2026-01-02T0${hour}:00:00.000Z`
	});
	const files = [file('c', 5), file('b', 3), file('a', 1)];
	expect(logAt('2026-01-02T02:00:00.000Z', files)).toBe('b');
	expect(logAt('2026-01-02T03:00:30.000Z', files)).toBe('b');
	expect(logAt('2026-01-02T06:00:00.000Z', files)).toBeNull();
});
