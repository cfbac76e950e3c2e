/**
 * Pictures of every page: `npm run screenshots` puts them into screenshots/<state>/<variant>/, at 320 px (1280 at a zoom
 * of 400 %), 390, 640 (1280 at 200 %), 768, 1280 and 1920 px, light and dark, and without JavaScript. Names after it take
 * only pages whose address contains one of them; `--state=empty` and `--variant=320` take only those whose name contains
 * that. `-- --readme` takes the README's picture instead. Needs a build.
 */
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import playwright from '../playwright.config.ts';
import {
	ADMIN_PAGES,
	addressOf,
	furnish,
	MISSING_PAGES,
	PUBLIC_PAGES,
	type Facts
} from '../tests/e2e/pages.ts';
import {
	eventually,
	signedIn,
	startDashboard,
	SUPERADMIN,
	type Dashboard
} from '../tests/harness.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = path.join(ROOT, 'screenshots');
const README_PICTURE = path.join(ROOT, 'docs/screenshot.png');

type Variant = { name: string; width: number; dark: boolean; scripted: boolean };
const WIDTHS = [320, 390, 640, 768, 1280, 1920];
const VARIANTS: Variant[] = [
	...WIDTHS.flatMap((width) =>
		[false, true].map((dark) => ({
			name: `${width}-${dark ? 'dark' : 'light'}`,
			...{ width, dark, scripted: true }
		}))
	),
	...[320, 1280].map((width) => ({
		name: `${width}-no-js`,
		...{ width, dark: false, scripted: false }
	}))
];
const README: Variant = { name: 'readme', width: 1280, dark: false, scripted: true };

