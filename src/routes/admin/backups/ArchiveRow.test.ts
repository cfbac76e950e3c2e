import { createRawSnippet } from 'svelte';
import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import ArchiveRow from './ArchiveRow.svelte';

const words = (note: string) => {
	const item = { createdAt: '2026-03-01T00:00:00.000Z', bytes: 1, note, pinned: false };
	const badge = createRawSnippet(() => ({ render: () => '<i></i>' }));
	const props = { item, href: '/', current: false, what: 'Before a change', badge };
	const { body } = render(ArchiveRow, { props });
	return body.replace(/<!--.*?-->|<[^>]*>/g, '');
};

test('a note that says what it is takes the place of that, any other is the title, with the time beside it', () => {
	expect(words('Before a change of mods').match(/Before a change/g)).toHaveLength(1);
	expect(words('Before a change of mods')).toContain('of mods');
	expect(words('Our castle')).toMatch(/Our castle.*2026[^·]*· \S[^·]*·\s+Before a change/s);
});
