import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { eventually, processesIn, type Dashboard } from '../harness.ts';
import { expect, noSidewaysScroll, ready, signIn, test } from './fixtures.ts';
import { startGame } from './game.ts';

const log = (page: Page) => page.getByRole('log', { name: 'Chat' });
const stamp = () => new Date().toTimeString().slice(0, 8);
const speak = (dashboard: Dashboard, ...lines: string[]) =>
	appendFile(
		path.join(dashboard.gameDir, 'logs/latest.log'),
		lines.map((line) => `[${stamp()}] [Server thread/INFO]: ${line}\n`).join('')
	);

for (const width of [390, 1280]) {
	test.describe(`at ${width} px`, () => {
		test.use({ viewport: { width, height: 844 } });

		test('messages arrive live, and one’s own appears once', async ({ page, dashboard }) => {
			await startGame(dashboard);
			await signIn(page);
			await page.goto('/admin/chat');
			await ready(page);
			await noSidewaysScroll(page);
			await expect(log(page).getByText('joined the game').first()).toBeVisible();
			await page.getByLabel(/Message to everybody/).fill('The lantern is lit');
			await page.getByRole('button', { name: 'Send' }).click();
			const mine = log(page).getByText('The lantern is lit', { exact: true });
			await expect(mine).toBeVisible();
			await expect(page.getByLabel(/Message to everybody/)).toHaveValue('');
			await page.reload();
			await expect(mine).toHaveCount(1);

			await speak(dashboard, '<Mossfeather> <img src=x onerror=alert(1)> \u202egnp.exe');
			const hostile = log(page).getByText('<img src=x onerror=alert(1)>');
			await expect(hostile).toBeVisible();
			await expect(page.locator('main img')).toHaveCount(0);
			await noSidewaysScroll(page);
		});

		test('what somebody says is found, with what they are told, and new lines of it come', async ({
			page,
			dashboard
		}) => {
			await startGame(dashboard);
			await signIn(page);
			await page.goto('/admin/chat');
			await ready(page);
			await speak(dashboard, '<Lamplighter7> Lamp oil runs out');
			await expect(log(page).getByText('Lamp oil runs out')).toBeVisible();
			await page.getByRole('searchbox').fill('lamplighter');
			await expect(log(page).getByRole('listitem')).toHaveCount(1);
			await expect(page).toHaveURL(/\?q=lamplighter$/);
			await speak(dashboard, '<Emberline3> nice lamps', '<Lamplighter7> Bring more of it');
			await expect(log(page).getByText('Bring more of it')).toBeVisible();
			await expect(log(page).getByText('nice lamps', { exact: true })).toHaveCount(0);
			await noSidewaysScroll(page);
			await page.getByRole('searchbox').fill('nobody said this');
			await expect(page.getByText(/Nothing of the last \d+ messages matches/)).toBeVisible();
			await page.getByRole('link', { name: 'Clear the search' }).click();
			await expect(log(page).getByText('nice lamps', { exact: true })).toBeVisible();
		});

		test('more than two hundred messages are a press away', async ({ page, dashboard }) => {
			await startGame(dashboard);
			const lines = Array.from({ length: 220 }, (_, i) => `<Lamplighter7> number ${i}.`);
			await speak(dashboard, ...lines);
			await signIn(page);
			await page.goto('/admin/chat');
			await ready(page);
			await expect(log(page).getByText('number 219.')).toBeVisible();
			await expect(log(page).getByText('number 5.', { exact: true })).toHaveCount(0);
			// Whoever says something meanwhile does not lose the way there.
			await page.getByLabel('Message to everybody in the game').fill('So many words');
			await page.getByRole('button', { name: 'Send' }).click();
			await expect(log(page).getByText('So many words')).toBeVisible();
			await log(page)
				.getByRole('link', { name: /Show \d+ earlier/ })
				.click();
			await expect(log(page).getByText('number 5.', { exact: true })).toHaveCount(1);
			await expect(log(page).getByRole('link', { name: /earlier/ })).toHaveCount(0);
		});

		test.describe('while nobody leaves', () => {
			test.use({ env: { DEMO_STAY: 'true' } });

			test('one player is told something, from their page, and everybody here sees to whom', async ({
				page,
				dashboard
			}) => {
				await startGame(dashboard);
				await signIn(page);
				await page.goto('/admin/chat');
				await ready(page);
				await log(page).getByRole('link', { name: 'Mossfeather' }).last().click();
				await page.getByRole('link', { name: 'Message…' }).click();
				await page.getByLabel('Message to Mossfeather only').fill('Come to spawn');
				await noSidewaysScroll(page);
				await page.getByRole('button', { name: 'Send' }).click();
				const mine = log(page).getByRole('listitem').filter({ hasText: 'Come to spawn' });
				await expect(mine).toContainText('Superadmin to Mossfeather');
				const sent = page.getByText(/^Sent to Mossfeather at \d\d:\d\d.*Come to spawn/);
				await expect(sent).toBeVisible();
				// The next one goes to the same player, until somebody says otherwise.
				await page.getByLabel('Message to Mossfeather only').fill('Hurry');
				await expect(sent).toBeHidden();
				await page.getByRole('link', { name: 'To everybody' }).click();
				await expect(page.getByLabel('Message to everybody in the game')).toBeVisible();
				await page.goto('/admin/chat?to=Nobody_Here');
				await ready(page);
				await page.getByLabel('Message to Nobody_Here only').fill('hello');
				await page.getByRole('button', { name: 'Send' }).click();
				await expect(
					page.getByText('Nobody_Here is not online, so nobody has read it.')
				).toBeVisible();
			});
		});

		test('a name leads to the player who said it, here and on the overview', async ({
			page,
			dashboard
		}) => {
			await startGame(dashboard);
			await speak(dashboard, '<Nobody_Known> hey');
			await signIn(page);
			await page.goto('/admin/chat');
			await ready(page);
			const name = log(page).getByRole('link', { name: 'Mossfeather' }).last();
			await expect(name).toHaveAttribute('href', /^\/admin\/players\/[0-9a-f-]{36}$/);
			expect((await name.boundingBox())!.height).toBeGreaterThanOrEqual(width < 720 ? 34 : 24);
			await expect(log(page).getByRole('link', { name: 'Nobody_Known' }).last()).toHaveAttribute(
				'href',
				'/admin/players?tab=everyone&q=Nobody_Known'
			);
			await name.click();
			await expect(page.getByRole('heading', { name: 'Mossfeather', level: 1 })).toBeVisible();
			await page.goto('/admin');
			await ready(page);
			// There is little room, and what others say meanwhile pushes it out, or another line under the press.
			await expect(async () => {
				if (page.url().endsWith('/admin')) {
					await speak(dashboard, '<Nobody_Known> hey again');
					await page.getByRole('link', { name: 'Nobody_Known' }).last().click({ timeout: 1000 });
				}
				await expect(page).toHaveURL('/admin/players?tab=everyone&q=Nobody_Known', {
					timeout: 3000
				});
			}).toPass();
		});

		test.describe('while nobody else talks', () => {
			// What they say would push it out of sight.
			test.use({ env: { DEMO_BOTS: '0' } });

			test('the scroll position stays, new messages are counted, and a press jumps to the newest', async ({
				page,
				dashboard
			}) => {
				await startGame(dashboard);
				await speak(dashboard, ...Array.from({ length: 60 }, (_, i) => `<Mossfeather> line ${i}`));
				await signIn(page);
				await page.goto('/admin/chat');
				await ready(page);
				await expect(log(page).getByText('line 59', { exact: true })).toBeInViewport();
				await log(page).evaluate((box) => box.scrollTo({ top: -box.scrollHeight }));
				// The demo's players may say something at this very moment.
				const jump = page.getByRole('button', { name: /^(Jump to newest|\d+ new)$/ });
				await expect(jump).toBeVisible();
				const top = log(page).locator('h2').first();
				await expect(top).toBeInViewport();
				await speak(dashboard, '<Mossfeather> one more for the road');
				await expect(page.getByRole('button', { name: /^\d+ new$/ })).toBeVisible();
				await expect(top).toBeInViewport();
				await page.getByRole('button', { name: /^\d+ new$/ }).click();
				await expect(log(page).getByText('one more for the road')).toBeInViewport();
				await expect(page.getByRole('button', { name: /new/ })).toHaveCount(0);
			});
		});
	});
}

