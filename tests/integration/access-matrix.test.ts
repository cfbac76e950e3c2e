import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
	ADMIN,
	SUPERADMIN,
	signedIn,
	startDashboard,
	Visitor,
	type Dashboard
} from '../harness.ts';

type Access = 'public' | 'admin' | 'superadmin';
type Method = (typeof METHODS)[number];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Written by hand from the contract, not from the code: a route that is not here fails the test. */
const MATRIX: Record<string, Partial<Record<Method, Access>>> = {
	'/': { GET: 'public' },
	'/login': { GET: 'public', POST: 'public' },
	'/logout': { POST: 'public' },
	'/healthz': { GET: 'public' },
	'/og.png': { GET: 'public' },
	'/admin': { GET: 'admin', POST: 'admin' },
	'/admin/[...path]': { GET: 'admin' },
	'/admin/activity': { GET: 'admin' },
	'/admin/chat': { GET: 'admin', POST: 'admin' },
	'/admin/analytics': { GET: 'admin' },
	'/admin/stats': { GET: 'admin' },
	'/admin/backups': { GET: 'admin', POST: 'admin' },
	'/admin/backups/confirm': { GET: 'superadmin', POST: 'superadmin' },
	'/admin/backups/restore': { GET: 'superadmin', POST: 'superadmin' },
	'/admin/confirm': { GET: 'admin' },
	'/admin/console': { GET: 'superadmin', POST: 'superadmin' },
	'/admin/errors': { GET: 'superadmin' },
	'/admin/logs': { GET: 'admin' },
	'/admin/mods': { GET: 'admin', POST: 'admin' },
	'/admin/mods/plan': { GET: 'admin', POST: 'admin' },
	'/admin/mods/projects/[id]': { GET: 'admin' },
	'/admin/operations/[id]': { GET: 'admin', POST: 'admin' },
	'/admin/players': { GET: 'admin', POST: 'admin' },
	'/admin/players/[uuid]': { GET: 'admin', POST: 'admin' },
	'/admin/players/confirm': { GET: 'admin' },
	'/admin/schedule': { GET: 'admin', POST: 'admin' },
	'/admin/schedule/confirm': { GET: 'admin' },
	'/admin/settings': { GET: 'superadmin', POST: 'superadmin' },
	'/api/status': { GET: 'public' },
	'/api/events': { GET: 'admin' },
	'/api/server/start': { POST: 'admin' },
	'/api/server/stop': { POST: 'admin' },
	'/api/server/restart': { POST: 'admin' },
	'/api/server/kill': { POST: 'superadmin' },
	'/api/operations': { GET: 'admin' },
	'/api/operations/[id]': { GET: 'admin' },
	'/api/operations/[id]/cancel': { POST: 'admin' },
	'/api/operations/[id]/events': { GET: 'admin' },
	'/api/players': { GET: 'admin', POST: 'admin' },
	'/api/players/stats': { GET: 'admin' },
	'/api/players/playtime': { GET: 'admin' },
	'/api/analytics': { GET: 'admin' },
	'/api/analytics/marks': { GET: 'admin' },
	'/api/chat': { GET: 'admin', POST: 'admin' },
	'/api/setup': { GET: 'superadmin' },
	'/api/settings': { GET: 'superadmin', PATCH: 'superadmin' },
	'/api/logs': { GET: 'admin' },
	'/api/logs/excerpt': { GET: 'admin' },
	'/api/logs/files': { GET: 'admin' },
	'/api/logs/files/[name]': { GET: 'admin' },
	'/api/console': { POST: 'superadmin' },
	'/api/mods': { GET: 'admin', PATCH: 'admin', DELETE: 'admin' },
	'/api/mods/search': { GET: 'admin' },
	'/api/mods/projects/[id]': { GET: 'admin' },
	'/api/mods/icons/[projectId]': { GET: 'admin' },
	'/api/mods/plan': { POST: 'admin' },
	'/api/mods/install': { POST: 'admin' },
	'/api/mods/updates': { GET: 'admin' },
	'/api/mods/update': { POST: 'admin' },
	'/api/mods/upload': { POST: 'superadmin' },
	'/api/modpack': { GET: 'public', POST: 'admin' },
	'/api/snapshots': { GET: 'admin', POST: 'admin' },
	'/api/snapshots/prune': { POST: 'admin' },
	'/api/snapshots/[id]': { PATCH: 'admin', DELETE: 'superadmin' },
	'/api/snapshots/[id]/restore': { POST: 'superadmin' },
	'/api/backups': { GET: 'admin', POST: 'admin' },
	'/api/backups/[id]': { GET: 'superadmin', PATCH: 'admin', DELETE: 'superadmin' },
	'/api/backups/[id]/verify': { POST: 'admin' },
	'/api/backups/[id]/restore': { POST: 'superadmin' },
	'/api/schedule/tasks': { GET: 'admin', POST: 'admin', PATCH: 'admin', DELETE: 'admin' },
	'/api/schedule/tasks/run': { POST: 'admin' },
	'/api/schedule/runs': { GET: 'admin' },
	'/api/audit': { GET: 'admin' },
	'/api/errors': { GET: 'superadmin', POST: 'public' },
	'/api/openapi.json': { GET: 'admin' }
};
const PLAYER_ACTIONS: Record<string, Access> = {
	op: 'superadmin',
	deop: 'superadmin',
	whitelistAdd: 'admin',
	whitelistRemove: 'admin',
	whitelistOn: 'admin',
	whitelistOff: 'admin',
	ban: 'admin',
	pardon: 'admin',
	kick: 'admin'
};
/** Form actions that need more than their page. */
const ACTIONS: Record<string, Record<string, Access>> = {
	'/admin': {
		start: 'admin',
		stop: 'admin',
		restart: 'admin',
		kill: 'superadmin',
		enableRcon: 'superadmin',
		acceptEula: 'superadmin'
	},
	'/admin/operations/[id]': { cancel: 'admin' },
	'/admin/chat': { send: 'admin' },
	'/admin/console': { run: 'superadmin', clear: 'superadmin' },
	'/admin/players': PLAYER_ACTIONS,
	'/admin/players/[uuid]': PLAYER_ACTIONS,
	'/admin/backups': {
		create: 'admin',
		change: 'admin',
		verify: 'admin',
		createSnapshot: 'admin',
		changeSnapshot: 'admin',
		verifySnapshot: 'admin',
		prune: 'admin'
	},
	'/admin/backups/confirm': {
		deleteBackup: 'superadmin',
		deleteSnapshot: 'superadmin',
		restoreSnapshot: 'superadmin'
	},
	'/admin/backups/restore': { restore: 'superadmin' },
	'/admin/mods': {
		lock: 'superadmin',
		share: 'superadmin',
		upload: 'superadmin',
		recheck: 'admin',
		modpack: 'admin'
	},
	'/admin/mods/plan': { run: 'admin' },
	'/admin/schedule': { add: 'admin', toggle: 'admin', remove: 'admin', run: 'admin' },
	'/admin/settings': { save: 'superadmin', saveBackups: 'superadmin', saveGraphs: 'superadmin' }
};

