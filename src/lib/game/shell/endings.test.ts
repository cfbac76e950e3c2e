import { expect, test, vi } from 'vitest';
import type { OperationRow } from '$lib/schemas/operation';
import type { Toasts } from '$lib/client/toasts.svelte.ts';
import { announceEndings } from './endings';

type Params = { params: Record<string, string> };
const { page, navigating } = vi.hoisted(() => ({
	page: { params: {} } as Params,
	navigating: { to: null as Params | null }
}));
vi.mock('$app/state', () => ({ page, navigating }));

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

test('an end that comes while its page is being opened is said there only', () => {
	const { said, announce } = watched();
	navigating.to = { params: { id: ID } };
	announce([row('running')]);
	announce([row('failed')]);
	navigating.to = null;
	expect(said).toEqual([`outdated ${ID}`]);
});

test('on its own page nothing is announced, and nothing old stays', () => {
	const { said, announce } = watched();
	page.params['id'] = ID;
	announce([row('running')]);
	announce([row('failed')]);
	expect(said).toEqual([`outdated ${ID}`]);
});
