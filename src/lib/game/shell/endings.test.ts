import { expect, test, vi } from 'vitest';
import type { OperationRow } from '$lib/schemas/operation';
import type { Toasts } from '$lib/client/toasts.svelte.ts';
import { announceEndings } from './endings';

const { page } = vi.hoisted(() => ({ page: { params: {} as Record<string, string> } }));
vi.mock('$app/state', () => ({ page }));

const ID = '20260102T030405123Z-1a2b';
const row = (state: OperationRow['state']) =>
	({ ...{ id: ID, kind: 'start', subject: null, state }, cause: null }) as OperationRow;

function watched() {
	const said: string[] = [];
	const announce = announceEndings({
		show: async (kind: string, message: string) => void said.push(`${kind}: ${message}`),
		outdate: async (about: string) => void said.push(`outdated ${about}`)
	} as unknown as Toasts);
	return { said, announce };
}

test('the end of an operation takes the place of what was said when it began', () => {
	const { said, announce } = watched();
	announce([row('running')]);
	expect(said).toEqual([]);
	announce([row('succeeded')]);
	announce([row('succeeded')]);
	expect(said).toEqual([`outdated ${ID}`, 'success: Done: the server was started.']);
});

test('on its own page nothing is announced, and nothing old stays', () => {
	const { said, announce } = watched();
	page.params['id'] = ID;
	announce([row('running')]);
	announce([row('failed')]);
	expect(said).toEqual([`outdated ${ID}`]);
});