test('when the stream is lost the page says since when, and polls every half minute', async ({
	page,
	dashboard
}) => {
	const visitor = await startGame(dashboard);
	await signIn(page);
	await page.route('**/api/events', (route) => route.abort());
	await page.clock.install();
	await page.goto('/admin/chat');
	await ready(page);
	await speak(dashboard, '<Mossfeather> is anybody still listening');
	await eventually(
		async () => (await visitor.json('/api/chat?limit=100')).body.messages,
		(messages) =>
			messages.some(({ text }: { text: string }) => text === 'is anybody still listening')
	);
	const asked = page.waitForRequest(/\/api\/chat\?/);
	await page.clock.fastForward(31_000);
	await asked;
	await expect(page.getByText(/Last update \d\d:\d\d/).first()).toBeVisible();
	await expect(log(page).getByText('is anybody still listening')).toBeVisible();
});

for (const width of [390, 1280])
	test(`a server that refuses commands hides neither the field nor the last line, at ${width} px`, async ({
		page,
		dashboard
	}) => {
		await page.setViewportSize({ width, height: 844 });
		await startGame(dashboard);
		await speak(dashboard, ...Array.from({ length: 60 }, (_, i) => `<Mossfeather> number ${i}`));
		// The game keeps the old one until it is restarted.
		const properties = path.join(dashboard.gameDir, 'server.properties');
		const text = await readFile(properties, 'utf8');
		await writeFile(properties, text.replace(/rcon.password=.*/, 'rcon.password=changed'));
		await dashboard.kill('SIGKILL');
		const again = await dashboard.again({ PORT: new URL(dashboard.url).port });
		await signIn(page);
		await page.goto('/admin/chat');
		await ready(page);
		const notice = page.getByRole('main').getByText(/refused the password/);
		await expect(notice).toBeInViewport({ timeout: 20_000 });
		const restart = page.getByRole('main').getByRole('link', { name: 'Restart the server' });
		await expect(restart).toHaveAttribute('href', '/admin/confirm?do=restart');
		const field = page.getByLabel('Message to everybody in the game');
		await expect(field).toBeDisabled();
		await expect(field).toBeInViewport({ ratio: 1 });
		await expect(log(page).locator('li').last()).toBeInViewport({ ratio: 1 });
		const last = (await log(page).locator('li').last().boundingBox())!;
		const form = (await page.locator('form').filter({ has: field }).boundingBox())!;
		expect(last.y + last.height).toBeLessThanOrEqual(form.y + 1);
		await again.kill();
	});

