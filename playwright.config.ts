import { defineConfig } from '@playwright/test';

export default defineConfig({
	testDir: 'tests/e2e',
	workers: 1,
	timeout: 60_000,
	expect: { timeout: 10_000 },
	reporter: 'list',
	use: {
		trace: 'off',
		launchOptions: {
			executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
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
		}
	}
});
