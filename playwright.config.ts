import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** The same engine without a browser's own windows, which take a third of the time. */
const SHELL = '/usr/bin/chromium-headless-shell';

const launchOptions = {
	executablePath: CHROMIUM,
	args: [
		'--headless',
		'--no-sandbox',
		'--disable-gpu',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync'
	]
};
const shell = !process.env['CHROMIUM'] && existsSync(SHELL) ? SHELL : CHROMIUM;
const inShell = { launchOptions: { ...launchOptions, executablePath: shell } };
/** Each goes through every page. */
const WALKS = 'walks/*.spec.ts';
/** What only a whole browser can say: whether the dashboard can be installed, and may notify. */
const WHOLE = ['pwa.spec.ts', 'devices.spec.ts'];

export default defineConfig({
	testDir: 'tests/e2e',
	// Each test has a dashboard, a game and a browser of its own. On two cores more at once are hardly faster.
	workers: 3,
	fullyParallel: true,
	// What hangs ends at last. Nothing is measured by it: one machine takes three times as long as another.
	timeout: 120_000,
	expect: { timeout: 10_000 },
	reporter: 'list',
	// What turns while one waits is drawn anew for each frame, which takes an eighth of the time.
	use: { trace: 'off', launchOptions, contextOptions: { reducedMotion: 'reduce' } },
	// In this order: what takes longest is not waited for at the end.
	projects: [
		{ name: 'walks', testMatch: WALKS, use: inShell },
		{ name: 'install', testMatch: WHOLE },
		{ name: 'pages', testIgnore: [WALKS, ...WHOLE], use: inShell }
	]
});
