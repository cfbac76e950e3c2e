import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readSse } from '../fakes/sse-reader.ts';
import { ADMIN, SUPERADMIN, signedIn, Visitor, type Account, type Dashboard } from '../harness.ts';
import { again, dashboardWith } from './kit/opened.ts';
import { ask, type Answer } from './kit/program.ts';

async function restarted(dashboard: Dashboard, env = {}, signal: NodeJS.Signals = 'SIGTERM') {
	await dashboard.kill(signal);
	return again(dashboard, env);
}

/** Signs in through a proxy on this machine, as whoever comes from `from`. */
function signInFrom(
	{ url }: Dashboard,
	{ username, password }: Account,
	from: string,
	headers: Record<string, string> = {}
): Promise<Answer> {
	return ask(url, '/login', {
		method: 'POST',
		headers: {
			'content-type': 'application/x-www-form-urlencoded',
			accept: 'text/html',
			origin: url,
			'x-forwarded-for': from,
			...headers
		},
		body: new URLSearchParams({ username, password, callbackUrl: '/admin' }).toString()
	});
}
const cookiesOf = ({ headers }: Answer) =>
	(headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]!).join('; ');
const withCookie = ({ url }: Dashboard, target: string, cookie: string, headers = {}) =>
	ask(url, target, { headers: { cookie, ...headers } });
const statusOf = async (...given: Parameters<typeof withCookie>) =>
	(await withCookie(...given)).status;

const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.1' };
const failed = { status: 303, location: '/login?error=CredentialsSignin&callbackUrl=%2Fadmin' };
const outcome = ({ status, headers }: Answer) => ({ status, location: headers.location });

test('seventy people log in at once: each is answered, and so is everybody else meanwhile', async () => {
	const dashboard = await dashboardWith(BEHIND_PROXY);
	// The first look at the server takes longer, whoever signs in.
	await ask(dashboard.url, '/api/status');
	const waits: number[] = [];
	let over = false;
	const watching = (async () => {
		while (!over) {
			const since = performance.now();
			const answer = await ask(dashboard.url, '/api/status');
			expect(answer.status).toBe(200);
			waits.push(performance.now() - since);
		}
	})();
	const since = performance.now();
	const guess = (n: number) => ({ username: `guess ${n}`, password: ADMIN.password });
	const answers = await Promise.all([
		// From one place only a few at a time: so many that they cannot all be answered as fast as they come.
		...Array.from({ length: 30 }, () => signInFrom(dashboard, ADMIN, '203.0.113.9')),
		...Array.from({ length: 40 }, (_, n) => signInFrom(dashboard, guess(n), `198.51.100.${n}`))
	]);
	const tookMs = performance.now() - since;
	over = true;
	await watching;

	for (const { status, headers } of answers) {
		expect([303, 429, 503]).toContain(status);
		if (status !== 303) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
	}
	const through = (some: Answer[]) => some.filter(({ status }) => status === 303);
	const entered = through(answers.slice(0, 30));
	for (const answer of entered) expect(answer.headers.location).toBe('/admin');
	for (const answer of through(answers.slice(30))) expect(outcome(answer)).toEqual(failed);
	expect(entered.length).toBeGreaterThan(0);
	expect(entered.length).toBeLessThan(30);
	expect(through(answers).length).toBeGreaterThanOrEqual(10);
	expect(through(answers).length).toBeLessThan(70);
	const median = waits.sort((a, b) => a - b)[waits.length >> 1]!;
	expect(waits.length).toBeGreaterThan(10);
	expect(median).toBeLessThan(tookMs / 4);
	expect(await statusOf(dashboard, '/api/operations', cookiesOf(entered.at(-1)!))).toBe(200);
});

