import { expect, test } from 'vitest';
import type { OperationRow } from '$lib/schemas/operation';
import { shapeOf } from './shapes';

test('a page that is loading is headed as it will be, or the one before it stays', () => {
	const id = '20260102T030405123Z-1a2b';
	const title = (path: string, operations: OperationRow[] = []) =>
		shapeOf(new URL(path, 'http://localhost'), 'superadmin', operations)?.title;
	expect(title('/admin/mods/plan?do=update&all=1')).toBe('Mods');
	expect(title(`/admin/operations/${id}`)).toBeUndefined();
	const row = { id, kind: 'update', subject: '5 mods', state: 'running' } as OperationRow;
	expect(title(`/admin/operations/${id}`, [row])).toBe('Update 5 mods');
});
