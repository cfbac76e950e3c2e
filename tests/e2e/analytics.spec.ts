import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDashboard, type Dashboard } from '../harness.ts';
import { flaws, flawsInTheDark } from './walks/axe.ts';
import { expect, noSidewaysScroll, ready, signIn, test as base } from './fixtures.ts';
import { startGame } from './game.ts';

const MINUTE_MS = 60_000;

/** Two hours (or more) of a sample a minute, with a gap in the middle and a crash at its beginning. */
async function measure(dataDir: string, minutes: number) {
	const now = Date.now();
	const ages = Array.from({ length: minutes }, (_, i) => minutes - i).filter(
		(age) => age < 50 || age > 70
	);
	const lines = ages.map((age) => ({
		...{ t: now - age * MINUTE_MS, ram: 2e9 + age * 1e6, cpu: age, players: age % 5 },
		...{ tps: 20, mspt: null }
	}));
	const text = (all: object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('');
	await writeFile(path.join(dataDir, 'metrics.jsonl'), text(lines));
	const t = new Date(now - 70 * MINUTE_MS).toISOString();
	await writeFile(
		path.join(dataDir, 'metric-events.jsonl'),
		text([{ t, kind: 'crash', label: 'Crashed' }])
	);
}

/** Before the dashboard starts: soon after, it reads what was measured, and keeps its answers for half a minute. */
const test = base.extend<{ minutes: number }>({
	minutes: [120, { option: true }],
	dashboard: async ({ env, minutes }, use) => {
		const home = await mkdtemp(path.join(tmpdir(), 'craftwarden-'));
		const dataDir = path.join(home, 'data');
		await mkdir(dataDir, { mode: 0o700 });
		await measure(dataDir, minutes);
		const dashboard = await startDashboard({ env, home });
		await use(dashboard);
		await dashboard.dispose();
	}
});

const LONG_LABEL = 'Restored the backup of 24 Nov 2026, 14:05:09 before the summer';
/** What happened so many minutes ago. */
async function mark({ dataDir }: Dashboard, ages: (readonly [number, string])[]) {
	const lines = ages.map(([age, label]) =>
		JSON.stringify({
			t: new Date(Date.now() - age * MINUTE_MS).toISOString(),
			...{ kind: label === 'Crashed' ? 'crash' : 'restore', label }
		})
	);
	await writeFile(path.join(dataDir, 'metric-events.jsonl'), lines.join('\n') + '\n');
}

test('graphs that end now keep updating, and a chosen range stays', async ({ page }) => {
	await signIn(page);
	await page.clock.install();
	await page.goto('/admin/analytics?window=6h');
	await ready(page);
	const updated = page.getByText(/^Updated /);
	const ram = page.getByRole('region', { name: 'RAM' });
	await ram.evaluate((element) => Object.assign(element, { kept: true }));
	const before = await updated.textContent();
	// The server keeps its own answer for as long: what it will say later is made up of what it says now.
	await page.route('**/api/analytics?*', async (route) => {
		const response = await route.fetch();
		const answer = await response.json();
		const to = new Date(Date.parse(answer.to) + 5 * MINUTE_MS).toISOString();
		await route.fulfill({ response, json: { ...answer, to } });
	});
	await page.clock.fastForward(31_000);
	await expect(updated).not.toHaveText(before!);
	expect(await ram.evaluate((element) => 'kept' in element)).toBe(true);
	await page.unrouteAll({ behavior: 'wait' });

	await page.route('**/api/analytics?*', (route) => route.abort());
	await page.clock.fastForward(31_000);
	await expect(updated).toContainText('The dashboard does not answer.');
	await expect(ram.getByRole('img')).toBeVisible();
});

test('what is said of now was measured now, however long the steps, and is left out of a time that is over', async ({
	page,
	dashboard
}) => {
	const visitor = await startGame(dashboard);
	const measured = async () => (await visitor.json('/api/analytics/now')).body.ramBytes;
	await expect.poll(measured, { timeout: 30_000 }).not.toBeNull();
	await signIn(page);
	await page.goto('/admin/analytics?window=90d');
	await ready(page);
	const ram = page.getByRole('region', { name: 'RAM' });
	// The mean of the last step is some 2 GB.
	await expect(ram).toContainText(/Now 0\.\d\d GB/);
	// What is measured now belongs to the lowest and the highest, in the unit of the others.
	await expect(
		ram.getByRole('img', {
			name: /^RAM: lowest 0\.\d\d GB, average [12]\.\d\d GB, highest 2\.12 GB;.* now 0\.\d\d GB$/
		})
	).toBeVisible();
	// The oldest step has the highest value, wherever in a day the steps begin: it may be all that there is of it.
	await page.getByRole('slider', { name: 'RAM over time' }).press('Home');
	await expect(ram).toContainText(
		/(?:, average [12]\.\d\d GB between [02]\.\d\d and|:00) 2\.12 GB/
	);
	// The last step is read as well, though it ends after now.
	await page.getByRole('slider', { name: 'RAM over time' }).press('End');
	await expect(ram).not.toContainText('Now');
	const later = page.getByRole('link', { name: 'Later' });
	await expect(later).toHaveCount(0);
	await page.getByRole('link', { name: 'Earlier' }).click();
	await expect(page).toHaveURL(/from=/);
	await expect(page.getByText('Now', { exact: true })).toHaveCount(0);
	// Back to what ends now, and no further.
	await later.click();
	await expect(page).toHaveURL(/window=90d$/);
	await expect(later).toHaveCount(0);
});

for (const width of [390, 1280])
	test(`graphs and their table are accessible with samples, a gap and a mark, at ${width} px`, async ({
		page
	}) => {
		test.setTimeout(120_000);
		await page.setViewportSize({ width, height: 844 });
		await signIn(page);
		for (const view of ['', '&view=table']) {
			await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
			await page.goto(`/admin/analytics?window=6h${view}`);
			await ready(page);
			if (view) await expect(page.getByText('Crashed')).toBeVisible();
			else await expect(page.getByRole('button', { name: /^Crashed, / })).toBeVisible();
			expect([...(await flaws(page)), ...(await flawsInTheDark(page))]).toEqual([]);
			await noSidewaysScroll(page);
			const table = page.getByRole('region', { name: 'Table of the means' });
			if (view) expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
		}
	});

test('another time opens below its button, which stays where it is, at every width', async ({
	page
}) => {
	await signIn(page);
	for (const width of [390, 768, 1280]) {
		await page.setViewportSize({ width, height: 844 });
		await page.goto('/admin/analytics');
		await ready(page);
		const other = page.getByText('Custom range');
		const before = await other.boundingBox();
		await other.click();
		await expect(page.getByLabel('From')).toBeVisible();
		expect(await other.boundingBox(), `at ${width} px`).toEqual(before);
		// It covers nothing.
		const show = (await page.getByRole('button', { name: 'Show' }).boundingBox())!;
		const earlier = (await page.getByRole('link', { name: 'Earlier' }).boundingBox())!;
		expect(earlier.y).toBeGreaterThanOrEqual(show.y + show.height);
		await noSidewaysScroll(page);
		await page.getByRole('button', { name: 'Show' }).click();
		await expect(page).toHaveURL(/from=.+&to=/);
		await expect(page.getByLabel('From')).toBeHidden();
	}
});

test('a range that ends before it begins is not shown, and says why', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/analytics');
	await ready(page);
	await page.getByText('Custom range').click();
	await page.getByLabel('To', { exact: true }).fill('2020-01-02T03:04');
	await page.getByRole('button', { name: 'Show' }).click();
	const wrong = page.getByRole('alert').filter({ hasText: 'It ends before it begins' });
	await expect(wrong).toBeVisible();
	await expect(page).toHaveURL(/\/admin\/analytics$/);
	await page.getByLabel('From', { exact: true }).fill('2020-01-01T03:04');
	await expect(wrong).toBeHidden();
	await page.getByRole('button', { name: 'Show' }).click();
	await expect(page).toHaveURL(/from=.+&to=/);
});