describe('passwords at their bounds', () => {
	const long = `${'Ab3$'.repeat(18)}X`; // 73 bytes: more than bcrypt would have looked at
	let dashboard: Dashboard;
	beforeAll(async () => {
		dashboard = await dashboardWith({ ...BEHIND_PROXY, SUPERADMIN_PASSWORD: long });
	});
	let place = 0;
	const attempt = (password: string) =>
		signInFrom(dashboard, { ...SUPERADMIN, password }, `198.51.100.${++place}`);

	test.each([
		['empty', ''],
		['longer than 1024 characters', 'x'.repeat(1025)]
	])('one that is %s is refused before anything is compared', async (_, password) => {
		const answer = await attempt(password);
		expect(answer.status).toBe(400);
		expect(answer.body).not.toContain('x'.repeat(1025));
	});

	test('a megabyte is too large to be read', async () => {
		expect((await attempt('x'.repeat(1_000_000))).status).toBe(413);
	});

	test.each([
		['of 1024 characters', 'x'.repeat(1024)],
		['that differs in its 73rd byte', `${long.slice(0, 72)}Y`],
		['that is the first 72 bytes', long.slice(0, 72)],
		['with a NUL behind it', `${long}\0`],
		['with a NUL and more behind it', `${long}\0more`],
		['with a NUL before it', `\0${long}`],
		['with a space behind it', `${long} `]
	])('one %s is wrong', async (_, password) => {
		expect(outcome(await attempt(password))).toEqual(failed);
	});

	test('the right one is right', async () => {
		expect(outcome(await attempt(long))).toEqual({ status: 303, location: '/admin' });
	});
});

describe('cookies', () => {
	let dashboard: Dashboard;
	let cookie: string;
	let name: string;
	beforeAll(async () => {
		dashboard = await dashboardWith();
		const visitor = await signedIn(dashboard);
		cookie = visitor.cookie.split('; ').find((one) => one.startsWith('craftwarden_session_'))!;
		name = cookie.slice(0, cookie.indexOf('='));
	});

	test('that were tampered with, truncated, doubled or renamed are nobody’s', async () => {
		const token = cookie.slice(name.length + 1);
		const parts = token.split('.');
		const other = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
		const changed = parts.map((_, at) => parts.map((p, i) => (i === at ? other(p) : p)).join('.'));
		const none = Buffer.from('{"alg":"none"}').toString('base64url');
		const strange = [
			...changed.map((value) => `${name}=${value}`),
			...parts.map((_, at) => `${name}=${parts.slice(0, at).join('.')}`),
			`${name}=${token.slice(0, -5)}`,
			`${name}=${token}.`,
			`${name}="${token}"`,
			`${name}=${token}, x`,
			`${name}=${none}.${Buffer.from('{"sub":"ada"}').toString('base64url')}.`,
			`${name}=${'x'.repeat(5000)}`,
			`${cookie}; ${cookie}`,
			`${cookie}; ${name}=`,
			`${name}=x; ${cookie}`,
			`${name.toUpperCase()}=${token}`,
			`__Host-${cookie}`,
			`__Secure-${cookie}`,
			`authjs.session-token=${token}`,
			`${name}%20=${token}`
		];
		for (const value of strange) {
			expect(await statusOf(dashboard, '/api/operations', value), value).toBe(401);
			const page = await withCookie(dashboard, '/admin', value);
			expect([page.status, page.headers.location], value).toEqual([
				303,
				'/login?error=SessionRequired&callbackUrl=%2Fadmin'
			]);
			// As a word: the nonce of the page may have these letters too.
			const home = await withCookie(dashboard, '/', value);
			expect([home.status, /\bada\b/.test(home.body)], value).toEqual([200, false]);
		}
		// Beside strangers' cookies the right one still counts.
		expect(await statusOf(dashboard, '/api/operations', `a=b; ${cookie}; c="d"`)).toBe(200);
	});

	test('of two dashboards on one host do not log each other out', async () => {
		const second = await dashboardWith();
		const other = await signedIn(second);
		for (const one of [dashboard, second])
			expect(await statusOf(one, '/api/operations', `${cookie}; ${other.cookie}`)).toBe(200);
		expect(other.cookie).not.toContain(`${name}=`);
	});

	test('over plain http they have the flags that browsers accept there', async () => {
		const answer = await signInFrom(dashboard, ADMIN, '6.6.6.6', { 'x-forwarded-proto': 'https' });
		const lines = answer.headers['set-cookie']!;
		expect(lines.map((line) => line.split('=', 1)[0]).sort()).toEqual([
			expect.stringMatching(/^craftwarden_device_[0-9a-f]{8}$/),
			name
		]);
		for (const line of lines) {
			expect(line).toMatch(/; HttpOnly/i);
			expect(line).toMatch(/; SameSite=Lax/i);
			expect(line).toMatch(/; Path=\/(;|$)/i);
			expect(line).not.toMatch(/; (Secure|Domain)/i);
		}
	});

	test('behind a trusted proxy that speaks https they are bound to it and to this host', async () => {
		const own = await dashboardWith(BEHIND_PROXY);
		const https = {
			'x-forwarded-proto': 'https',
			'x-forwarded-host': 'mc.localhost',
			origin: 'https://mc.localhost'
		};
		const answer = await signInFrom(own, ADMIN, '198.51.100.7', https);
		expect(outcome(answer)).toEqual({ status: 303, location: '/admin' });
		for (const line of answer.headers['set-cookie']!) {
			expect(line).toMatch(/^__Host-craftwarden_(session|device)_[0-9a-f]{8}=/);
			for (const flag of [/; Secure/i, /; HttpOnly/i, /; SameSite=Lax/i, /; Path=\/(;|$)/i])
				expect(line).toMatch(flag);
			expect(line).not.toMatch(/; Domain/i);
		}
		const cookies = cookiesOf(answer);
		expect(await statusOf(own, '/api/operations', cookies, https)).toBe(200);
		// What https gave is nothing to http, under either name.
		expect(await statusOf(own, '/api/operations', cookies)).toBe(401);
		expect(await statusOf(own, '/api/operations', cookies.replaceAll('__Host-', ''))).toBe(401);
		// A form of the same page over http is another origin.
		const plain = await signInFrom(own, ADMIN, '198.51.100.7', { ...https, origin: own.url });
		expect(plain.status).toBe(403);
	});
});

