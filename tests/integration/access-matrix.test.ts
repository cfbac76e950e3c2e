import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api, type Endpoint, type Page } from '#api';
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

/** Written by hand from the contract, not from the table: a role that is changed there has to be changed here too. */
const PUBLIC = `
	GET /   GET /login   POST /login   POST /login?/default   POST /logout   GET /healthz   GET /metrics   GET /og.png
	GET /api/status   GET /api/modpack   POST /api/errors`;
const SUPERADMIN_ONLY = `
	POST /admin?/kill   POST /admin?/enableRcon   POST /admin?/acceptEula
	GET /admin/backups/confirm   POST /admin/backups/confirm
	POST /admin/backups/confirm?/deleteBackup   POST /admin/backups/confirm?/deleteSnapshot
	POST /admin/backups/confirm?/restoreSnapshot
	GET /admin/backups/restore   POST /admin/backups/restore   POST /admin/backups/restore?/restore
	GET /admin/console   POST /admin/console   POST /admin/console?/run   POST /admin/console?/clear
	GET /admin/errors   GET /api/errors
	POST /admin/mods?/lock   POST /admin/mods?/share   POST /admin/mods?/upload   POST /api/mods/upload
	POST /admin/players?/op   POST /admin/players?/deop
	POST /admin/players/[uuid]?/op   POST /admin/players/[uuid]?/deop
	GET /admin/settings   POST /admin/settings   POST /admin/settings?/save
	POST /admin/settings?/saveMods   POST /admin/settings?/saveBackups   POST /admin/settings?/saveGraphs
	POST /admin/settings?/savePerformance   POST /admin/settings?/saveTrials
	GET /api/settings   PATCH /api/settings   GET /api/setup
	GET /admin/notifications   POST /admin/notifications
	POST /admin/notifications?/add   POST /admin/notifications?/save   POST /admin/notifications?/toggle
	POST /admin/notifications?/test   POST /admin/notifications?/remove
	GET /api/notifications/channels   POST /api/notifications/channels
	PATCH /api/notifications/channels/[id]   DELETE /api/notifications/channels/[id]
	POST /api/notifications/channels/[id]/test
	POST /api/server/kill   POST /api/console   GET /api/console/commands
	POST /admin/server?/planCreate   POST /admin/server?/planChange   POST /admin/server?/apply
	POST /admin/server?/fetchJava   POST /admin/server?/planImport   POST /admin/server?/upload
	POST /api/software/plan   POST /api/software/apply   POST /api/software/java
	POST /admin/server/upgrade?/plan   POST /admin/server/upgrade?/start
	POST /api/upgrades/plan   POST /api/upgrades
	GET /admin/server/back   POST /admin/server/back
	POST /admin/server/back?/goBack   POST /admin/server/back?/remove
	GET /api/upgrades/kept/[id]   POST /api/upgrades/kept/[id]   DELETE /api/upgrades/kept/[id]
	DELETE /api/snapshots/[id]   POST /api/snapshots/[id]/restore
	GET /api/backups/[id]   DELETE /api/backups/[id]   POST /api/backups/[id]/restore`;
const listed = (list: string) => new Set(list.trim().split(/\s{2,}/));
const [open, above] = [listed(PUBLIC), listed(SUPERADMIN_ONLY)];
/** Everything else is for everybody who is signed in. */
const roleOf = (key: string): Access =>
	open.has(key) ? 'public' : above.has(key) ? 'superadmin' : 'admin';

/** What there is, by route: which methods, and which form actions. */
const ROUTES: Record<string, { methods: Set<Method>; actions: string[] }> = {};
for (const [key, entry] of Object.entries<Endpoint | Page>(api)) {
	const [verb = '', route = ''] = key.split(' ');
	const one = (ROUTES[route] ??= { methods: new Set(), actions: [] });
	if (entry.kind !== 'page') one.methods.add(verb as Method);
	else one.methods.add('GET');
	if (entry.kind !== 'page' || !entry.actions) continue;
	one.methods.add('POST');
	one.actions = Object.keys(entry.actions);
}

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
const PROGRAMS = ['/healthz', '/metrics', '/og.png'];

/** HEAD is GET without a body, but a stream has no end to wait for. */
function accessOf(route: string, method: Method): Access | undefined {
	const asked = method === 'HEAD' && !route.endsWith('/events') ? 'GET' : method;
	return ROUTES[route]!.methods.has(asked) ? roleOf(`${asked} ${route}`) : undefined;
}

/** A body that no schema accepts: callers with the right role get 422 and nothing happens. */
const nonsense = (route: string, method: Method): RequestInit => {
	if (method === 'GET' || method === 'HEAD') return { method };
	if (!isApi(route)) return { method, body: new URLSearchParams({ nonsense: '1' }), headers: HTML };
	return { method, body: '{"nonsense":1}', headers: { 'content-type': 'application/json' } };
};
const HTML = { accept: 'text/html' };

test('every exception names something that exists', () => {
	const all = Object.entries(ROUTES).flatMap(([route, { methods, actions }]) => [
		...[...methods].map((method) => `${method} ${route}`),
		...actions.map((name) => `POST ${route}?/${name}`)
	]);
	expect([...open, ...above].filter((key) => !all.includes(key))).toEqual([]);
});

test('every endpoint is documented, and everything documented is an endpoint', async () => {
	const described = await actors[2]!.visitor.json('/api/openapi.json');
	const wanted = Object.keys(ROUTES).filter((route) => isApi(route) || route === '/logout');
	expect(Object.keys(described.body.paths).sort()).toEqual(
		wanted.map((route) => route.replace(/\[(\w+)\]/, '{$1}')).sort()
	);
});

describe.each(Object.keys(ROUTES))('%s', (route) => {
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
	const all = Object.entries(ROUTES)
		.filter(([route]) => route !== '/login')
		.flatMap(([route, { actions }]) =>
			actions.map((name) => ({ route, name, access: roleOf(`POST ${route}?/${name}`) }))
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
	const pages = Object.keys(ROUTES).filter((route) => route.startsWith('/admin'));
	test.each(pages)('%s/__data.json decides like the page', async (route) => {
		const [anonymous, admin] = actors;
		for (const query of ['', '?x-sveltekit-invalidated=0001', '?x-sveltekit-invalidated=111']) {
			const seen = await anonymous!.visitor.fetch(`${target(route)}/__data.json${query}`);
			const body = await seen.text();
			expect(body).toContain('"redirect"');
			expect(body).toContain('/login?error=SessionRequired');
			expect(body).not.toContain(dashboard.dataDir);
			if (roleOf(`GET ${route}`) === 'superadmin') {
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
		for (const route of Object.keys(ROUTES))
			for (const method of ['GET', 'HEAD'] as const) {
				if (!accessOf(route, method)) continue;
				const response = await superadmin.fetch(target(route), { method });
				expect(response.status, `${method} ${route} round ${round}`).toBeLessThan(500);
				await response.body?.cancel();
			}
	expect(await state()).toBe(before);
});
