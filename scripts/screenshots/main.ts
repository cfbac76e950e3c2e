/**
 * Pictures of every page: `npm run screenshots` puts them into screenshots/<state>/<variant>/, at 320 px (1280 at a zoom
 * of 400 %), 390, 640 (1280 at 200 %), 768, 1280 and 1920 px, light and dark, and without JavaScript; of a server that
 * is not well, the pages that show it. Names after it take only pages whose address contains one of them;
 * `--state=empty` and `--variant=320` take only those whose name contains that. `-- --readme` takes the README's picture
 * instead. Needs a build.
 */
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import playwright from '../../playwright.config.ts';
import {
	ADMIN_PAGES,
	addressOf,
	MISSING_PAGES,
	PUBLIC_PAGES,
	type Facts
} from '../../tests/e2e/pages.ts';
import { SUPERADMIN } from '../../tests/harness.ts';
import { STAGES, type Stage } from './stages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
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

/** What lies above the overview once it was asked for; false where there is no such thing. */
const OVERLAYS: Record<string, (page: Page) => Promise<boolean>> = {
	async palette(page) {
		await page.keyboard.press('Control+k');
		await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
		return true;
	},
	async shortcuts(page) {
		await page.keyboard.press('?');
		await page.getByRole('button', { name: 'All shortcuts' }).click();
		await page.getByRole('dialog', { name: 'All shortcuts' }).waitFor();
		return true;
	},
	async more(page) {
		const more = page.locator('summary', { hasText: 'More' });
		if (!(await more.isVisible())) return false;
		await more.click();
		return true;
	},
	async offline(page) {
		await page.goto('/offline.html');
		return true;
	}
};

type Wanted = { pages: string[]; states: string[]; variants: string[] };
const fits = (name: string, asked: string[]) =>
	!asked.length || asked.some((text) => name.includes(text));

async function takeAll(
	context: BrowserContext,
	variant: Variant,
	{ folder, stage, pages }: { folder: string; stage: Stage; pages: string[] }
) {
	const { facts } = stage;
	await mkdir(folder, { recursive: true });
	const page = await context.newPage();
	const isKnown = (one: string) =>
		[...one.matchAll(/\{(\w+)\}/g)].every(([, name]) => name! in facts);
	const wanted = (one: string) =>
		fits(one, pages) && (!stage.pages || stage.pages.includes(one)) && isKnown(one);
	const file = (one: string) => path.join(folder, `${fileName(one)}.png`);
	const shoot = (one: string) => take(page, addressOf(one, facts as Facts), variant, file(one));
	for (const one of PUBLIC_PAGES.filter(wanted)) await shoot(one);
	await signIn(page);
	for (const one of [...ADMIN_PAGES, ...MISSING_PAGES].filter(wanted)) await shoot(one);
	if (variant.scripted && !stage.pages)
		for (const [name, open] of Object.entries(OVERLAYS).filter(([name]) => fits(name, pages))) {
			await page.goto('/admin');
			await settled(page, variant);
			if (await open(page)) await page.screenshot({ path: file(name) });
		}
	await page.close();
	process.stdout.write(`${path.relative(ROOT, folder)}\n`);
}

async function takeStates(browser: Browser, { pages, states, variants }: Wanted) {
	for (const [state, begin] of Object.entries(STAGES).filter(([name]) => fits(name, states))) {
		const stage = await begin();
		try {
			for (const variant of VARIANTS.filter(({ name }) => fits(name, variants))) {
				const context = await open(browser, variant, stage.dashboard.url);
				const folder = path.join(FOLDER, state, variant.name);
				await takeAll(context, variant, { folder, stage, pages });
				await context.close();
			}
		} finally {
			await stage.dispose();
		}
	}
}

async function takeReadme(browser: Browser) {
	const { dashboard, dispose } = await STAGES['running']!();
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
