import { reload } from './reload.svelte.ts';
import { browser, type BrowserEnv } from './browser-env.ts';

/** `elsewhere`: an iPhone or iPad that shows this in a tab; `denied`: the browser is told not to ask. */
export type PushState =
	'looking' | 'insecure' | 'elsewhere' | 'unsupported' | 'denied' | 'off' | 'on';

const URL_PUSH = '/api/notifications/push';

/** Whether this very browser receives notifications: its permission, its subscription, and the server's record of it. */
export class DevicePush {
	state = $state.raw<PushState>('looking');
	busy = $state.raw(false);
	/** Why it could not be turned on or off. */
	error = $state.raw<string | null>(null);
	/** This browser's id in the server's list; null while it has no subscription. */
	id = $state.raw<string | null>(null);
	readonly #env: BrowserEnv;

	constructor(env: BrowserEnv = browser) {
		this.#env = env;
	}

	/** Checks again; `known` are the ids that the server has. */
	async look(known: readonly string[]) {
		const hindrance = whyNot();
		const subscription = hindrance ? null : await current();
		this.id = subscription && (await idOf(subscription.endpoint));
		const isOn = this.id !== null && known.includes(this.id);
		this.state = hindrance ?? (isOn ? 'on' : 'off');
	}

	/** Call it from a press: browsers ask for permission only then. */
	turnOn = (publicKey: string) =>
		this.#doing(async () => {
			if ((await Notification.requestPermission()) !== 'granted')
				throw new Told(
					'The browser does not allow it. Allow notifications for this site, then try again.'
				);
			await this.#send('POST', await subscribe(publicKey));
		});

	turnOff = () =>
		this.#doing(async () => {
			const subscription = await current();
			if (!subscription) return;
			await this.#send('DELETE', subscription);
			await subscription.unsubscribe();
		});

	async #doing(work: () => Promise<void>) {
		if (this.busy) return;
		this.busy = true;
		this.error = null;
		try {
			await work();
		} catch (cause) {
			this.error =
				cause instanceof Told
					? cause.message
					: 'The browser could not do it. Its push service may be blocked or turned off.';
		} finally {
			await reload();
			this.busy = false;
		}
	}

	async #send(method: 'POST' | 'DELETE', subscription: PushSubscription) {
		const response = await this.#env
			.fetch(URL_PUSH, {
				...{ method, headers: { 'content-type': 'application/json' } },
				body: JSON.stringify(subscription)
			})
			.catch(() => {
				throw new Told('The dashboard does not answer.');
			});
		// Ending what has already ended is not an error.
		if (response.ok || (method === 'DELETE' && response.status === 404)) return;
		if (response.status === 401) this.#env.signIn();
		const problem = await response.json().catch(() => null);
		throw new Told(String(problem?.detail ?? `The answer was ${response.status}.`));
	}
}

/** Its message is for the person. */
class Told extends Error {}

function whyNot(): PushState | null {
	if (!isSecureContext) return 'insecure';
	const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || 'standalone' in navigator;
	if (isApple && navigator.maxTouchPoints > 1 && !matchMedia('(display-mode: standalone)').matches)
		return 'elsewhere';
	if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
		return 'unsupported';
	return Notification.permission === 'denied' ? 'denied' : null;
}

/** Null when the worker could not be installed, or there is no subscription. */
const current = async () =>
	(await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null;

/** With the server's current key: a subscription for another key receives nothing any more. */
async function subscribe(publicKey: string): Promise<PushSubscription> {
	const registration = await navigator.serviceWorker.getRegistration();
	if (!registration)
		throw new Told('The app could not be installed in this browser. Load the page again.');
	const old = await registration.pushManager.getSubscription();
	if (old && base64url(old.options.applicationServerKey) !== publicKey) await old.unsubscribe();
	return registration.pushManager.subscribe({
		userVisibleOnly: true,
		applicationServerKey: publicKey
	});
}

const base64url = (key: ArrayBuffer | null) =>
	btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))))
		.replace(/\+/g, '-')
		.replace(/\//g, '_')
		.replace(/=+$/, '');

async function idOf(endpoint: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
	const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'));
	return hex.join('').slice(0, 16);
}