let dashboard: Dashboard;
let actors: { name: string; rank: number; visitor: Visitor }[];
beforeAll(async () => {
	dashboard = await startDashboard();
	const expired = new Visitor(dashboard);
	const ended = await signedIn(dashboard);
	const cookie = ended.cookie;
	await ended.form('/logout');
	expired.fetch = (target, init = {}) => {
		const headers = new Headers(init.headers);
		headers.set('cookie', cookie);
		return Visitor.prototype.fetch.call(expired, target, { ...init, headers });
	};
	actors = [...(await freshActors()), { name: 'signed out', rank: 0, visitor: expired }];
});
afterAll(() => dashboard?.dispose());

const freshActors = async () => [
	{ name: 'anonymous', rank: 0, visitor: new Visitor(dashboard) },
	{ name: 'admin', rank: 1, visitor: await signedIn(dashboard, ADMIN) },
	{ name: 'superadmin', rank: 2, visitor: await signedIn(dashboard, SUPERADMIN) }
];
const RANK: Record<Access, number> = { public: 0, admin: 1, superadmin: 2 };
const UNKNOWN_ID = '20200101T000000000Z-0000';
const UNKNOWN_UUID = '00000000-0000-0000-0000-000000000000';
const UNKNOWN_FILE = 'nothing.log';
const target = (route: string) =>
	route
		.replace('[...path]', 'no/such-page')
		.replace('[id]', UNKNOWN_ID)
		.replace('[uuid]', UNKNOWN_UUID)
		.replace('[name]', UNKNOWN_FILE);
