import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { modJar } from '../../../scripts/demo-server/seed/seed-mods.ts';
import { ADMIN } from '../../harness.ts';
import { startGame } from '../game.ts';
import { expect, ready, signIn, test } from '../fixtures.ts';
import { ADMIN_PAGES, addressOf, furnish, MISSING_PAGES, PUBLIC_PAGES } from '../pages.ts';

/** 320 px are the narrowest phone, and 1280 px at a zoom of 400 %. */
test.use({
	viewport: { width: 320, height: 640 },
	env: {
		SERVER_NAME: 'Emberfall-the-long-awaited-second-season-of-the-lantern-keepers'
	}
});
test.setTimeout(400_000);

/** Elements that overflow to the side, by their place in the page; empty for a page that fits. */
const wide = () => {
	const { scrollWidth, clientWidth } = document.documentElement;
	const right = (one: Element) => one.getBoundingClientRect().right;
	const named = (all: Element[]) =>
		all.slice(0, 8).map((one) => `${one.tagName.toLowerCase()}.${one.className}`);
	// A panel clips what is wider, so the page does not scroll.
	const cut = [...document.querySelectorAll('.panel :is(label, input, select, button, .muted)')];
	const out = cut.filter(
		(one) => !one.closest('.clip') && right(one) > right(one.closest('.panel')!) + 1
	);
	if (scrollWidth <= clientWidth) return named(out.filter((one) => one.checkVisibility()));
	const over = [...document.querySelectorAll('body *')].filter(
		(one) => right(one) > clientWidth + 1 && one.checkVisibility()
	);
	return [`${scrollWidth} px`, ...named(over)];
};

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('no page scrolls sideways at 320 px, signed in or not', async ({ page, dashboard }) => {
			const sideways: Record<string, string[]> = {};
			const check = async (target: string) => {
				await page.goto(target);
				if (javaScriptEnabled) await ready(page);
				const found = await page.evaluate(wide);
				if (found.length) sideways[target] = found;
			};
			for (const target of [...PUBLIC_PAGES, MISSING_PAGES[0]!]) await check(target);
			// Before, since without JavaScript the overview loads itself again while it finds out what needs attention.
			const facts = await furnish(dashboard);
			await startGame(dashboard);
			await signIn(page);
			for (const target of [...ADMIN_PAGES, ...MISSING_PAGES])
				await check(addressOf(target, facts));
			expect(sideways).toEqual({});
		});
	});

test('the top bar keeps the server’s name at every width, and More shows every place', async ({
	page
}) => {
	const READABLE_PX = 100;
	await signIn(page, ADMIN);
	await ready(page);
	const name = page.getByRole('banner').getByText(/^Emberfall/);
	for (const width of [320, 390, 640, 719, 720, 768, 1024, 1100, 1280, 1920]) {
		await page.setViewportSize({ width, height: 640 });
		expect((await name.boundingBox())!.width, `${width} px`).toBeGreaterThan(READABLE_PX);
		expect(await page.evaluate(wide), `${width} px`).toEqual([]);
	}
	await page.setViewportSize({ width: 320, height: 640 });
	await page.getByText('More', { exact: true }).click();
	const places = page.locator('.sheet').getByRole('link');
	await expect(places.first()).toBeInViewport({ ratio: 1 });
	await expect(places.last()).toBeInViewport({ ratio: 1 });
});

test('the server’s buttons stand in one line, each with its word in one', async ({ page }) => {
	await signIn(page);
	const words = ['Start', 'Restart', 'Stop', 'Kill'];
	const places = () =>
		Promise.all(
			words.map(async (name) => {
				const button = page.getByRole('button', { name, exact: true });
				const high = (one: Element) => {
					const range = document.createRange();
					range.selectNodeContents(one.querySelector('span:last-child')!);
					return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
				};
				return [(await button.boundingBox())!.y, await button.evaluate(high)];
			})
		);
	for (const width of [320, 345, 375, 390, 430, 640]) {
		await page.setViewportSize({ width, height: 640 });
		const all = await places();
		expect(new Set(all.map(([top]) => top)).size, `${width} px`).toBe(1);
		expect(
			all.map(([, lines]) => lines),
			`${width} px`
		).toEqual([1, 1, 1, 1]);
	}
});