test('a day is looked at by two presses, from its midnight to the next', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/analytics');
	await ready(page);
	await page.getByText('Custom range').click();
	await page.getByRole('button', { name: 'Yesterday' }).click();
	await expect(page).toHaveURL(/from=.+&to=/);
	await expect(page.getByLabel('From')).toBeHidden();
	const chosen = new URL(page.url()).searchParams;
	const [from, to] = ['from', 'to'].map((name) => new Date(chosen.get(name)!));
	const [start, end] = await page.evaluate(() => {
		const now = new Date();
		return [1, 0].map((ago) =>
			new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago).toISOString()
		);
	});
	expect([from!.toISOString(), to!.toISOString()]).toEqual([start, end]);
});

test('what ends now is zoomed towards now, and a chosen time has a title of two lines at 390 px', async ({
	page
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page);
	await page.goto('/admin/analytics?window=24h');
	await ready(page);
	const zoomIn = page.getByRole('link', { name: 'Zoom in' });
	const before = await zoomIn.boundingBox();
	await zoomIn.click();
	await expect(page.getByRole('heading', { name: 'Last 12 hours' })).toBeVisible();
	// It is pressed again in the same place.
	expect(await zoomIn.boundingBox()).toEqual(before);
	await zoomIn.click();
	await expect(page.getByRole('heading', { name: 'Last 6 hours' })).toBeVisible();
	await page.goto('/admin/analytics?window=1h');
	await ready(page);
	await zoomIn.click();
	await expect(page).toHaveURL(/from=.+&to=/);
	const { searchParams } = new URL(page.url());
	expect(Date.now() - Date.parse(searchParams.get('to')!)).toBeLessThan(MINUTE_MS);
	await page.goto('/admin/analytics?from=2026-01-30T10:00:00Z&to=2026-01-31T22:00:00Z');
	await ready(page);
	const title = page.getByRole('heading', { name: /^30 Jan, .+ – / });
	const lines = await title.evaluate((one) => {
		const range = document.createRange();
		range.selectNodeContents(one);
		return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
	});
	expect(lines).toBeLessThanOrEqual(2);
	await noSidewaysScroll(page);
});