const isApi = (route: string) => route.startsWith('/api/') || PROGRAMS.includes(route);
const PROGRAMS = ['/healthz', '/og.png'];

/** HEAD is GET without a body, but of a stream there is no end to wait for. */
const accessOf = (route: string, method: Method) =>
	method === 'HEAD'
		? route.endsWith('/events')
			? undefined
			: MATRIX[route]!.GET
		: MATRIX[route]![method];

/** A body that no schema accepts: who may call gets 422 and nothing happens. */
const nonsense = (route: string, method: Method): RequestInit => {
	if (method === 'GET' || method === 'HEAD') return { method };
	if (!isApi(route)) return { method, body: new URLSearchParams({ nonsense: '1' }), headers: HTML };
	return { method, body: '{"nonsense":1}', headers: { 'content-type': 'application/json' } };
};
const HTML = { accept: 'text/html' };

test('every route of the source stands in the matrix, and nothing else does', async () => {
	const files = await readdir('src/routes', { recursive: true });
	const routes = files
		.filter((file) => /(^|\/)\+(page\.svelte|page\.server\.ts|server\.ts)$/.test(file))
		.map((file) => `/${path.dirname(file)}`.replace(/\/\([^)]+\)|\/\.$/g, '') || '/');
	expect([...new Set(routes)].sort()).toEqual(Object.keys(MATRIX).sort());
});

test('every endpoint is described, and every description is an endpoint', async () => {
	const described = await actors[2]!.visitor.json('/api/openapi.json');
	const wanted = Object.keys(MATRIX).filter(isApi);
	expect(Object.keys(described.body.paths).sort()).toEqual(
		wanted.map((route) => route.replace(/\[(\w+)\]/, '{$1}')).sort()
	);
});

describe.each(Object.keys(MATRIX))('%s', (route) => {
	test.each(METHODS)('%s answers whom it should', async (method) => {
		const access = accessOf(route, method);
		for (const { name, rank, visitor } of route === '/logout' ? await freshActors() : actors) {
			const response = await visitor.fetch(target(route), nonsense(route, method));
			await response.body?.cancel();
			const who = `${method} ${route} as ${name}`;
			if (!access) expect(response.status, who).toBe(405);
			else if (rank >= RANK[access]) expect([401, 403], who).not.toContain(response.status);
			else if (rank > 0) expect(response.status, who).toBe(403);
			else if (isApi(route)) expect(response.status, who).toBe(401);
			else {
				expect(response.status, who).toBe(303);
				expect(response.headers.get('location'), who).toMatch(
					/^\/login\?error=SessionRequired&callbackUrl=%2F/
				);
			}
		}
	});
});