describe('a session when its account changes', () => {
	test.each(['SIGTERM', 'SIGKILL'] as const)('it survives a restart by %s', async (signal) => {
		const dashboard = await dashboardWith();
		const { cookie } = await signedIn(dashboard);
		const next = await restarted(dashboard, {}, signal);
		const page = await withCookie(next, '/admin', cookie);
		expect([page.status, page.body.includes('ada')]).toEqual([200, true]);
		expect(await statusOf(next, '/api/settings', cookie)).toBe(200);
	});

	test('one that was logged out stays so across a restart', async () => {
		const dashboard = await dashboardWith();
		const visitor = await signedIn(dashboard);
		const { cookie } = visitor;
		await visitor.form('/logout');
		const next = await restarted(dashboard, {}, 'SIGKILL');
		expect(await statusOf(next, '/api/operations', cookie)).toBe(401);
	});

	test('a changed password ends all sessions of the account, and only those', async () => {
		const dashboard = await dashboardWith();
		const ada = await Promise.all([signedIn(dashboard), signedIn(dashboard)]);
		const bob = await signedIn(dashboard, ADMIN);
		const stream = readSse(await ada[0].fetch('/api/events'));
		const SUPERADMIN_PASSWORD = 'another horse and battery';
		const next = await restarted(dashboard, { SUPERADMIN_PASSWORD });
		await stream.done;
		for (const { cookie } of ada)
			for (const target of ['/api/operations', '/api/settings', '/api/events'])
				expect(await statusOf(next, target, cookie), target).toBe(401);
		expect(await statusOf(next, '/api/operations', bob.cookie)).toBe(200);
		const visitor = new Visitor(next);
		expect((await visitor.signIn(SUPERADMIN)).headers.get('location')).toContain('error=');
		const password = SUPERADMIN_PASSWORD;
		await visitor.signIn({ ...SUPERADMIN, password });
		expect((await visitor.json('/api/settings')).status).toBe(200);
		// Restoring the old password does not restore the old sessions.
		const third = await restarted(next, { SUPERADMIN_PASSWORD: SUPERADMIN.password });
		for (const { cookie } of ada)
			expect(await statusOf(third, '/api/operations', cookie)).toBe(401);
	});

	test('the role is read from the configuration, not from the cookie', async () => {
		const dashboard = await dashboardWith();
		const [ada, bob] = [await signedIn(dashboard), await signedIn(dashboard, ADMIN)];
		expect(await statusOf(dashboard, '/api/settings', ada.cookie)).toBe(200);
		const swapped = await restarted(dashboard, {
			...{ SUPERADMIN_USERNAME: ADMIN.username, SUPERADMIN_PASSWORD: ADMIN.password },
			...{ ADMIN_USERNAME: SUPERADMIN.username, ADMIN_PASSWORD: SUPERADMIN.password }
		});
		expect(await statusOf(swapped, '/api/operations', ada.cookie)).toBe(200);
		expect(await statusOf(swapped, '/api/settings', ada.cookie)).toBe(403);
		expect(await statusOf(swapped, '/admin/settings', ada.cookie)).toBe(403);
		expect(await statusOf(swapped, '/api/settings', bob.cookie)).toBe(200);
		const gone = await restarted(swapped, {
			ADMIN_USERNAME: 'carol',
			ADMIN_PASSWORD: 'umbrella stand 7'
		});
		expect(await statusOf(gone, '/api/operations', ada.cookie)).toBe(401);
		expect(await statusOf(gone, '/api/operations', bob.cookie)).toBe(200);
	});
});

