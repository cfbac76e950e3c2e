import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modJar } from '../../scripts/demo-server/seed/seed-mods.ts';
import {
	ADMIN,
	SUPERADMIN,
	eventually,
	signedIn,
	startDashboard,
	Visitor,
	type Dashboard
} from '../harness.ts';

let dashboard: Dashboard;
let superadmin: Visitor;
beforeAll(async () => {
	dashboard = await startDashboard();
	superadmin = await signedIn(dashboard);
});
afterAll(() => dashboard?.dispose());

const operations = async () => (await superadmin.json('/api/operations')).body.operations;

/** Bytes on a bare socket, for what no HTTP client would send. */
function raw(text: string): Promise<string> {
	const { port } = new URL(dashboard.url);
	return new Promise((resolve) => {
		let answer = '';
		const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
		socket.setEncoding('utf8');
		socket.on('data', (chunk) => (answer += chunk));
		socket.on('error', () => resolve(answer));
		socket.on('close', () => resolve(answer));
	});
}
/** Like fetch, but with any Host and Origin. */
function ask(path: string, headers: Record<string, string>, method = 'GET', body = '') {
	const { port } = new URL(dashboard.url);
	return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
		(resolve, reject) => {
			const sent = request({ port, host: '127.0.0.1', path, method, headers }, (response) => {
				let text = '';
				response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
				response.on('end', () =>
					resolve({ status: response.statusCode!, headers: response.headers, body: text })
				);
			});
			sent.on('error', reject);
			sent.end(body);
		}
	);
}

describe('writing from another origin', () => {
	const types = [
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'text/plain',
		'APPLICATION/X-WWW-FORM-URLENCODED',
		'application/json',
		''
	];
	const WRITING = [
		...['/admin?/start', '/api/server/start', '/logout', '/login'],
		...['/admin/backups/prune?keep=1&/prune', '/api/snapshots/prune']
	];
	const origins = () =>
		[
			['null', 'null'],
			['missing', null],
			['a stranger', 'https://evil.example'],
			['another port', 'http://127.0.0.1:1'],
			['another scheme', dashboard.url.replace('http:', 'https:')],
			['a look-alike', `${dashboard.url}.evil.example`]
		] as const;

	test('is refused for every origin and content type, and nothing happens', async () => {
		for (const [name, origin] of origins())
			for (const type of types)
				for (const path of WRITING) {
					const headers: Record<string, string> = { cookie: superadmin.cookie };
					if (origin) headers['origin'] = origin;
					if (type) headers['content-type'] = type;
					const answer = await ask(path, headers, 'POST', '{}');
					expect(answer.status, `${path} ${type} from ${name}`).toBe(403);
				}
		expect(await operations()).toEqual([]);
		expect((await superadmin.json('/api/operations')).status).toBe(200);
	});
});