test.describe('with a whole day of measurements', () => {
	test.use({ minutes: 24 * 60 });

	test('the table of a day has a row for each hour, keeps its view when zoomed, and gets shorter steps', async ({
		page
	}) => {
		await page.setViewportSize({ width: 390, height: 844 });
		await signIn(page);
		await page.goto('/admin/analytics?window=24h&view=table');
		await ready(page);
		const rows = page.getByRole('rowheader');
		await expect(page.getByText('Averages of 1 h each')).toBeVisible();
		expect(await rows.count()).toBeGreaterThan(22);
		expect(await rows.count()).toBeLessThanOrEqual(25);
		expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3000);
		await noSidewaysScroll(page);
		await page.getByRole('link', { name: 'Zoom in' }).click();
		await expect(page.getByText('Averages of 30 min each')).toBeVisible();
		await page.getByRole('link', { name: 'Earlier' }).click();
		await expect(page).toHaveURL(/from=.+&view=table/);
		await expect(rows.first()).toBeVisible();
	});
});

test('a wide screen has two columns of graphs, which nothing moves', async ({ page }) => {
	await page.setViewportSize({ width: 1920, height: 1080 });
	await signIn(page);
	// From here on the server knows the reader's time zone.
	await ready(page);
	await page.goto('/admin/analytics?window=6h');
	await ready(page);
	// In the page itself: the bar above it says when the stream has begun.
	const moved = await page.evaluate(
		() =>
			new Promise((resolve) => {
				type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
				const main = document.querySelector('main')!;
				const found: string[] = [];
				new PerformanceObserver((list) => {
					for (const { value, sources } of list.getEntries() as Shift[])
						for (const { node } of sources)
							if (node && main.contains(node))
								found.push(`${value} ${node.nodeName} ${node.textContent?.trim().slice(0, 40)}`);
				}).observe({ type: 'layout-shift', buffered: true });
				setTimeout(() => resolve(found), 500);
			})
	);
	expect(moved).toEqual([]);
	const boxOf = async (name: string) => (await page.getByRole('region', { name }).boundingBox())!;
	const [ram, cpu, players] = [await boxOf('RAM'), await boxOf('CPU'), await boxOf('Players')];
	expect(cpu.y).toBe(ram.y);
	expect(cpu.x).toBeGreaterThanOrEqual(ram.x + ram.width);
	expect(players.y).toBeGreaterThan(ram.y);
	expect(ram.width).toBeGreaterThan(700);
	await page.getByRole('slider', { name: 'CPU over time' }).press('Home');
	await expect(page.locator('.cross')).toHaveCount(4);
	expect([...(await flaws(page)), ...(await flawsInTheDark(page))]).toEqual([]);
	await noSidewaysScroll(page);
	await page.setViewportSize({ width: 1440, height: 900 });
	expect((await boxOf('CPU')).y).toBe((await boxOf('RAM')).y);
	expect((await boxOf('RAM')).width).toBeGreaterThan(560);
	await page.setViewportSize({ width: 1180, height: 800 });
	expect((await boxOf('CPU')).y).toBe((await boxOf('RAM')).y);
	expect((await boxOf('RAM')).width).toBeGreaterThan(450);
	await noSidewaysScroll(page);
	await page.setViewportSize({ width: 1170, height: 800 });
	expect((await boxOf('CPU')).y).toBeGreaterThan((await boxOf('RAM')).y);
});

