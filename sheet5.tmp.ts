import { chromium } from '@playwright/test';
import playwright from './playwright.config.ts';
import { startDashboard, SUPERADMIN, ADMIN, signedIn, eventually } from './tests/harness.ts';
const b = await chromium.launch(playwright.use?.launchOptions);
const d = await startDashboard({ env: { DEMO_FAIL_WITH_MOD: 'lithium' } });
const Q = '/tmp/wt/sheets-a/q/';
try {
  const v = await signedIn(d);
  await v.json('/api/server/start', {});
  await eventually(async () => (await v.json('/api/operations')).body.operations[0].state, (s) => s === 'failed', 60000);
  const id = (await v.json('/api/operations')).body.operations[0].id;
  for (const [w, who] of [[390, SUPERADMIN], [390, ADMIN], [1280, SUPERADMIN]] as const) {
    const p = await b.newPage({ baseURL: d.url, viewport: { width: w, height: 844 }, isMobile: w < 700, hasTouch: w < 700 });
    await p.goto('/login'); await p.getByLabel('User name').fill(who.username); await p.getByLabel('Password').fill(who.password); await p.getByRole('button', { name: 'Log in' }).click(); await p.waitForURL('**/admin');
    await p.waitForTimeout(3000);
    await p.screenshot({ path: `${Q}fail_${w}_${who.username}_admin.png`, fullPage: true });
    await p.goto('/admin/operations/' + id); await p.waitForTimeout(800);
    await p.screenshot({ path: `${Q}fail_${w}_${who.username}_op.png`, fullPage: true });
    if (w < 700) {
      await p.locator('summary', { hasText: 'More' }).tap();
      await p.waitForTimeout(300);
      await p.screenshot({ path: `${Q}fail_${w}_${who.username}_more.png` });
    }
    await p.context().close();
  }
} finally { await d.dispose(); await b.close(); }
