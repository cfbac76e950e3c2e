import { expect, test, vi } from 'vitest';
import { Submit } from './enhance.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';

vi.mock('$app/forms', () => ({ applyAction: async () => {} }));
vi.mock('$app/navigation', () => ({ invalidateAll: async () => {} }));
const { page } = vi.hoisted(() => ({ page: { url: new URL('http://x/admin/mods') } }));
vi.mock('$app/state', () => ({ navigating: { to: null }, page }));

const ID = '20260102T030405123Z-1a2b';
const BEGUN = {
	message: 'The backup has begun.',
	...{ location: `/admin/operations/${ID}`, operation: ID }
};

async function said(data: object, follow: boolean) {
	const told: unknown[] = [];
	const toasts = { show: async (...all: unknown[]) => void told.push(all) };
	const submit = new Submit(toasts as unknown as Toasts, { follow });
	const event = { cancel() {}, formData: new FormData() };
	const after = submit.enhance(event as never) as unknown as (answer: object) => Promise<void>;
	await after({ result: { type: 'success', status: 200, data } });
	return told;
}

test('where the page of the operation comes next, it is not said as well that it has begun', async () => {
	expect(await said(BEGUN, true)).toEqual([]);
	expect(await said(BEGUN, false)).toEqual([['info', BEGUN.message, ID]]);
	expect(await said({ ...BEGUN, location: '/admin' }, true)).toHaveLength(1);
	expect(await said({ ...BEGUN, bad: true }, true)).toHaveLength(1);
});

test('the overview has a line for what has begun: it is not said above that as well', async () => {
	page.url = new URL('http://x/admin');
	expect(await said({ ...BEGUN, location: '/admin' }, false)).toEqual([]);
	expect(await said({ ...BEGUN, bad: true }, false)).toHaveLength(1);
	page.url = new URL('http://x/admin/mods');
	expect(await said({ ...BEGUN, location: '/admin' }, false)).toHaveLength(1);
});

test('any other success is said', async () => {
	const done = { message: 'Pinned.', location: null };
	expect(await said(done, true)).toEqual([['success', 'Pinned.', undefined]]);
});

test('what was not done is no success', async () => {
	const gone = { message: 'Ada is not online.', location: null, changed: false };
	expect(await said(gone, false)).toEqual([['info', gone.message, undefined]]);
});
