import { chromium } from '@playwright/test';
import playwright from './playwright.config.ts';
import { startDashboard, SUPERADMIN } from './tests/harness.ts';
import { startGame } from './tests/e2e/game.ts';
const b = await chromium.launch(playwright.use?.launchOptions);
const d = await startDashboard({ env: { DEMO_SPEED: '8' } });
try {
  await startGame(d);
  for (const [w, h] of [[1920, 1080], [1440, 900], [390, 844]]) for (let i = 0; i < 2; i++) {
    const p = await b.newPage({ baseURL: d.url, viewport: { width: w!, height: h! } });
    await p.goto('/login'); await p.getByLabel('User name').fill(SUPERADMIN.username); await p.getByLabel('Password').fill(SUPERADMIN.password); await p.getByRole('button', { name: 'Log in' }).click(); await p.waitForURL('**/admin');
    await p.goto('/admin/logs');
    await p.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
    const look = () => p.evaluate(() => { const s = document.querySelector('.scroller')!; return [Math.round(s.scrollHeight - s.clientHeight - s.scrollTop), document.querySelector('.newest')?.textContent?.trim() ?? '', [...document.querySelectorAll('li[id^=line]')].at(-1)?.getAttribute('aria-posinset')]; });
    await p.waitForTimeout(2000); const a = await look(); await p.waitForTimeout(8000); const z = await look();
    console.log(w, h, JSON.stringify(a), JSON.stringify(z));
    await p.context().close();
  }
} finally { await d.dispose(); await b.close(); }