test('after a crash the page says why nothing can be sent, and where to go', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	const [pid] = await processesIn(dashboard.gameDir);
	process.kill(pid!, 'SIGKILL');
	await page.goto('/admin/chat');
	const main = page.getByRole('main');
	await expect(main).toContainText('The server crashed. The overview says why, and what helps.');
	await expect(main.getByRole('link', { name: 'Go to the overview' })).toBeVisible();
	await expect(page.getByLabel('Message to everybody in the game')).toBeDisabled();
});

test('days are separated', async ({ page, dashboard }) => {
	await startGame(dashboard);
	const at = (time: string, text: string) =>
		`[${time}] [Server thread/INFO]: <Mossfeather> ${text}\n`;
	// The day is counted by the times, which run over midnight here.
	const evening = at('23:58:00', 'late') + at('00:01:00', 'early') + at('00:02:00', 'later');
	await appendFile(path.join(dashboard.gameDir, 'logs/latest.log'), evening);
	await signIn(page);
	await page.goto('/admin/chat');
	await ready(page);
	await expect(log(page).getByText('later', { exact: true })).toBeVisible();
	expect(await log(page).getByRole('heading').count()).toBeGreaterThan(1);
	await expect(log(page).getByText('New', { exact: true })).toHaveCount(0);
});

test('a line shows where new messages begin', async ({ page, dashboard }) => {
	const visitor = await startGame(dashboard);
	/** Looked at once in the browser: the next visit would have nothing new. */
	const heard = (text: string) =>
		eventually(
			async () => (await visitor.json('/api/chat')).body.messages as { text: string }[],
			(messages) => messages.some((message) => message.text === text)
		);
	await speak(dashboard, '<Mossfeather> read by now');
	await heard('read by now');
	await signIn(page);
	await page.goto('/admin/chat');
	await ready(page);
	await expect(log(page).getByText('read by now')).toBeVisible();
	await expect(log(page).getByText('New', { exact: true })).toHaveCount(0);

	await page.goto('/admin');
	await speak(dashboard, '<Mossfeather> while you were away');
	await heard('while you were away');
	await page.goto('/admin/chat');
	await ready(page);
	await expect(log(page).getByText('while you were away')).toBeVisible();
	const order = await log(page).locator('li').allTextContents();
	const mark = order.findIndex((text) => text.trim() === 'New');
	expect(mark).toBeGreaterThan(0);
	expect(order.findIndex((text) => text.includes('while you were away'))).toBeGreaterThan(mark);
	expect(order.findIndex((text) => text.includes('read by now'))).toBeLessThan(mark);
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

	test('chat is read from the newest and sent with a plain form', async ({ page, dashboard }) => {
		await signIn(page);
		await page.goto('/admin/chat');
		await expect(page.getByText('The server is not running')).toBeVisible();
		await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();

		await startGame(dashboard);
		await page.goto('/admin/chat');
		await page.getByLabel(/Message to everybody/).fill('Sent by a plain form');
		await page.getByRole('button', { name: 'Send' }).click();
		await expect(page).toHaveURL(/\/admin\/chat$/);
		await expect(log(page).getByText('Sent by a plain form')).toBeInViewport();
		await page.reload();
		await expect(log(page).getByText('Sent by a plain form')).toHaveCount(1);
		await noSidewaysScroll(page);
	});
});
