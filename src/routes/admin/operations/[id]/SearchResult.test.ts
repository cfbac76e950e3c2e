import { expect, test } from 'vitest';
import { createRawSnippet } from 'svelte';
import { render } from 'svelte/server';
import type { OperationRow } from '$lib/schemas/operation';
import { withRest } from './outcome';
import SearchResult from './SearchResult.svelte';

const FOUR = ['a.jar', 'b.jar', 'c.jar', 'd.jar'];
const search = {
	...({ id: '20260102T030405123Z-1a2b', kind: 'culprit', subject: null, by: 'ada' } as const),
	...{ state: 'succeeded', cause: null },
	result: {
		culprits: [{ fileName: 'q.jar', title: 'Quiet Villagers', version: '3.0.0' }],
		...{ together: false, rest: FOUR, tried: 2 }
	}
} as OperationRow;
const children = createRawSnippet(() => ({ render: () => '<i></i>' }));
const said = (rest: string[], row = search, isHeading = false) => {
	const isLast = rest.length > 0;
	const props = { search: withRest(row, rest), named: [], isLast, isHeading, children };
	return render(SearchResult, { props }).body;
};

test('how it was found out leads to the starts that prove what is said of the others', () => {
	expect(said(FOUR)).toContain('Two of the other four updates started without it.');
	expect(said(FOUR)).toContain(`href="/admin/operations/${search.id}#starts"`);
});

test('of others that have been updated since it is not said that they were not tried, and to read how is no main button', () => {
	const body = said([]);
	expect(body).toContain('Quiet Villagers 3.0.0 does not start here.');
	expect(said([], search, true)).not.toContain('does not start here');
	expect(body).not.toMatch(/tried|started/);
	expect(body).toMatch(/class="button secondary[^>]*>[^]*How it was found out/);
	expect(said(['a.jar'])).toContain('The other update can be tried without it.');
	const running = said([], { ...search, state: 'running', result: undefined } as OperationRow);
	expect(running).toMatch(/class="button primary[^>]*>[^]*See which mod it is/);
});
