import { expect, test } from 'vitest';
import { OperationKind } from '$lib/schemas/operation';
import { ending } from './labels';

test('what succeeded is said as a sentence, whatever it was', () => {
	const said = (kind: OperationKind, subject: string | null) =>
		ending({ kind, subject, state: 'succeeded', cause: null });
	expect(said('update', 'Lithium 0.13.1 and 2 more mods')).toBe(
		'Done: updated Lithium 0.13.1 and 2 more mods.'
	);
	expect(said('backup', null)).toBe('Done: the backup is complete.');
	for (const kind of OperationKind.options)
		expect(said(kind, 'it')).toMatch(/^Done: (the|[a-z]+ed it)/);
});
