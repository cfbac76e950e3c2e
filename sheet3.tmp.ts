import { chromium } from '@playwright/test';
import playwright from './playwright.config.ts';
import { startDashboard, SUPERADMIN } from './tests/harness.ts';
const b = await chromium.launch(playwright.use?.launchOptions);
const d = await startDashboard();
try {
	const p = await b.newPage({
		baseURL: d.url,
		viewport: { width: Number(process.argv[2]), height: 900 }
	});
	await p.goto('/login');
	await p.getByLabel('User name').fill(SUPERADMIN.username);
	await p.getByLabel('Password').fill(SUPERADMIN.password);
	await p.getByRole('button', { name: 'Log in' }).click();
	await p.waitForURL('**/admin');
	await p.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
	await p.waitForTimeout(4000);
	await p.evaluate(() => {
		const w = window as any;
		w.log = [];
		new PerformanceObserver((l) => {
			for (const e of l.getEntries() as any[])
				if (!e.hadRecentInput)
					w.log.push([
						Math.round(e.startTime),
						e.value.toFixed(4),
						document.querySelector('.badge.l')?.textContent?.trim(),
						document.querySelector('.reason')?.textContent,
						...e.sources
							.slice(0, 4)
							.map(
								(s: any) =>
									`${s.node?.nodeName}.${s.node?.className} ${Math.round(s.previousRect.y)},${Math.round(s.previousRect.height)}->${Math.round(s.currentRect.y)},${Math.round(s.currentRect.height)}`
							)
					]);
		}).observe({ type: 'layout-shift' });
	});
	await p.getByRole('button', { name: 'Start', exact: true }).click();
	await p.waitForTimeout(12000);
	console.log(JSON.stringify(await p.evaluate(() => (window as any).log), null, 1));
} finally {
	await d.dispose();
	await b.close();
}