describe('form actions', () => {
	const all = Object.entries(ACTIONS).flatMap(([route, actions]) =>
		Object.entries(actions).map(([name, access]) => ({ route, name, access }))
	);
	test.each(all)('$route?/$name needs $access', async ({ route, name, access }) => {
		for (const { name: actor, rank, visitor } of actors) {
			const response = await visitor.form(`${target(route)}?/${name}`, { nonsense: '1' });
			const allowed = rank >= RANK[access];
			// What has that id does not exist, so its page is not found; nothing else is.
			// A file comes as multipart/form-data.
			const refused = name === 'upload' ? 415 : route.endsWith(']') ? 404 : 422;
			const expected = allowed ? refused : rank === 0 ? 303 : 403;
			expect(response.status, `${actor} ${route}?/${name}`).toBe(expected);
			if (rank === 0)
				expect(response.headers.get('location')).toContain('/login?error=SessionRequired');
		}
	});

	test('a method override is not believed', async () => {
		const admin = actors[1]!.visitor;
		for (const name of ['x-http-method-override', 'x-method-override']) {
			const init = nonsense('/api/settings', 'PATCH');
			const response = await admin.fetch('/api/settings?_method=GET', {
				...init,
				headers: { [name]: 'GET', 'content-type': 'application/json' }
			});
			expect(response.status).toBe(403);
		}
	});
});

describe('pages as data', () => {
	const pages = Object.keys(MATRIX).filter((route) => route.startsWith('/admin'));
	test.each(pages)('%s/__data.json decides like the page', async (route) => {
		const [anonymous, admin] = actors;
		for (const query of ['', '?x-sveltekit-invalidated=0001', '?x-sveltekit-invalidated=111']) {
			const seen = await anonymous!.visitor.fetch(`${target(route)}/__data.json${query}`);
			const body = await seen.text();
			expect(body).toContain('"redirect"');
			expect(body).toContain('/login?error=SessionRequired');
			expect(body).not.toContain(dashboard.dataDir);
			if (MATRIX[route]!.GET === 'superadmin') {
				const refused = await admin!.visitor.fetch(`${target(route)}/__data.json${query}`);
				expect(refused.status).toBe(403);
				expect(await refused.text()).not.toContain(dashboard.dataDir);
			}
		}
	});

	test.each([
		'/admin/',
		'//admin',
		'/%61dmin',
		'/admin%2f',
		'/ADMIN',
		'/./admin',
		'/x/../admin',
		'/admin/__data.json/'
	])('%s never shows an anonymous visitor the overview', async (path) => {
		const response = await actors[0]!.visitor.fetch(path);
		expect([301, 303, 307, 308, 404]).toContain(response.status === 200 ? 0 : response.status);
	});
});

test("none of the sign-in library's own routes is reachable", async () => {
	for (const path of [
		'session',
		'csrf',
		'providers',
		'signin',
		'signout',
		'callback/credentials',
		'error'
	])
		for (const method of ['GET', 'POST'] as const)
			for (const { visitor } of actors) {
				const response = await visitor.fetch(`/auth/${path}`, nonsense('/auth', method));
				expect(response.status, `${method} /auth/${path}`).toBe(404);
			}
});

test('reading changes nothing: every GET twice as superadmin leaves the data as it was', async () => {
	const superadmin = actors[2]!.visitor;
	const state = async () => {
		const names = ['settings.json', 'server-state.json', 'process.json'];
		const files = names.map((name) =>
			readFile(`${dashboard.dataDir}/${name}`, 'utf8').catch(() => null)
		);
		const { body } = await superadmin.json('/api/operations');
		return JSON.stringify([await Promise.all(files), body]);
	};
	const before = await state();
	for (const round of [1, 2])
		for (const [route, methods] of Object.entries(MATRIX))
			for (const method of ['GET', 'HEAD'] as const) {
				if (!accessOf(route, method) || !methods.GET) continue;
				const response = await superadmin.fetch(target(route), { method });
				expect(response.status, `${method} ${route} round ${round}`).toBeLessThan(500);
				await response.body?.cancel();
			}
	expect(await state()).toBe(before);
});
