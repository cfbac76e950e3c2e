import { describe, expect, test } from 'vitest';
import { api, type Page } from '#api';
import { AppError } from '#core/errors';
import { createAccess, decide, requireRole, sessionRole } from './access.ts';

type Session = { user: { name: string; role: 'admin' | 'superadmin' } };
const as = (role: 'admin' | 'superadmin'): Session => ({ user: { name: role, role } });
const ADMIN = as('admin');
const SUPERADMIN = as('superadmin');

/** 'allowed', or the kind of refusal. */
function outcome(run: () => void): string {
	try {
		run();
		return 'allowed';
	} catch (error) {
		expect(error).toBeInstanceOf(AppError);
		return (error as AppError).kind;
	}
}
const ask = (route: string | null, method: string, who: Session | null, action?: string) =>
	outcome(() => decide(route, method, who, action));

describe('the table', () => {
	test('decides every entry for every role as documented', () => {
		for (const [key, { role }] of Object.entries(api)) {
			const [verb = '', route = ''] = key.split(' ');
			const expected = {
				public: ['allowed', 'allowed', 'allowed'],
				admin: ['unauthorized', 'allowed', 'allowed'],
				superadmin: ['unauthorized', 'forbidden', 'allowed']
			}[role];
			const method = verb === 'page' ? 'GET' : verb;
			const seen = [null, ADMIN, SUPERADMIN].map((who) => ask(route, method, who));
			expect(seen, key).toEqual(expected);
		}
	});

	test('what is not in the table is refused to everybody', () => {
		for (const who of [null, ADMIN, SUPERADMIN]) {
			expect(ask('/api/secret', 'GET', who)).toBe('forbidden');
			expect(ask('constructor', 'GET', who)).toBe('forbidden');
			expect(ask('__proto__', 'GET', who)).toBe('forbidden');
			expect(ask(null, 'GET', who)).toBe('not-found');
		}
	});

	test('an unsupported method is told which ones are allowed', () => {
		for (const method of ['DELETE', 'PUT', 'OPTIONS', 'toString', 'get'])
			expect(() => decide('/admin', method, SUPERADMIN)).toThrow(
				expect.objectContaining({ kind: 'method-not-allowed', allow: ['GET', 'HEAD', 'POST'] })
			);
	});

	test('HEAD is GET, and groups in a route do not matter', () => {
		expect(ask('/admin', 'HEAD', ADMIN)).toBe('allowed');
		expect(ask('/admin', 'HEAD', null)).toBe('unauthorized');
		expect(ask('/(app)/admin/(inner)/settings', 'GET', ADMIN)).toBe('forbidden');
		expect(ask('/(public)', 'GET', null)).toBe('allowed');
	});

	test('a stream has no HEAD', () => {
		expect(ask('/api/events', 'GET', ADMIN)).toBe('allowed');
		expect(() => decide('/api/events', 'HEAD', ADMIN)).toThrow(
			expect.objectContaining({ kind: 'method-not-allowed', allow: ['GET'] })
		);
		expect(ask('/api/mods', 'HEAD', ADMIN)).toBe('allowed');
	});
});

describe('form actions', () => {
	test.each([
		['start', 'unauthorized', 'allowed', 'allowed'],
		['kill', 'unauthorized', 'forbidden', 'allowed'],
		['enableRcon', 'unauthorized', 'forbidden', 'allowed'],
		['nothing', 'unauthorized', 'not-found', 'not-found'],
		['constructor', 'unauthorized', 'not-found', 'not-found'],
		[undefined, 'unauthorized', 'not-found', 'not-found']
	])('/admin?/%s', (action, ...expected) => {
		expect([null, ADMIN, SUPERADMIN].map((who) => ask('/admin', 'POST', who, action))).toEqual(
			expected
		);
	});

	test('need what they declare in addition to what their page needs', () => {
		const page = (role: Page['role'], action: Page['role']): Page => ({
			kind: 'page',
			role,
			actions: { act: { kind: 'upload', role: action, file: 'x', maxBytes: 1 } }
		});
		const odd = createAccess({ 'page /a': page('superadmin', 'admin') });
		expect(outcome(() => odd('/a', 'POST', ADMIN, 'act'))).toBe('forbidden');
		const open = createAccess({ 'page /a': page('public', 'admin') });
		expect(outcome(() => open('/a', 'POST', null, 'act'))).toBe('unauthorized');
		expect(outcome(() => open('/a', 'GET', null))).toBe('allowed');
	});
});

describe('roles', () => {
	test('only a real role is one', () => {
		expect(sessionRole(ADMIN)).toBe('admin');
		for (const wrong of [null, undefined, {}, { user: {} }, { user: { role: 'owner' } }])
			expect(sessionRole(wrong as unknown as Session)).toBeNull();
		for (const wrong of ['toString', '__proto__', true, ['admin']])
			expect(sessionRole({ user: { role: wrong } } as unknown as Session)).toBeNull();
		expect(sessionRole({ message: 'There was a problem' } as unknown as Session)).toBeNull();
	});

	test('the higher one may do all that the lower one may, not the other way round', () => {
		expect(() => requireRole('admin')(SUPERADMIN)).not.toThrow();
		expect(() => requireRole('superadmin')(ADMIN)).toThrow('Only a superadmin may do this');
		expect(() => requireRole('admin')(null)).toThrow('Log in first');
	});
});
