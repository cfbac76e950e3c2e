import type { Locator, Page } from '@playwright/test';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SUPERADMIN } from '../harness.ts';
import { expect, ready, signIn, test } from './fixtures.ts';

/** From here on the worker answers this page's requests. */
async function controlled(page: Page) {
	await page.evaluate(async () => void (await navigator.serviceWorker.ready));
	await page.reload();
	await ready(page);
	expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** Everything in every cache: address and text. */
const cached = (page: Page) =>
	page.evaluate(async () => {
		const found: { path: string; text: string }[] = [];
		for (const name of await caches.keys()) {
			const cache = await caches.open(name);
			for (const request of await cache.keys()) {
				const response = await cache.match(request, { ignoreVary: true });
				const { pathname, search } = new URL(request.url);
				found.push({ path: pathname + search, text: (await response?.text()) ?? '' });
			}
		}
		return found;
	});
const pagesOf = (all: { path: string }[]) =>
	all.map(({ path }) => path).filter((path) => !/^\/(?:_app|icons)\/|\.\w+(?:\?|$)/.test(path));

test('the dashboard can be installed', async ({ page }) => {
	test.setTimeout(180_000);
	await page.goto('/login');
	await expect(page.locator('head link[rel="manifest"]')).toHaveCount(1);
	await page.goto('/');
	await ready(page);
	await controlled(page);
	const session = await page.context().newCDPSession(page);
	const { errors, data, url } = await session.send('Page.getAppManifest');
	expect(errors).toEqual([]);
	const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
	const real = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
	expect(real).toEqual([]);

	const manifest = JSON.parse(data!);
	expect(manifest).toMatchObject({ name: 'Craftwarden', display: 'standalone', scope: '/' });
	for (const purpose of ['any', 'maskable'])
		for (const sizes of ['192x192', '512x512'])
			expect(manifest.icons).toContainEqual(expect.objectContaining({ purpose, sizes }));
	const pictures = [...manifest.icons, ...manifest.screenshots].filter(
		({ type }) => type === 'image/png'
	);
	for (const { src, sizes } of pictures) {
		const size = await page.evaluate(async (address) => {
			const picture = new Image();
			picture.src = address;
			await picture.decode();
			return `${picture.naturalWidth}x${picture.naturalHeight}`;
		}, new URL(src, url).href);
		expect(size, src).toBe(sizes);
	}
	await signIn(page);
	for (const shortcut of manifest.shortcuts) {
		await page.goto(shortcut.url);
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(shortcut.name);
	}
});

test('caches contain the shell and public data, never answers, and nothing after logging out', async ({
	page
}) => {
	test.setTimeout(180_000);
	await page.goto('/');
	await ready(page);
	await controlled(page);
	await expect.poll(async () => pagesOf(await cached(page))).toEqual(['/']);
	await signIn(page);
	for (const path of ['/admin/players', '/admin/logs', '/', '/admin']) {
		await page.goto(path);
		await ready(page);
	}
	// Pages by the router, too: their data are an address of their own.
	await page.getByRole('navigation').getByRole('link', { name: 'Chat' }).first().click();
	await expect(page).toHaveURL(/chat/);
	await page.evaluate(() =>
		Promise.all(
			['/api/status', '/api/operations', '/healthz', '/auth/session'].map((path) => fetch(path))
		)
	);
	const during = await cached(page);
	expect(pagesOf(during)).toEqual(['/']);
	expect(
		during.map(({ path }) => path).filter((path) => /api|auth|__data|healthz/.test(path))
	).toEqual([]);
	expect(during.some(({ path }) => path.startsWith('/_app/immutable/'))).toBe(true);
	const secret = new RegExp(
		`${SUPERADMIN.username}\\b.*Log out|Log out ${SUPERADMIN.username}`,
		's'
	);
	expect(during.filter(({ path, text }) => !path.startsWith('/_app') && secret.test(text))).toEqual(
		[]
	);

	await page.keyboard.press('Control+k');
	await page.getByRole('combobox').fill('logs');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/admin\/logs/);
	const kept = () =>
		page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('recent')));
	expect(await kept()).toHaveLength(1);
	await page
		.getByRole('button', { name: /^Log out/ })
		.first()
		.click();
	await page.waitForURL('**/');
	await ready(page);
	await expect.poll(kept).toEqual([]);
	const after = await cached(page);
	expect(pagesOf(after).filter((path) => path !== '/')).toEqual([]);
	expect(after.filter(({ path, text }) => !path.startsWith('/_app') && secret.test(text))).toEqual(
		[]
	);
});

