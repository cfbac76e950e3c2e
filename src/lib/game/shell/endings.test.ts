import { expect, test, vi } from 'vitest';
import type { OperationRow } from '$lib/schemas/operation';
import type { Role } from '$lib/schemas/common';
import type { Toasts } from '$lib/client/toasts.svelte.ts';
import { announceEndings } from './endings';

type Place = { params: Record<string, string>; url: URL };
const at = (path: string, params = {}): Place => ({ params, url: new URL(path, 'http://x') });
const { page, navigating, goto } = vi.hoisted(() => ({
	goto: vi.fn(),
	page: { params: {}, url: new URL('http://x/admin/mods') } as Place,
	navigating: { to: null as Place | null }
}));
vi.mock('$app/state', () => ({ page, navigating }));
vi.mock('$app/navigation', () => ({ goto }));

const ID = '20260102T030405123Z-1a2b';
const UP = { state: 'running' } as const;
const DOWN = { state: 'crashed' } as const;
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
	const announce = announceEndings(toasts as Toasts, () => role);
	announce([], UP);
	said.length = 0;
	return { said, offered, announce };
}

test('a restore can be undone from the notice of its end, by whoever may, and what went wrong is led to', () => {
	const undo = { backup: '20260102T030405Z-1a2b', scope: 'world', world: 'a b' } as const;
	const restored = (state: OperationRow['state']): OperationRow => ({
		...row(state),
		...{ kind: 'restore', undo }
	});
	for (const [role, state, label] of [
		['superadmin', 'succeeded', 'Undo this restore'],
		['superadmin', 'rolled-back', 'Look at it'],
		['admin', 'succeeded', undefined]
	] as const) {
		const { offered, announce } = watched(role);
		announce([restored('running')], UP);
		announce([restored(state)], UP);
		expect(offered.map((one) => one?.label)).toEqual(label ? [label] : []);
		offered[0]?.onClick();
	}
	expect(goto.mock.calls).toEqual([
		['/admin/backups/restore?backup=20260102T030405Z-1a2b&scope=world&world=a+b'],
		[`/admin/operations/${ID}`]
	]);
});

test('the end of an operation takes the place of what was said when it began', () => {
	const { said, announce } = watched();
	announce([row('running')], UP);
	expect(said).toEqual([]);
	announce([row('succeeded')], UP);
	announce([row('succeeded')], UP);
	expect(said).toEqual([`outdated ${ID}`, 'success: Done: the server was started.']);
});

test('an end that comes while its page is being opened is said there only', () => {
	const { said, announce } = watched();
	navigating.to = at(`/admin/operations/${ID}`, { id: ID });
	announce([row('running')], UP);
	announce([row('failed')], UP);
	navigating.to = null;
	expect(said).toEqual([`outdated ${ID}`]);
});

test('on its own page nothing is announced, and nothing old stays', () => {
	const { said, announce } = watched();
	Object.assign(page, at(`/admin/operations/${ID}`, { id: ID }));
	announce([row('running')], UP);
	announce([row('failed')], UP);
	expect(said).toEqual([`outdated ${ID}`]);
	Object.assign(page, at('/admin/mods'));
});

test('a search that ends is not announced on the page of the change that it follows', () => {
	const search = (state: OperationRow['state']) => ({ ...row(state), kind: 'culprit' as const });
	for (const [offer, isSaid] of [
		[{ search: ID, estimate: null }, false],
		[{ search: null, estimate: { suspects: 5 } }, false],
		[{ search: null, estimate: null }, true]
	] as const) {
		const { said, announce } = watched();
		Object.assign(page, at('/admin/operations/other', { id: 'other' }), { data: { offer } });
		announce([search('running')], UP);
		announce([search('succeeded')], UP);
		expect(said.slice(1)).toHaveLength(isSaid ? 1 : 0);
	}
	Object.assign(page, at('/admin/mods'), { data: {} });
});

test('on the overview, and on the way there, its strip says how the last one ended', () => {
	for (const where of ['here', 'coming']) {
		const { said, announce } = watched();
		if (where === 'here') Object.assign(page, at('/admin'));
		else navigating.to = at('/admin');
		announce([row('running')], UP);
		announce([row('rolled-back')], UP);
		expect(said).toEqual([`outdated ${ID}`]);
		Object.assign(page, at('/admin/mods'));
		navigating.to = null;
	}
});

test('a success is not said in green while the server is down, nor does it stay green when that goes down', () => {
	const { said, announce } = watched();
	const toast = 'warning: The server was started, but it has crashed since.';
	announce([row('running')], UP);
	announce([row('succeeded')], DOWN);
	expect(said.splice(0)).toEqual([`outdated ${ID}`, toast]);

	const other = { ...row('running'), id: '20260102T030405999Z-1a2b' };
	announce([other], UP);
	announce([{ ...other, state: 'succeeded' }], UP);
	expect(said.splice(0).at(-1)).toBe('success: Done: the server was started.');
	announce([{ ...other, state: 'succeeded' }], DOWN);
	announce([{ ...other, state: 'succeeded' }], DOWN);
	expect(said).toEqual([`outdated ${other.id}`, toast]);
});

test.each([
	[{ state: 'rolled-back' }, 'warning: “Update Lithium” was rolled back: It did not start.'],
	[{ state: 'failed' }, 'error: “Update Lithium” failed: It did not start.'],
	[{ state: 'failed', cause: null }, 'error: “Update Lithium” failed.'],
	[
		{ state: 'failed', cause: { message: 'It does not start.', onCopy: true } },
		'warning: “Update Lithium” was not done: It does not start.'
	],
	[{ state: 'interrupted' }, 'error: “Update Lithium” was interrupted: It did not start.'],
	[
		{ state: 'failed', cause: { message: 'Still loading.', loading: true } },
		'warning: “Update Lithium”: Still loading.'
	],
	[{ state: 'cancelled', cause: null }, 'info: Update of Lithium cancelled: nothing was changed.'],
	[
		{ state: 'succeeded', cause: null },
		'warning: Updated Lithium, but the server has crashed since.'
	],
	[{ state: 'succeeded', kind: 'backup' }, 'info: The backup is complete.'],
	[
		{ state: 'succeeded', kind: 'culprit', result: { culprits: [], together: false, rest: [] } },
		'info: No mod could be blamed.'
	]
])('%j is said in its own tone', (facts, words) => {
	const { said, announce } = watched();
	const update = { ...row('running'), kind: 'update', subject: 'Lithium' } as OperationRow;
	announce([update], DOWN);
	announce(
		[{ ...update, cause: { message: 'It did not start.' }, ...facts } as OperationRow],
		DOWN
	);
	expect(said.at(-1)).toBe(words);
});

test('that the server was killed is old news once it runs again', () => {
	const { said, announce } = watched();
	for (const state of ['stopped', 'starting', 'running', 'running'] as const)
		announce([], { state });
	expect(said).toEqual(['outdated killed']);
});