describe('the address of a client', () => {
	let dashboard: Dashboard;
	beforeAll(async () => {
		dashboard = await dashboardWith({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' });
	});
	const addresses = async (visitor: Visitor) => {
		const { entries } = (await visitor.json('/api/audit?limit=200')).body;
		return entries.map(({ address }: { address: string | null }) => address);
	};

	test('is what the trusted proxy says, and nobody before it; only superadmins see it', async () => {
		const wrong = { ...ADMIN, password: 'wrong wrong wrong' };
		const cases = [
			['203.0.113.7', '203.0.113.7'],
			['6.6.6.6, 203.0.113.8', '203.0.113.8'],
			['6.6.6.6, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
			['203.0.113.10 , ::ffff:10.1.2.3', '203.0.113.10'],
			['2001:db8::1', '2001:db8::1'],
			['<script>alert(1)</script>, 10.1.2.4', '10.1.2.4'],
			[`${'x'.repeat(4000)}`, '127.0.0.1'],
			['', '127.0.0.1']
		] as const;
		for (const [header, address] of cases) {
			const answer = await signInFrom(dashboard, wrong, header, { 'x-real-ip': '6.6.6.6' });
			expect(answer.status, header).toBe(303);
			const [newest] = await addresses(await signedIn(dashboard)).then((all) => all.slice(1));
			expect(newest, header).toBe(address);
		}
		const [bob, ada] = [await signedIn(dashboard, ADMIN), await signedIn(dashboard)];
		expect(new Set(await addresses(bob))).toEqual(new Set([null]));
		expect(JSON.stringify(await addresses(ada))).not.toMatch(/6\.6\.6\.6|script|xxx/);
		const file = await readFile(path.join(dashboard.dataDir, 'audit.jsonl'), 'utf8');
		expect(file).not.toMatch(/6\.6\.6\.6|script|xxx/);
	});

	test('decides who has to wait after wrong passwords, not the proxy that all come through', async () => {
		const own = await dashboardWith(BEHIND_PROXY);
		const wrong = { ...ADMIN, password: 'wrong wrong wrong' };
		for (let i = 0; i < 5; i++)
			expect((await signInFrom(own, wrong, `6.6.6.${i}, 203.0.113.7`)).status).toBe(303);
		expect((await signInFrom(own, ADMIN, '6.6.6.9, 203.0.113.7')).status).toBe(429);
		expect(outcome(await signInFrom(own, ADMIN, '203.0.113.8')).location).toBe('/admin');
	});
});

test('pages for logged-in users are stored by no cache', async () => {
	const dashboard = await dashboardWith();
	const ada = await signedIn(dashboard);
	const pages = ['/', '/login', '/admin', '/admin/activity', '/admin/settings'];
	const answers = ['status', 'operations', 'settings', 'audit', 'openapi.json'];
	const targets = [
		...pages,
		...pages.map((page) => `${page === '/' ? '' : page}/__data.json`),
		...answers.map((name) => `/api/${name}`)
	];
	for (const target of targets) {
		const { headers, body } = await ada.fetch(target);
		await body?.cancel();
		expect(headers.get('cache-control'), target).toMatch(/no-store/);
	}
	for (const target of ['/admin', '/api/operations', '/login']) {
		const { headers, body } = await new Visitor(dashboard).fetch(target);
		await body?.cancel();
		expect(headers.get('cache-control') ?? '', target).not.toMatch(/public|max-age=[1-9]/);
	}
});
