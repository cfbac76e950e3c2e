import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { startPushService } from '../fakes/push-service.ts';
import { expect, noSidewaysScroll, ready, signIn, test as base } from './fixtures.ts';

const test = base.extend<{ service: Awaited<ReturnType<typeof startPushService>> }>({
	// eslint-disable-next-line no-empty-pattern -- the shape that a fixture must have
	service: async ({}, use) => {
		const service = await startPushService();
		await use(service);
		await service.close();
	},
	env: async ({ service }, use) => use({ PUSH_ORIGINS: service.origin })
});

/** A headless browser has no push service: it subscribes to ours, and stores that as a browser would. */
async function withSubscription(page: Page, subscription: object) {
	await page.context().grantPermissions(['notifications']);
	await page.addInitScript((given) => {
		const made = (key: string) => ({
			...given,
			options: {
				applicationServerKey: Uint8Array.from(
					atob(key.replace(/-/g, '+').replace(/_/g, '/')),
					(char) => char.charCodeAt(0)
				).buffer
			},
			toJSON: () => given,
			unsubscribe: async () => {
				localStorage.removeItem('push-key');
				return true;
			}
		});
		Object.assign(PushManager.prototype, {
			async subscribe(options: { applicationServerKey: string; userVisibleOnly: boolean }) {
				if (!options.userVisibleOnly) throw new Error('not visible');
				localStorage.setItem('push-key', options.applicationServerKey);
				return made(options.applicationServerKey);
			},
			async getSubscription() {
				const key = localStorage.getItem('push-key');
				return key && made(key);
			}
		});
	}, subscription);
}

test('a device is turned on, receives a real event, shows it, opens its page, and is removed', async ({
	page,
	service,
	baseURL
}) => {
	test.setTimeout(120_000);
	await withSubscription(page, service.subscription());
	const cdp = await page.context().newCDPSession(page);
	const registered = new Promise<string>((resolve) =>
		cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
			if (registrations[0]) resolve(registrations[0].registrationId);
		})
	);
	await cdp.send('ServiceWorker.enable');
	await signIn(page);
	await page.goto('/admin/devices');
	await ready(page);
	await page.evaluate(async () => void (await navigator.serviceWorker.ready));
	await page.getByRole('button', { name: 'Turn on notifications' }).click();
	const list = page.getByRole('list', { name: 'Devices' });
	await expect(list.getByText('This one')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Turn off on this device' })).toBeVisible();

	const origin = new URL(baseURL!).origin;
	const made = await page.request.post('/api/players', {
		data: { action: 'op', player: 'Mossfeather' },
		headers: { origin }
	});
	expect(made.ok()).toBe(true);
	await expect.poll(() => service.received.length, { timeout: 30_000 }).toBe(1);
	expect(service.problems).toEqual([]);
	const { payload } = service.received[0]!;
	expect(payload).toMatchObject({ path: '/admin/players?tab=ops' });

	// In words of the worker, whose types the tests do not have.
	const [worker] = page.context().serviceWorkers();
	await worker!.evaluate(`(() => {
		const { prototype } = ServiceWorkerRegistration;
		const { showNotification } = prototype;
		self.shown = 0;
		prototype.showNotification = async function (...words) {
			await showNotification.apply(this, words);
			self.shown++;
		};
	})()`);
	let delivered = 0;
	/** Until it is shown nobody asks for what is shown: the browser would take it for one that has been closed. */
	const deliver = async (data: string) => {
		await cdp.send('ServiceWorker.deliverPushMessage', {
			...{ origin, registrationId: await registered, data }
		});
		delivered++;
		await expect.poll(() => worker!.evaluate('self.shown')).toBe(delivered);
	};
	const shown = () =>
		page.evaluate(async () => {
			const registration = await navigator.serviceWorker.getRegistration();
			const all = (await registration?.getNotifications()) ?? [];
			return all.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
		});
	await deliver(JSON.stringify(payload));
	await deliver(JSON.stringify(payload)); // the same again, as after a kill
	const { title, text, tag, path } = payload;
	expect(await shown()).toEqual([{ title, body: text, tag, data: path }]);

	await page.reload();
	await ready(page);
	// Only a real press may bring a window to the front.
	await worker!.evaluate(`(async () => {
		WindowClient.prototype.focus = async () => {};
		const [notification] = await registration.getNotifications();
		dispatchEvent(new NotificationEvent('notificationclick', { notification }));
	})()`);
	await expect(page).toHaveURL(/\/admin\/players\?tab=ops$/);
	await expect.poll(shown).toEqual([]);
	await deliver('not JSON');
	expect(await shown()).toMatchObject([{ title: 'Craftwarden', data: null }]);

	await page.goto('/admin/devices');
	await ready(page);
	await page.getByRole('button', { name: 'Turn off on this device' }).click();
	await expect(page.getByText('None of your devices gets')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Turn on notifications' })).toBeVisible();
});

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled, viewport: { width: 320, height: 700 } });

		test('an admin removes a device of their own', async ({ page, service, baseURL }) => {
			await signIn(page, { username: 'bob', password: 'staple lantern block' });
			const added = await page.request.post('/api/notifications/push', {
				data: service.subscription(),
				headers: { origin: new URL(baseURL!).origin, 'user-agent': 'Android Firefox/140' }
			});
			expect(added.status()).toBe(201);
			await page.goto('/admin/devices');
			if (javaScriptEnabled) await ready(page);
			await expect(page.locator('b', { hasText: 'Firefox on Android' })).toBeVisible();
			await noSidewaysScroll(page);
			if (javaScriptEnabled)
				expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
			await page.getByRole('button', { name: 'Turn off Firefox on Android' }).click();
			await expect(page.getByText('None of your devices gets')).toBeVisible();
		});
	});
