/**
 * Pictures of every page: `npm run screenshots` puts them into screenshots/, at 390 and 1280 px, light and dark, and
 * without JavaScript; names after it take only pages whose address contains one of them. `-- --readme` takes the
 * README's picture instead. Needs a build.
 */
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { mkdir, rm } from 'node:fs/promises';
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
import { eventually, signedIn, startDashboard, SUPERADMIN } from '../tests/harness.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = path.join(ROOT, 'screenshots');
const README_PICTURE = path.join(ROOT, 'docs/screenshot.png');

type Variant = { name: string; width: number; dark: boolean; scripted: boolean };
const VARIANTS: Variant[] = [
	...[390, 1280].flatMap((width) =>
		[false, true].map((dark) => ({
			name: `${width}-${dark ? 'dark' : 'light'}`,
			...{ width, dark, scripted: true }
		}))
	),
	{ name: '1280-no-js', width: 1280, dark: false, scripted: false }
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
	await page.getByRole('button', { name: 'Sign in' }).click();
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

async function takeAll(context: BrowserContext, variant: Variant, facts: Facts, only: string[]) {
	const folder = path.join(FOLDER, variant.name);
	await mkdir(folder, { recursive: true });
	const page = await context.newPage();
	const wanted = (one: string) => !only.length || only.some((text) => one.includes(text));
	const shoot = async (one: string) => {
		const file = path.join(folder, `${fileName(one)}.png`);
		await take(page, addressOf(one, facts), variant, file);
	};
	for (const one of PUBLIC_PAGES.filter(wanted)) await shoot(one);
	await signIn(page);
	for (const one of [...ADMIN_PAGES, ...MISSING_PAGES].filter(wanted)) await shoot(one);
	await page.close();
	process.stdout.write(`${path.relative(ROOT, folder)}\n`);
}

/** A dashboard with something to show: a running server with players, and all that `furnish` makes. */
async function staged() {
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
		return { dashboard, facts };
	} catch (error) {
		await dashboard.dispose();
		throw error;
	}
}

async function main(args: string[]) {
	const readme = args.includes('--readme');
	const only = args.filter((text) => !text.startsWith('--'));
	const { dashboard, facts } = await staged();
	const browser = await chromium.launch(playwright.use?.launchOptions);
	try {
		if (!readme && !only.length) await rm(FOLDER, { recursive: true, force: true });
		for (const variant of readme ? [README] : VARIANTS) {
			const context = await open(browser, variant, dashboard.url);
			if (variant === README) {
				const page = await context.newPage();
				await signIn(page);
				await take(page, '/admin', variant, README_PICTURE);
			} else await takeAll(context, variant, facts, only);
			await context.close();
		}
	} finally {
		await browser.close();
		await dashboard.dispose();
	}
}

await main(process.argv.slice(2));
