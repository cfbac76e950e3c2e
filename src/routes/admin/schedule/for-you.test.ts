import { expect, test } from 'vitest';
import { forYou } from './for-you.ts';

test('a time is told by the reader’s own clock where that shows another one', () => {
	const at = new Date('2026-11-26T23:00:00Z');
	expect(forYou(at, 'UTC', 'Europe/Lisbon')).toBeNull();
	expect(forYou(at, 'Europe/Paris', 'Europe/Berlin')).toBeNull();
	expect(forYou(at, 'UTC', 'America/New_York')).toBe('18:00 for you');
	expect(forYou(at, 'UTC', 'Europe/Berlin')).toBe('Fri 00:00 for you');
	expect(forYou(at, 'Pacific/Auckland', 'UTC')).toBe('Thu 23:00 for you');
});