test('without a network the shell opens, other pages say so, and both banners say what is outdated', async ({
	page,
	context,
	dashboard
}) => {
	await page.goto('/');
	await ready(page);
	await controlled(page);
	const title = await page.getByRole('heading', { level: 1 }).textContent();
	await signIn(page);
	await ready(page);
	await expect(page.getByRole('banner')).toContainText('Page in sync');
	// By then nothing more is asked for: a load that is cut off would leave the page.
	const glance = page.getByRole('region', { name: 'At a glance' });
	await expect(glance).toContainText('None yet');
	await expect(glance).not.toContainText('Not known');
	await expect(page.getByText(/^\s*(Finding out what needs|Still finding out)/)).toHaveCount(0);
	/** On a phone the page stays where it is under a thumb, and the words are in the top bar. */
	const placesAt = async (width: number) => {
		await page.setViewportSize({ width, height: 844 });
		const parts = [
			page.getByRole('heading', { level: 1 }),
			page.getByRole('button', { name: /^Stop/ })
		];
		return Promise.all(parts.map((one) => one.boundingBox()));
	};
	const before = [await placesAt(320), await placesAt(390)];
	const movesNothing = async (words: Locator) => {
		expect([await placesAt(320), await placesAt(390)]).toEqual(before);
		const bar = (await page.getByRole('banner').boundingBox())!;
		const said = (await words.boundingBox())!;
		expect(bar.y).toBe(0);
		expect(said.y).toBeGreaterThanOrEqual(0);
		expect(said.y + said.height).toBeLessThanOrEqual(bar.height);
		await page.setViewportSize({ width: 1280, height: 720 });
	};
	await context.setOffline(true);
	const offline = page.getByText('You are offline. What you see may be old.');
	await expect(offline).toBeVisible();
	await movesNothing(offline);
	await context.setOffline(false);
	await expect(page.getByText('You are offline')).toBeHidden();
	// By then it has caught up: a load that is cut off would leave the page.
	await page.keyboard.press('r');
	await expect(page.getByText('Everything on this page is up to date.').first()).toBeVisible();

	await dashboard.kill('SIGKILL');
	const lost = page.getByText(/^Disconnected since .+ Reconnecting …$/);
	await expect(lost).toBeVisible({ timeout: 20_000 });
	await movesNothing(lost);
	await page.keyboard.press('r');
	await expect(page.getByText('The dashboard does not answer.', { exact: true })).toBeVisible();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
	await page.goto('/admin/players');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(
		'The dashboard cannot be reached'
	);
	expect(await page.locator('link[rel="stylesheet"], style').count()).toBe(0);
	await page.goto('/');
	await ready(page);
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(title!);
	await page.goto('/admin/players');
	const again = await dashboard.again({ PORT: new URL(dashboard.url).port });
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Players', { timeout: 25_000 });
	await again.kill();
});

test('a new version waits until somebody asks for it', async ({ page, dashboard }) => {
	// Sits between browser and dashboard: serves another worker when told to.
	const target = new URL(dashboard.url);
	const state = { newer: false };
	const proxy = createServer((request, response) => {
		const { method, url: path, headers } = request;
		if (state.newer && path === '/service-worker.js') delete headers['accept-encoding'];
		const onward = forward({ host: target.hostname, port: target.port, method, path, headers });
		onward.on('response', (answer) => {
			const more = state.newer && path === '/service-worker.js' ? '\n// newer' : '';
			const { 'content-length': length, ...rest } = answer.headers;
			const size = length && { 'content-length': String(Number(length) + more.length) };
			response.writeHead(answer.statusCode!, { ...rest, ...size });
			answer.pipe(response, { end: !more });
			if (more) answer.on('end', () => response.end(more));
		});
		onward.on('error', () => response.destroy());
		request.pipe(onward);
	}).listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	try {
		const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
		await page.goto(`${address}/login?callbackUrl=/admin/players`);
		await page.getByLabel('User name').fill(SUPERADMIN.username);
		await page.getByLabel('Password').fill(SUPERADMIN.password);
		await page.getByRole('button', { name: 'Log in' }).click();
		// The address of the sign-in page ends with the same words.
		await page.waitForURL(/^[^?]*\/admin\/players/);
		await controlled(page);
		const field = page.getByRole('searchbox');
		await field.fill('half a na');
		const bar = page.getByText('A new version is ready.');
		await expect(bar).toBeHidden();
		state.newer = true;
		await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
		await expect(bar).toBeVisible();
		await expect(field).toHaveValue('half a na');
		const loaded = page.waitForEvent('load');
		await page.getByRole('button', { name: 'Reload' }).click();
		await loaded;
		await ready(page);
		await expect(bar).toBeHidden();
		expect(
			await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)
		).toBeNull();
	} finally {
		proxy.closeAllConnections();
		proxy.close();
	}
});

test('where browsers have no worker, on plain http by address, everything else works', async ({
	page
}) => {
	await page.addInitScript(() => {
		delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
	});
	await signIn(page);
	await ready(page);
	expect(await page.evaluate(() => 'serviceWorker' in navigator)).toBe(false);
	await page.keyboard.press('Control+k');
	await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
});
