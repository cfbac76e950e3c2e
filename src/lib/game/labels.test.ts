import { expect, test } from 'vitest';
import { OperationKind } from '$lib/schemas/operation';
import { ending, operationTitle } from './labels';

test('what succeeded is said as a sentence, whatever it was', () => {
	const said = (kind: OperationKind, subject: string | null) =>
		ending({ kind, subject, state: 'succeeded', cause: null });
	expect(said('update', '5 mods and 1 they need')).toBe(
		'Done: updated 5 mods and added 1 they need.'
	);
	expect(said('backup', null)).toBe('Done: the backup is complete.');
	for (const kind of OperationKind.options)
		expect(said(kind, 'it')).toMatch(/^Done: (the|[a-z]+ed it)/);
});

test('a title says what is updated and what is added', () => {
	const title = (subject: string) => operationTitle({ kind: 'update', subject });
	expect(title('5 mods and 1 they need')).toBe('Update 5 mods and add 1 they need');
	expect(title('Lantern 1.5 and 2 it needs')).toBe('Update Lantern 1.5 and add 2 it needs');
	expect(title('Salt and 2 they needed')).toBe('Update Salt and 2 they needed');
});