test('the demo says that the day before it is made up, where it is', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	const note = page.getByText('the day before its first start is made up');
	await page.goto('/admin');
	await expect(page.getByRole('heading', { name: 'The last 6 hours' })).toBeVisible();
	await expect(note).toHaveCount(0);
	const until = new Date(Date.now() - 60 * MINUTE_MS).toISOString();
	await dashboard.kill();
	await writeFile(path.join(dashboard.dataDir, 'demo-day.json'), JSON.stringify({ until }));
	const { url } = await dashboard.again();
	for (const address of ['/admin', '/admin/analytics?window=6h']) {
		await page.goto(url + address);
		await expect(note).toBeVisible();
	}
	// The start is moved back to a whole step.
	const later = new Date(Date.parse(until) + 5 * MINUTE_MS).toISOString();
	await page.goto(`${url}/admin/analytics?from=${later}&to=${new Date().toISOString()}`);
	await expect(page.getByRole('heading', { name: 'Analytics' })).toBeVisible();
	await expect(note).toHaveCount(0);
});

test.describe('with a few minutes of measurements', () => {
	// Less than three quarters of what is shown: the answer begins at a whole step of five minutes.
	test.use({ minutes: 8 });

	test('no more time is shown than they nearly fill, and each event leads to its moment', async ({
		page
	}) => {
		await page.setViewportSize({ width: 390, height: 844 });
		await signIn(page);
		await page.goto('/admin/analytics');
		await ready(page);
		await expect(page.getByRole('heading', { name: 'Last 15 minutes' })).toBeVisible();
		await page.getByRole('link', { name: 'Zoom out' }).click();
		await expect(page.getByRole('heading', { name: 'Last 1 hour' })).toBeVisible();
		await page.goto('/admin/analytics?window=6h');
		await ready(page);
		const event = page.getByRole('list', { name: 'Events' }).getByRole('link').first();
		await event.click();
		await expect(page).toHaveURL(/from=.+&to=/);
		await noSidewaysScroll(page);
	});
});

test.describe('with half an hour of measurements', () => {
	test.use({ minutes: 20 });

	test('the last hour is shown first, and a day to whoever asks for it', async ({ page }) => {
		await signIn(page);
		const chosen = page.getByRole('navigation', { name: 'Time' }).locator('[aria-current]');
		await page.goto('/admin/analytics');
		await expect(chosen).toHaveAccessibleName('1 hour');
		await page.goto('/admin/analytics?window=24h');
		await expect(chosen).toHaveAccessibleName('24 hours');
	});
});

