import { expect, test, vi } from 'vitest';
import type { OperationRow } from '$lib/schemas/operation';
import type { Role } from '$lib/schemas/common';
import type { Toasts } from '$lib/client/toasts.svelte.ts';
import { announceEndings } from './endings';

type Params = { params: Record<string, string> };
const { page, navigating, goto } = vi.hoisted(() => ({
	goto: vi.fn(),
	page: { params: {} } as Params,
	navigating: { to: null as Params | null }
}));
vi.mock('$app/state', () => ({ page, navigating }));
vi.mock('$app/navigation', () => ({ goto }));

const ID = '20260102T030405123Z-1a2b';
const row = (state: OperationRow['state']) =>
	({ ...{ id: ID, kind: 'start', subject: null, state }, cause: null }) as OperationRow;

function watched(role: Role = 'admin') {
	const said: string[] = [];
	const offered: Parameters<Toasts['show']>[3][] = [];
	const toasts: Pick<Toasts, 'show' | 'outdate'> = {
		async show(kind, message, _, more) {
			said.push(`${kind}: ${message}`);
			if (more) offered.push(more);
		},
		outdate: async (about) => void said.push(`outdated ${about}`)
	};
	return { said, offered, announce: announceEndings(toasts as Toasts, () => role) };
}

test('a restore can be undone from the notice of its end, by whoever may', () => {
	const undo = { backup: '20260102T030405Z-1a2b', scope: 'world', world: 'a b' } as const;
	const restored = (state: OperationRow['state']): OperationRow => ({
		...row(state),
		...{ kind: 'restore', undo }
	});
	for (const [role, state, count] of [
		['superadmin', 'succeeded', 1],
		['superadmin', 'rolled-back', 0],
		['admin', 'succeeded', 0]
	] as const) {
		const { offered, announce } = watched(role);
		announce([restored('running')]);
		announce([restored(state)]);
		expect(offered.map((one) => one?.label)).toEqual(Array(count).fill('Undo this restore'));
		offered[0]?.onClick();
	}
	expect(goto.mock.calls).toEqual([
		['/admin/backups/restore?backup=20260102T030405Z-1a2b&scope=world&world=a+b']
	]);
});

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
