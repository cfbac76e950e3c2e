import { expect, test } from 'vitest';
import { Session } from './session.svelte.ts';

test('reports who is signed in according to the current page data', () => {
	let user: { name: string; role: 'admin' | 'superadmin' } | null = null;
	const session = new Session(() => user);
	expect([session.role, session.isSuperadmin, session.authed]).toEqual([null, false, false]);
	user = { name: 'bob', role: 'admin' };
	expect([session.role, session.isSuperadmin, session.authed]).toEqual(['admin', false, true]);
	user = { name: 'ada', role: 'superadmin' };
	expect([session.role, session.isSuperadmin, session.authed]).toEqual(['superadmin', true, true]);
	expect(new Session(() => undefined).authed).toBe(false);
});