test('a cursor moves along a graph with the keys and reads out values, which are in words', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/analytics?window=6h');
	await ready(page);
	const cpu = page.getByRole('region', { name: 'CPU' });
	await expect(cpu).toContainText(
		// It may have been yesterday.
		/lowest 1\.0 %, average \d+ %, highest 120 %\s\((\d+ \S+, )?\d\d:\d\d\) \d+ % is all of \d+ cores?/
	);
	await expect(page.getByRole('region', { name: 'MSPT' })).toContainText('Not known in this time.');
	const cursor = cpu.getByRole('slider', { name: 'CPU over time' });
	await cursor.focus();
	await page.keyboard.press('Home');
	await expect(cursor).toHaveAttribute('aria-valuetext', /^\d\d:\d\d(:\d\d)?: 1(19|20) %[,;]/);
	await page.keyboard.press('ArrowRight');
	await expect(cursor).toHaveAttribute('aria-valuetext', /: 11\d %[,;]/);
	await expect(page.getByText('drag sideways to look closer')).toBeVisible();
	await expect(page.getByText('pinch')).toBeHidden();
	// The same moment in the other graphs.
	await expect(page.locator('.cross')).toHaveCount(4);
	await page.keyboard.press('End');
	// One measurement of the two, or both.
	await expect(cursor).toHaveAttribute('aria-valuetext', /: (1\.0|1\.5|2\.0) %[,;]/);
	await page.keyboard.press('Escape');
	await expect(page.locator('.cross')).toHaveCount(0);

	const flag = page.getByRole('button', { name: /^Crashed, / });
	await flag.focus();
	await page.keyboard.press('Tab');
	await expect(page.getByRole('link', { name: 'Look closer' })).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(page.getByRole('link', { name: 'Look closer' })).toBeHidden();
});

test('a history by the minute is joined in the window of an hour', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/analytics?window=1h');
	const line = page.getByRole('region', { name: 'CPU' }).locator('.curve').first();
	expect((await line.getAttribute('d'))!.match(/M/g)).toHaveLength(1);
	await expect(page.locator('.lone')).toHaveCount(0);
});

