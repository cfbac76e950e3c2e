import { expect, test } from 'vitest';
import { paged } from './paging.ts';

const items = Array.from({ length: 10 }, (_, i) => ({ id: `${9 - i}`, even: i % 2 === 1 }));
const all = () => true;

test('a full page says where the next one begins', () => {
	const { rows, older } = paged(items, { size: 4, complete: true, wanted: all });
	expect(rows.map(({ id }) => id)).toEqual(['9', '8', '7', '6']);
	expect(older).toBe('6');
});

test('the last page has no next one', () => {
	expect(paged(items, { size: 10, complete: true, wanted: all }).older).toBeNull();
	expect(paged([], { size: 10, complete: true, wanted: all })).toEqual({ rows: [], older: null });
});

test('a filter that finds too little continues after what was read', () => {
	const { rows, older } = paged(items, { size: 8, complete: false, wanted: ({ even }) => even });
	expect(rows).toHaveLength(5);
	expect(older).toBe('0');
});