const fileName = (page: string) =>
	page
		.replace(/^\//, '')
		.replace(/[^\w=-]+/g, '_')
		.slice(0, 80) || 'public';

function open(browser: Browser, { width, dark, scripted }: Variant, baseURL: string) {
	return browser.newContext({
		baseURL,
		viewport: { width, height: width < 720 ? 844 : 720 },
		colorScheme: dark ? 'dark' : 'light',
		reducedMotion: 'reduce',
		javaScriptEnabled: scripted,
		isMobile: width < 720,
		timezoneId: 'UTC',
		locale: 'en-GB'
	});
}

async function signIn(page: Page) {
	await page.goto('/login');
	await page.getByLabel('User name').fill(SUPERADMIN.username);
	await page.getByLabel('Password').fill(SUPERADMIN.password);
	await page.getByRole('button', { name: 'Log in' }).click();
	await page.waitForURL('**/admin');
}

async function settled(page: Page, { scripted }: Variant) {
	if (!scripted) return;
	await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
	// Fonts, icons and what the page asks for once it is there.
	await page.evaluate(() => document.fonts.ready);
	await page.waitForTimeout(300);
}

async function take(page: Page, address: string, variant: Variant, file: string) {
	await page.goto(address);
	await settled(page, variant);
	await page.screenshot({ path: file, fullPage: variant !== README });
}

type Wanted = { pages: string[]; states: string[]; variants: string[] };
const fits = (name: string, asked: string[]) =>
	!asked.length || asked.some((text) => name.includes(text));

async function takeAll(
	context: BrowserContext,
	variant: Variant,
	{ folder, facts, pages }: { folder: string; facts: Facts | null; pages: string[] }
) {
	await mkdir(folder, { recursive: true });
	const page = await context.newPage();
	// Without facts there is no one thing to look at.
	const wanted = (one: string) => fits(one, pages) && (facts !== null || !one.includes('{'));
	const shoot = async (one: string) => {
		const file = path.join(folder, `${fileName(one)}.png`);
		await take(page, facts ? addressOf(one, facts) : one, variant, file);
	};
	for (const one of PUBLIC_PAGES.filter(wanted)) await shoot(one);
	await signIn(page);
	for (const one of [...ADMIN_PAGES, ...MISSING_PAGES].filter(wanted)) await shoot(one);
	await page.close();
	process.stdout.write(`${path.relative(ROOT, folder)}\n`);
}

type Stage = { dashboard: Dashboard; facts: Facts | null; dispose(): Promise<void> };

/** A running server with players, and all that `furnish` makes. */
async function running(): Promise<Stage> {
	const dashboard = await startDashboard({ env: { DEMO_SPEED: '5', SERVER_NAME: 'Emberfall' } });
	try {
		const facts = await furnish(dashboard, ['', 'Before the summer update']);
		const visitor = await signedIn(dashboard);
		await visitor.json('/api/server/start', {});
		const players = async () => (await visitor.json('/api/status')).body.players.online ?? 0;
		await eventually(players, (online) => online >= 3, 60_000);
		await visitor.json('/api/players', {
			action: 'ban',
			player: 'Grumbleroot',
			reason: 'Stole from a chest'
		});
		await visitor.json('/api/chat', { message: 'Welcome back. The bridge is finished.' });
		await visitor.json('/api/mods/updates?refresh=1');
		const messages = async () => (await visitor.json('/api/chat')).body.messages.length;
		await eventually(messages, (count) => count >= 12, 60_000);
		return { dashboard, facts, dispose: dashboard.dispose };
	} catch (error) {
		await dashboard.dispose();
		throw error;
	}
}

const CROWD = 60;
const LONG = 'Emberfall-the-long-awaited-second-season-of-the-lantern-keepers';

/** Stopped, with sixty players on every list, and long names and notes wherever one can be given. */
async function crowded(): Promise<Stage> {
	const dashboard = await startDashboard({ env: { SERVER_NAME: LONG } });
	try {
		const people = Array.from({ length: CROWD }, (_, i) => ({
			uuid: `00000000-0000-3000-8000-${i.toString(16).padStart(12, '0')}`,
			name: `Wanderer_${'x'.repeat(5)}${i}`.slice(0, 16),
			reason: 'Took the roof off the town hall, twice, and would not say where it went',
			created: '2026-01-02 03:04:05 +0000',
			...{ source: 'Server', expires: 'forever', level: 4, bypassesPlayerLimit: false },
			expiresOn: '2099-01-02 03:04:05 +0000'
		}));
		for (const list of ['whitelist', 'banned-players', 'ops', 'usercache'])
			await writeFile(path.join(dashboard.gameDir, `${list}.json`), JSON.stringify(people));
		const note = `${LONG} before the summer`.slice(0, 80);
		const facts = await furnish(dashboard, [note]);
		return { dashboard, facts, dispose: dashboard.dispose };
	} catch (error) {
		await dashboard.dispose();
		throw error;
	}
}

/** A demo that nobody has touched: nothing of anything. */
async function untouched(): Promise<Stage> {
	const dashboard = await startDashboard();
	return { dashboard, facts: null, dispose: dashboard.dispose };
}

/** The first run of somebody's own: a folder with nothing in it. */
async function empty(): Promise<Stage> {
	const folder = await mkdtemp(path.join(tmpdir(), 'craftwarden-empty-'));
	const env = { SERVER_DIR: folder, SCHEDULER: 'embedded' };
	const dashboard = await startDashboard({ env });
	return {
		...{ dashboard, facts: null },
		async dispose() {
			await dashboard.dispose();
			await rm(folder, { recursive: true, force: true });
		}
	};
}

const STATES: Record<string, () => Promise<Stage>> = { running, crowded, untouched, empty };

async function takeStates(browser: Browser, { pages, states, variants }: Wanted) {
	for (const [state, stage] of Object.entries(STATES).filter(([name]) => fits(name, states))) {
		const { dashboard, facts, dispose } = await stage();
		try {
			for (const variant of VARIANTS.filter(({ name }) => fits(name, variants))) {
				const context = await open(browser, variant, dashboard.url);
				const folder = path.join(FOLDER, state, variant.name);
				await takeAll(context, variant, { folder, facts, pages });
				await context.close();
			}
		} finally {
			await dispose();
		}
	}
}

async function takeReadme(browser: Browser) {
	const { dashboard, dispose } = await running();
	try {
		const context = await open(browser, README, dashboard.url);
		const page = await context.newPage();
		await signIn(page);
		await take(page, '/admin', README, README_PICTURE);
	} finally {
		await dispose();
	}
}

async function main(args: string[]) {
	const asked = (name: string) =>
		args.flatMap((text) => (text.startsWith(`--${name}=`) ? text.split('=')[1]!.split(',') : []));
	const pages = args.filter((text) => !text.startsWith('--'));
	const browser = await chromium.launch(playwright.use?.launchOptions);
	try {
		if (args.includes('--readme')) return await takeReadme(browser);
		if (!args.length) await rm(FOLDER, { recursive: true, force: true });
		await takeStates(browser, { pages, states: asked('state'), variants: asked('variant') });
	} finally {
		await browser.close();
	}
}

await main(process.argv.slice(2));