test.describe('by touch', () => {
	test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

	test('a tap on a flag tells about that flag within the panel, and leads elsewhere only when asked to', async ({
		page,
		dashboard
	}) => {
		await mark(dashboard, [
			...[350, 250, 200, 150, 100, 40].map((age) => [age, LONG_LABEL] as const),
			[20, 'Crashed'],
			[17, 'Started'],
			[2, LONG_LABEL]
		]);
		await signIn(page);
		await page.goto('/admin/analytics?window=6h');
		await ready(page);
		await expect(page.getByText('Tap or hold to read values, pinch to zoom.')).toBeVisible();
		await expect(page.getByText('drag sideways')).toBeHidden();
		const panel = (await page.getByRole('region', { name: 'Last 6 hours' }).boundingBox())!;
		const words = page.locator('section .words:visible');
		const graphs = ['RAM', 'MSPT'].map((name) => page.getByRole('region', { name }));
		for (const graph of graphs) {
			const flags = graph.locator('li > .pole');
			await expect(flags).toHaveCount(8);
			for (const flag of await flags.all()) {
				await flag.scrollIntoViewIfNeeded();
				await flag.tap();
				await expect(words).toHaveCount(1);
				const [said] = (await flag.getAttribute('aria-label'))!.split(',');
				await expect(words).toContainText(said!);
				const { x, width } = (await words.boundingBox())!;
				expect(x).toBeGreaterThan(panel.x);
				expect(x + width).toBeLessThan(panel.x + panel.width);
			}
			const { y, height } = (await words.boundingBox())!;
			const { y: top, height: most } = (await graph.locator('..').boundingBox())!;
			expect(y + height).toBeLessThan(top + most);
			await page.keyboard.press('Escape');
			await expect(words).toHaveCount(0);
		}
		expect(page.url()).toMatch(/window=6h$/);
		await graphs[0]!.getByRole('button', { name: /^Crashed, / }).tap();
		await expect(words).toContainText(/Crashed.+Started/);
		await words.getByRole('link', { name: 'Look closer' }).tap();
		await expect(page).toHaveURL(/from=.+&to=/);
		// Each has a flag of its own there, and neither is open.
		await expect(graphs[0]!.getByRole('button', { name: /^Started, / })).toBeVisible();
		await expect(words).toHaveCount(0);
	});

	test('a tap on the graph right below a flag places the crosshair, and opens no flag', async ({
		page
	}) => {
		await signIn(page);
		await page.goto('/admin/analytics?window=6h');
		await ready(page);
		const graph = page.getByRole('region', { name: 'CPU' });
		const cursor = graph.getByRole('slider');
		await cursor.evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }));
		const { x } = (await graph.locator('.flag').boundingBox())!;
		const { y } = (await cursor.boundingBox())!;
		const session = await page.context().newCDPSession(page);
		for (const [aside, down, radius] of [
			[0, 2, 1],
			[12, 8, 14],
			[-12, 16, 14]
		] as const) {
			const finger = { x: x + aside, y: y + down, radiusX: radius, radiusY: radius };
			await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] });
			await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
			const cross = graph.locator('.cross');
			// What was measured nearest to it.
			await expect
				.poll(async () => Math.abs((await cross.boundingBox())!.x - finger.x))
				.toBeLessThan(12);
			await expect(page.locator('section .words:visible')).toHaveCount(0);
		}
	});

	test('zooming in is around the moment that was tapped', async ({ page }) => {
		await signIn(page);
		await page.goto('/admin/analytics?window=6h');
		await ready(page);
		const cursor = page.getByRole('slider', { name: 'RAM over time' });
		await cursor.scrollIntoViewIfNeeded();
		const { x, y, width, height } = (await cursor.boundingBox())!;
		await page.touchscreen.tap(x + width * 0.5, y + height / 2);
		await page.getByRole('link', { name: 'Zoom in' }).tap();
		await expect(page).toHaveURL(/from=.+&to=/);
		const { searchParams } = new URL(page.url());
		const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name)!));
		// Half of what was shown, which begins with a whole step of two minutes.
		expect(Math.abs((to! - from!) / MINUTE_MS - 180)).toBeLessThan(2);
		// From an hour and a half to four and a half hours ago.
		expect(Math.abs(Date.now() - to! - 90 * MINUTE_MS)).toBeLessThan(20 * MINUTE_MS);
	});

	test('a tap and a long press place the crosshair, a drag scrolls, two fingers zoom', async ({
		page
	}) => {
		await signIn(page);
		await page.goto('/admin/analytics?window=6h');
		await ready(page);
		const flag = (await page.getByRole('button', { name: /^Crashed, / }).boundingBox())!;
		expect(Math.min(flag.width, flag.height)).toBeGreaterThanOrEqual(44);
		const cursor = page.getByRole('slider', { name: 'CPU over time' });
		await cursor.scrollIntoViewIfNeeded();
		const place = () => cursor.evaluate((element) => element.getBoundingClientRect().toJSON());
		const session = await page.context().newCDPSession(page);
		const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
			session.send('Input.dispatchTouchEvent', {
				type,
				touchPoints: points.map(([x, y], id) => ({ x, y, id }))
			});
		const cross = page.locator('.cross').first();
		const crossAt = async () => (await cross.boundingBox())!.x;

		let { x, y, width, height } = await place();
		await page.touchscreen.tap(x + width * 0.8, y + height / 2);
		await expect(cross).toBeVisible();
		expect((await place()).y).toBe(y);
		const tapped = await crossAt();

		// Held, then moved.
		const scrolled = () => page.evaluate(() => scrollY);
		const before = await scrolled();
		await touch('touchStart', [x + width * 0.95, y + 60]);
		await expect.poll(crossAt).toBeGreaterThan(tapped);
		await touch('touchMove', [x + width * 0.75, y + 20]);
		await expect.poll(crossAt).toBeLessThan(tapped);
		await touch('touchEnd');
		expect(await scrolled()).toBe(before);
		const held = await crossAt();

		// Moved at once.
		const begun = touch('touchStart', [x + width * 0.3, y + 100]);
		await Promise.all([begun, touch('touchMove', [x + width * 0.3, y + 80])]);
		for (const by of [50, 90, 130]) await touch('touchMove', [x + width * 0.3, y + 100 - by]);
		await touch('touchEnd');
		await expect.poll(scrolled).toBeGreaterThan(before);
		expect(await crossAt()).toBe(held);

		// The page goes on for a while after the finger has left it.
		let seen = -1;
		const rests = async () => seen === (seen = await scrolled());
		await expect.poll(rests).toBe(true);
		// How far depends on the machine: the graph may lie under the top bar by then.
		await cursor.evaluate((element) => element.scrollIntoView({ block: 'center' }));
		({ x, y, width, height } = await place());
		const middle = y + height / 2;
		// Moved at once, sideways.
		const still = await scrolled();
		await touch('touchStart', [x + width * 0.7, middle]);
		for (const to of [0.75, 0.85, 0.95]) await touch('touchMove', [x + width * to, middle]);
		await expect.poll(crossAt).toBeGreaterThan(held + width * 0.1);
		await touch('touchEnd');
		expect(await scrolled()).toBe(still);
		await touch('touchStart', [x + width * 0.4, middle], [x + width * 0.6, middle]);
		await touch('touchMove', [x + width * 0.3, middle], [x + width * 0.7, middle]);
		await touch('touchMove', [x + width * 0.2, middle], [x + width * 0.8, middle]);
		await touch('touchEnd');
		await expect(page).toHaveURL(/from=.+&to=/);
		const range = new URL(page.url()).searchParams;
		const hours = (Date.parse(range.get('to')!) - Date.parse(range.get('from')!)) / 3_600_000;
		expect(hours).toBeGreaterThan(1.8);
		expect(hours).toBeLessThan(2.2);
		await page.getByRole('link', { name: 'Zoom out' }).click();
		await expect(page).not.toHaveURL(new RegExp(range.get('from')!));
	});
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('the graphs are drawn, and also shown in a table', async ({ page }) => {
		await signIn(page);
		await page.goto('/admin/analytics?window=6h');
		await expect(
			page.getByRole('img', { name: /^RAM: lowest 2\.00 GB, average 2\.06 GB, highest 2\.12 GB/ })
		).toBeVisible();
		await expect(page.locator('.field svg path').first()).toBeAttached();
		// What the flags stand for is read without pointing at them.
		await expect(page.getByRole('list', { name: 'Events', exact: true })).toHaveText(
			/^\d+ \w+ \d{4}, [\d:]+ UTC\s+Crashed$/
		);
		await page.getByRole('link', { name: 'Table' }).click();
		await expect(page.getByRole('columnheader')).toHaveText([
			...['From (UTC)', 'RAM', 'CPU', 'Players', 'TPS', 'MSPT', 'What happened']
		]);
		await expect(page.getByRole('cell', { name: '20.0' }).first()).toBeVisible();
	});
});

test('in a window of 1280 by 800 all graphs are in sight at once', async ({ page }) => {
	await page.setViewportSize({ width: 1280, height: 800 });
	await signIn(page);
	await page.goto('/admin/analytics?window=6h');
	await ready(page);
	const pictures = page.getByRole('main').locator('.field');
	await expect(pictures).toHaveCount(5);
	for (const one of await pictures.all()) {
		await expect(one).toBeInViewport({ ratio: 1 });
		// The curve is as high as its marks.
		const { height } = (await one.boundingBox())!;
		expect((await one.locator('svg').first().boundingBox())!.height).toBe(height);
	}
	await expect(page.getByText('Point at a graph')).toBeInViewport({ ratio: 1 });
});