test('what is under way is read whole in the top bar, beside a long name, and moves nothing as it begins', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	const visitor = await startGame(dashboard);
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.goto('/admin/chat');
	const bar = page.getByRole('banner');
	const commands = bar.getByRole('button', { name: /Commands/ });
	const places = () =>
		Promise.all([bar.getByText(/^Emberfall/), commands].map((one) => one.boundingBox()));
	await expect(bar).toContainText('/20');
	const before = await places();
	// Its copies take so long that it goes on to the end.
	await writeFile(
		path.join(dashboard.gameDir, 'demo-faults.json'),
		JSON.stringify({ bootMs: 60_000 })
	);
	await visitor.json('/api/mods/culprit', { scope: 'all' });
	const title = bar.getByRole('link', { name: /^In progress/ }).locator('.title');
	await expect(title).toBeVisible();
	expect(await places()).toEqual(before);
	for (const width of [1024, 1100, 1280, 1440]) {
		await page.setViewportSize({ width, height: 800 });
		const cut = (one: Element) => [
			one.scrollHeight - one.clientHeight,
			one.scrollWidth - one.clientWidth
		];
		expect(await title.evaluate(cut), `${width} px`).toEqual([0, 0]);
	}
	// A phone on its side, and more people than usual: what the bar has room for is seen.
	await bar.getByText('/20').evaluate((one) => (one.textContent = '100/200'));
	for (const [width, height] of [
		[844, 390],
		[1024, 768]
	] as const) {
		await page.setViewportSize({ width, height });
		await expect(title).toBeVisible();
		for (const fact of [bar.getByText('100/200'), bar.locator('.tps')])
			await expect(fact, `${width} px`).toBeInViewport({ ratio: 1 });
	}
});

/** Text that ends in an ellipsis and can be read nowhere: neither as a title nor by opening what it stands on. */
const unreadable = () =>
	[...document.querySelectorAll('main *')]
		.filter((one) => one.checkVisibility() && one.clientWidth > 1 && !one.matches('input, select'))
		.filter((one) => one.scrollWidth > one.clientWidth + 1)
		.filter((one) => !['visible', 'auto', 'scroll'].includes(getComputedStyle(one).overflowX))
		.filter((one) => !one.closest('[title], a, li:has(a)'))
		.map((one) => one.outerHTML.slice(0, 120));

test('sixty players and two hundred mods with names of every kind fit into 320 px, as does nobody at all', async ({
	page,
	dashboard
}) => {
	const NAMES = [
		'W'.repeat(48),
		'فانوس'.repeat(9),
		'🏮'.repeat(24),
		'\u202eevil',
		'a b'.repeat(16)
	];
	const named = (i: number) => `${NAMES[i % NAMES.length]}${i}`;
	const list = (entries: unknown[]) => JSON.stringify(entries);
	const people = Array.from({ length: 60 }, (_, i) => ({
		uuid: `00000000-0000-3000-8000-${i.toString(16).padStart(12, '0')}`,
		name: named(i),
		reason: named(i).repeat(2),
		created: '2026-01-02 03:04:05 +0000',
		...{ source: named(i + 1), expires: 'forever', level: 4, bypassesPlayerLimit: false },
		expiresOn: '2099-01-02 03:04:05 +0000'
	}));
	const LISTS = ['whitelist', 'banned-players', 'ops', 'usercache'];
	const write = (entries: unknown[]) =>
		Promise.all(
			LISTS.map((name) => writeFile(path.join(dashboard.gameDir, `${name}.json`), list(entries)))
		);
	await signIn(page);
	const look = async (target: string) => {
		await page.goto(target);
		await ready(page);
		expect(await page.evaluate(wide), target).toEqual([]);
		expect(await page.evaluate(unreadable), target).toEqual([]);
	};
	const PAGES = ['ops', 'whitelist', 'bans', 'everyone'].map((tab) => `/admin/players?tab=${tab}`);
	await write([]);
	for (const target of PAGES) await look(target);
	await write(people);
	for (let i = 0; i < 200; i++) {
		const jar = { id: `kit-${i}`, version: `${i}.0.1+${'1'.repeat(30)}`, name: named(i) };
		const file = path.join(dashboard.gameDir, 'mods', `${'k'.repeat(48)}-${i}.jar`);
		await writeFile(file, modJar({ ...jar, description: named(i).repeat(3) }));
	}
	const mod = (i: number) => `/admin/mods?mod=${'k'.repeat(48)}-${i}.jar`;
	// Whoever looked a moment ago is answered from the cache.
	await expect(async () => {
		await page.goto('/admin/players?tab=ops');
		await expect(page.locator('main li').filter({ hasText: 'WWWW' }).first()).toBeVisible();
	}).toPass({ timeout: 30_000 });
	for (const [width, height] of [
		[320, 640],
		[320, 200],
		[390, 844]
	] as const) {
		await page.setViewportSize({ width, height });
		for (const target of [
			...PAGES,
			...people.slice(0, 5).map(({ uuid }) => `/admin/players/${uuid}`),
			'/admin/mods',
			...[0, 1, 2, 3, 4].map(mod)
		])
			await look(target);
	}
});
