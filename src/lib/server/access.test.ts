import { describe, expect, test } from 'vitest';
import { ACCESS, accessOf, decide, decideInput, requireRole, sessionRole } from './access.ts';
import type { Session } from '#auth';
import { AppError } from '#core/errors';

const as = (role: 'admin' | 'superadmin'): Session => ({
	user: { name: role, role },
	expires: '2026-01-02T03:04:05.000Z',
	id: 'x'
});
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
	test('decides every row for everybody as its words say', () => {
		for (const [route, methods] of Object.entries(ACCESS))
			for (const [method, rule] of Object.entries(methods)) {
				if (typeof rule !== 'string') continue;
				const expected = {
					public: ['allowed', 'allowed', 'allowed'],
					admin: ['unauthorized', 'allowed', 'allowed'],
					superadmin: ['unauthorized', 'forbidden', 'allowed']
				}[rule];
				const seen = [null, ADMIN, SUPERADMIN].map((who) => ask(route, method, who));
				expect(seen, `${method} ${route}`).toEqual(expected);
			}
	});

	test('what is not in it is refused to everybody', () => {
		for (const who of [null, ADMIN, SUPERADMIN]) {
			expect(ask('/api/secret', 'GET', who)).toBe('forbidden');
			expect(ask('constructor', 'GET', who)).toBe('forbidden');
			expect(ask('__proto__', 'GET', who)).toBe('forbidden');
			expect(ask(null, 'GET', who)).toBe('not-found');
		}
	});

	test('another method is told which ones there are', () => {
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

	test('is open for description', () => {
		expect(accessOf('/api/server/kill', 'POST')).toBe('superadmin');
		expect(accessOf('/admin', 'POST')).toBe('admin');
		expect(() => accessOf('/nothing', 'GET')).toThrow();
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

	test('are asked again with the parsed input', () => {
		const again = (who: Session | null, action: string) =>
			outcome(() => decideInput('/admin', 'POST', who, {}, action));
		expect(again(ADMIN, 'stop')).toBe('allowed');
		expect(again(ADMIN, 'kill')).toBe('forbidden');
		expect(again(null, 'stop')).toBe('unauthorized');
	});
});

test('a refinement asks for more where the body does', () => {
	ACCESS['/api/test'] = {
		POST: {
			role: 'admin',
			refine: (input) => ((input as { action: string }).action === 'op' ? 'superadmin' : null)
		}
	};
	try {
		const ask = (who: Session | null, action: string) =>
			outcome(() => decideInput('/api/test', 'POST', who, { action }));
		expect(ask(ADMIN, 'ban')).toBe('allowed');
		expect(ask(ADMIN, 'op')).toBe('forbidden');
		expect(ask(SUPERADMIN, 'op')).toBe('allowed');
		expect(ask(null, 'ban')).toBe('unauthorized');
	} finally {
		delete ACCESS['/api/test'];
	}
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

	test('the higher one may all that the lower one may, not the other way round', () => {
		expect(() => requireRole('admin')(SUPERADMIN)).not.toThrow();
		expect(() => requireRole('superadmin')(ADMIN)).toThrow('Only a superadmin may do this');
		expect(() => requireRole('admin')(null)).toThrow('Log in first');
	});
});