describe('hosts and forwarding', () => {
	test('a foreign host is refused and never echoed', async () => {
		for (const headers of [{ host: 'evil.example' }, { host: 'evil.example:80' }]) {
			const answer = await ask('/', headers);
			expect([400, 421]).toContain(answer.status);
			expect(JSON.stringify(answer)).not.toContain('evil.example');
		}
	});
	test('forwarding headers of an untrusted peer are ignored', async () => {
		const host = new URL(dashboard.url).host;
		const forged = {
			host,
			'x-forwarded-host': 'evil.example',
			'x-forwarded-proto': 'https',
			'x-forwarded-for': '6.6.6.6',
			'x-real-ip': '6.6.6.6',
			forwarded: 'for=6.6.6.6;host=evil.example'
		};
		for (const path of ['/', '/login', '/admin', '/nothing-here']) {
			const answer = await ask(path, forged);
			expect(JSON.stringify(answer)).not.toContain('evil.example');
			expect(String(answer.headers['set-cookie'] ?? '')).not.toMatch(/secure/i);
		}
		await ask(
			'/login',
			{ ...forged, origin: dashboard.url, 'content-type': 'application/x-www-form-urlencoded' },
			'POST',
			'username=nobody&password=wrong-password&callbackUrl=%2F'
		);
		const { body } = await superadmin.json('/api/audit');
		expect(JSON.stringify(body)).not.toContain('6.6.6.6');
	});
	test('two hosts or a full URL as target are a bad request', async () => {
		const two = await raw('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
		expect(two).toMatch(/^HTTP\/1.1 400/);
		const full = await raw(
			'GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
		);
		expect(full).toMatch(/^HTTP\/1.1 4(00|21)/);
		expect(full).not.toContain('evil.example');
	});
});

test.each([
	'//evil.example',
	'/\\evil.example',
	'https:evil.example',
	'\t//evil.example',
	'javascript:alert(1)',
	'https://127.0.0.1@evil.example',
	'%2f%2fevil.example',
	'/%09/evil.example',
	'/'.padEnd(300, 'x'),
	'/%',
	'/login',
	''
])('callbackUrl %j leads nowhere else', async (callbackUrl) => {
	const visitor = new Visitor(dashboard);
	const response = await visitor.signIn(ADMIN, callbackUrl);
	expect(response.status).toBe(303);
	const location = response.headers.get('location')!;
	expect(new URL(location, dashboard.url).origin).toBe(dashboard.url);
	expect(location).toMatch(/^\/(?![/\\])/);
});

test.each([
	'/%',
	'/%ff',
	'/%00',
	'/..%2f..%2fetc/passwd',
	'/_app/../../.env',
	'/.git/HEAD',
	'/.env'
])('%s is not found and shows nothing', async (path) => {
	const answer = await ask(path, { host: new URL(dashboard.url).host });
	expect([400, 404]).toContain(answer.status);
	expect(answer.body).not.toMatch(/root:|SUPERADMIN|ref: refs| at .*\.js:/);
});

test('hostile headers are answered quickly or refused', async () => {
	const host = new URL(dashboard.url).host;
	const long = await ask('/', { host, accept: 'a/'.repeat(7_000) });
	expect(long.status).toBeLessThan(500);
	const huge = await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`);
	expect(huge).toMatch(/^HTTP\/1.1 431 /);
	const [name] = /craftwarden_session_\w+/.exec(superadmin.cookie)!;
	for (const cookie of [`${name}=${'x'.repeat(8_000)}`, `${name}=\u00ff%%%`]) {
		const answer = await ask('/api/operations', { host, cookie });
		expect(answer.status).toBe(401);
	}
	for (const authorization of ['Bearer', 'Bearer a.b', `Bearer ${'x'.repeat(8_000)}`]) {
		expect((await ask('/api/operations', { host, authorization })).status).toBe(401);
	}
});

test('bodies over the limit are cut off and never reach a handler', async () => {
	const big = `{"message":"${'x'.repeat(200_000)}"}`;
	const answer = await superadmin.fetch('/api/server/start', {
		method: 'POST',
		body: big,
		headers: { 'content-type': 'application/json' }
	});
	expect(answer.status).toBe(413);
	const lying = await raw(
		`POST /api/server/start HTTP/1.1\r\nHost: ${new URL(dashboard.url).host}\r\nOrigin: ${dashboard.url}\r\n` +
			`Cookie: ${superadmin.cookie}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n` +
			`${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n0\r\n\r\n`
	);
	expect(lying).toMatch(/^(HTTP\/1.1 413|$)/); // hung up on, or told so first
	expect(await operations()).toEqual([]);
});

test('every kind of answer carries the security headers', async () => {
	for (const path of [
		'/',
		'/login',
		'/admin',
		'/api/status',
		'/api/nothing',
		'/nothing',
		'/favicon.svg'
	]) {
		const { headers } = await superadmin.fetch(path);
		expect(headers.get('x-content-type-options'), path).toBe('nosniff');
		expect(headers.get('referrer-policy'), path).toBe('same-origin');
		expect(headers.get('content-security-policy'), path).toMatch(/frame-ancestors 'none'/);
		expect(headers.get('content-security-policy'), path).not.toMatch(
			/script-src[^;]*unsafe-inline/
		);
	}
	const page = await superadmin.fetch('/admin');
	expect(page.headers.get('content-security-policy')).toMatch(/script-src[^;]*'nonce-/);
	expect(page.headers.get('cache-control')).toMatch(/no-store/);
});

test('the public status shows strangers nothing beyond what is public', async () => {
	const stranger = new Visitor(dashboard);
	const seen = await stranger.json('/api/status');
	expect(seen.body.players.names).toBeNull();
	expect([seen.body.tps, seen.body.reason]).toEqual([null, null]);
	expect(seen.headers.get('cache-control')).toBe('public, max-age=3');
	expect(seen.headers.get('vary')).toMatch(/cookie/i);
	const own = await superadmin.json('/api/status');
	expect(own.headers.get('cache-control')).toMatch(/no-store/);
});

test('the public page tells strangers how many mods the pack lacks, and not which', async () => {
	const secret = { id: 'secret-sauce', version: '1.0.0', name: 'Secret Sauce', description: '' };
	await writeFile(path.join(dashboard.gameDir, 'mods/secret-sauce.jar'), modJar(secret));
	const { status, body } = await superadmin.json('/api/modpack', {});
	expect(status).toBe(202);
	await eventually(
		async () => (await superadmin.json(`/api/operations/${body.operation.id}`)).body.operation,
		({ state }) => state === 'succeeded'
	);
	const stranger = new Visitor(dashboard);
	for (const address of ['/', '/__data.json']) {
		const [seen, own] = await Promise.all(
			[stranger, superadmin].map(async (who) => (await who.fetch(address)).text())
		);
		expect(seen).not.toMatch(/secret.sauce/i);
		expect(own).toMatch(/Secret Sauce \(secret-sauce\.jar\)/);
	}
	expect(await (await stranger.fetch('/')).text()).toMatch(/One mod is not in the pack/);
});

test.each(['constructor', '__proto__', 'toString'])(
	'a form field called %s is no error',
	async (name) => {
		const before = dashboard.output().length;
		const ask = (who: Visitor, address: string, accept: string) =>
			who.fetch(address, {
				method: 'POST',
				body: `${name}=z`,
				headers: { accept, 'content-type': 'application/x-www-form-urlencoded' }
			});
		for (const accept of ['text/html', 'application/json'])
			for (const [who, address] of [
				[new Visitor(dashboard), '/login'],
				[superadmin, '/admin/chat?/send'],
				[superadmin, '/admin/backups/prune?keep=3&/prune']
			] as const) {
				const answer = await ask(who, address, accept);
				expect(answer.status, `${address} as ${accept}`).toBeLessThan(500);
				expect(await answer.text()).not.toContain('went wrong');
			}
		expect(dashboard.output().slice(before)).toBe('');
	}
);

describe('removing old snapshots', () => {
	const PAGE = '/admin/backups/prune';
	const HTML = { accept: 'text/html' };
	const viaApi = (keep: unknown) =>
		superadmin.fetch('/api/snapshots/prune', {
			method: 'POST',
			body: JSON.stringify({ keep }),
			headers: { 'content-type': 'application/json' }
		});
	const absurd = [
		'',
		'0',
		'-1',
		'1.5',
		'NaN',
		'1e9',
		'99999999999999999999',
		'0x10',
		'٣',
		'3 ',
		'x'
	];

	test.each(absurd)('keeping %j of them is refused in words, wherever it is said', async (keep) => {
		const asked = encodeURIComponent(keep);
		const page = await superadmin.fetch(`${PAGE}?keep=${asked}`, { headers: HTML });
		expect(page.status).toBe(422);
		expect(await page.text()).toContain('This address is incomplete or wrong');
		const sent = await superadmin.form(`${PAGE}?keep=3&/prune`, { keep });
		expect(sent.status).toBe(422);
		const shown = await sent.text();
		expect(shown).toContain('role="alert"');
		expect(shown).not.toContain('This address is');
		expect((await viaApi(keep)).status).toBe(422);
	});

	test('is for those who are signed in, and asks for nothing but the number', async () => {
		const stranger = new Visitor(dashboard);
		const sent = await stranger.form(`${PAGE}?keep=1&/prune`, { keep: '1' });
		expect(sent.status).toBe(303);
		expect(sent.headers.get('location')).toContain('/login?error=SessionRequired');
		const more = await superadmin.form(`${PAGE}?keep=3&/prune`, { keep: '3', id: 'x' });
		expect(more.status).toBe(422);
		for (const keep of [0, -1, 1.5, 1e9, 1e21, null, true, [3], {}])
			expect((await viaApi(keep)).status, String(keep)).toBe(422);
	});
});

test('unknown API addresses are problems, not pages', async () => {
	const answer = await superadmin.json('/api/nothing-here');
	expect(answer.status).toBe(404);
	expect(answer.headers.get('content-type')).toBe('application/problem+json');
});

describe('signing in', () => {
	test('a wrong password leads back with the code and the target page', async () => {
		const visitor = new Visitor(dashboard);
		const response = await visitor.signIn(
			{ username: 'nobody', password: 'wrong wrong' },
			'/admin/activity'
		);
		expect(response.status).toBe(303);
		expect(response.headers.get('location')).toBe(
			'/login?error=CredentialsSignin&callbackUrl=%2Fadmin%2Factivity'
		);
	});
	test('signing out ends the session everywhere it was copied to', async () => {
		const visitor = await signedIn(dashboard, ADMIN);
		const { cookie } = visitor;
		expect((await visitor.form('/logout')).status).toBe(303);
		const copy = await visitor.fetch('/api/operations', { headers: { cookie } });
		expect(copy.status).toBe(401);
	});
	test('five wrong passwords block that address and account only', async () => {
		const own = await startDashboard();
		try {
			const guesser = new Visitor(own);
			for (let i = 0; i < 5; i++)
				expect((await guesser.signIn({ ...ADMIN, password: `wrong ${i}` })).status).toBe(303);
			const sixth = await guesser.signIn({ ...ADMIN, password: 'wrong again' });
			expect(sixth.status).toBe(429);
			expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
			expect((await guesser.signIn(ADMIN)).status).toBe(429);
			expect((await guesser.signIn(SUPERADMIN)).status).toBe(303);
		} finally {
			await own.dispose();
		}
	});
});

/** What a hand, a broken link or a foe may write into the address of a page. */
const HOSTILE = [
	'',
	'"><script>alert(1)</script>',
	'\u0000\u001b]0;x\u0007\u202egnp',
	'../../etc/passwd',
	'%E0%A4%A',
	'constructor',
	'-1',
	'1e999',
	'💥'.repeat(500)
];
/** The pages that read their address, with what they read there. */
const ASKED = [
	['/login', ['error', 'callbackUrl']],
	['/admin/activity', ['view', 'before', 'q']],
	['/admin/analytics', ['window', 'from', 'to', 'points', 'view']],
	['/admin/backups', ['tab', 'backup', 'snapshot']],
	['/admin/backups/confirm', ['backup', 'snapshot', 'do']],
	['/admin/backups/prune', ['keep']],
	['/admin/backups/restore', ['backup', 'scope', 'world', 'uuid']],
	['/admin/chat', ['q', 'all', 'to', 'text']],
	['/admin/confirm', ['do', 'in']],
	['/admin/console', ['command']],
	['/admin/errors', ['all']],
	['/admin/logs', ['view', 'file', 'level', 'q', 'before', 'at', 'kind', 'skip']],
	[
		'/admin/mods',
		['tab', 'show', 'order', 'q', 'offset', 'sort', 'category', 'side', 'pick', 'all', 'mod']
	],
	['/admin/mods?tab=find', ['q', 'offset', 'sort', 'category', 'side']],
	['/admin/mods/plan', ['do', 'file', 'project', 'all', 'park', 'orphans']],
	['/admin/notifications', ['edit', 'add', 'remove']],
	['/admin/operations/20200101T000000000Z-0000', ['from']],
	['/admin/players', ['tab', 'order', 'q', 'player', 'name']],
	['/admin/players/confirm', ['do', 'of', 'player', 'reason', 'tab']],
	[
		'/admin/schedule',
		['type', 'preset', 'on', 'time', 'day', 'hours', 'cron', 'message', 'whenEmpty']
	],
	['/admin/schedule/confirm', ['id', 'do']],
	['/admin/schedule/edit', ['id']],
	['/admin/schedule/trigger', ['event', 'minutes', 'type']],
	['/admin/server', ['loader', 'game', 'from', 'q', 'project', 'plan']],
	['/admin/server/back', ['kept', 'do']],
	['/admin/server/upgrade', ['plan', 'version']],
	['/admin/stats', ['metric', 'show', 'q', 'page']]
] as const;
test.each(ASKED)(
	'whatever the address of %s says, it is a page without foreign script',
	async (page, names) => {
		for (const value of HOSTILE) {
			const raw = value.includes('%') ? value : encodeURIComponent(value);
			for (const query of [
				names.map((name) => `${name}=${raw}`).join('&'),
				names.map((name) => `${name}=${raw}&${name}=again`).join('&')
			]) {
				const answer = await superadmin.fetch(`${page}${page.includes('?') ? '&' : '?'}${query}`);
				const html = await answer.text();
				expect([answer.status, query], html.slice(0, 300)).toEqual([
					expect.toSatisfy((status: number) => status < 500),
					query
				]);
				expect(html).not.toContain('<script>alert(1)');
				expect(html).not.toContain('root:');
			}
		}
	}
);
