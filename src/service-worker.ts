/// <reference no-default-lib="true"/>
/// <reference lib="esnext" />
/// <reference lib="webworker" />
/// <reference types="@sveltejs/kit" />
import { build, files, version } from '$service-worker';
import { cleanupOutdatedCaches, matchPrecache, precache } from 'workbox-precaching';

declare const self: ServiceWorkerGlobalScope & {
	__WB_MANIFEST: { url: string; revision: string | null }[];
};

const OFFLINE = '/offline.html';
const ASSETS = `assets-${version}`;
const PAGES = `pages-${version}`;
/** Addresses with different queries are different pages; the oldest go. */
const PAGES_MAX = 10;
const PUSH = '/api/notifications/push';
/** Only what the build made: everything else is none of the worker's business. */
const STATIC = new Set([...build, ...files]);

precache(self.__WB_MANIFEST);
cleanupOutdatedCaches();

self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('message', ({ data }) => {
	if (data === 'take-over') void self.skipWaiting();
});
self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclick', (event) => {
	event.notification.close();
	event.waitUntil(openPage(pathOf(event.notification.data)));
});
self.addEventListener('pushsubscriptionchange', (event) =>
	event.waitUntil(renew(event as PushSubscriptionChangeEvent))
);
self.addEventListener('fetch', (event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (origin !== self.location.origin) return;
	if (request.method === 'POST' && pathname === '/logout') event.waitUntil(caches.delete(PAGES));
	if (request.method !== 'GET' || request.headers.has('range')) return;
	if (STATIC.has(pathname)) event.respondWith(asset(event));
	else if (request.mode === 'navigate' && isPage(request, pathname)) event.respondWith(page(event));
});

/** Programs' answers, pictures of the state and data of pages are the network's alone. */
const isPage = ({ headers }: Request, pathname: string) =>
	!/^\/(?:api|auth|healthz|logout|og\.png)(?:\/|$)|\/__data\.json$/.test(pathname) &&
	!headers.get('accept')?.includes('text/event-stream');

type PushMessage = { title?: unknown; text?: unknown; path?: unknown; at?: unknown; tag?: unknown };

/** Each message must be shown: browsers end a subscription whose messages are not. */
function show(data: PushMessageData | null) {
	const { title, text, path, at, tag } = read(data);
	return self.registration.showNotification(String(title ?? 'Craftwarden'), {
		body: String(text ?? 'Something happened. Open the dashboard to see what.'),
		icon: '/icons/icon-192.png',
		badge: '/icons/maskable-192.png',
		data: path,
		...(typeof tag === 'string' && { tag }),
		...(typeof at === 'string' && { timestamp: Date.parse(at) })
	});
}

function read(data: PushMessageData | null): PushMessage {
	try {
		return (data?.json() as PushMessage | null) ?? {};
	} catch {
		return {};
	}
}

/** Of ours only, whatever the message says. */
function pathOf(data: unknown): string {
	const url = URL.parse(String(data ?? '/admin'), self.location.origin);
	return url?.origin === self.location.origin ? url.pathname + url.search : '/admin';
}

/** In the window that is there already, if there is one. */
async function openPage(path: string) {
	const [open] = await self.clients.matchAll({ type: 'window' });
	if (!open) return void (await self.clients.openWindow(path));
	await open.focus();
	// A page that the worker does not control cannot be led elsewhere by it.
	await open.navigate(path).catch(() => self.clients.openWindow(path));
}

/** The browser has changed where it is reached; without a session that has to wait for the next visit. */
async function renew({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent) {
	const options = oldSubscription?.options;
	const next =
		newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
	if (oldSubscription) await send('DELETE', oldSubscription);
	if (next) await send('POST', next);
}
const send = (method: string, subscription: PushSubscription) =>
	fetch(PUSH, {
		...{ method, headers: { 'content-type': 'application/json' } },
		body: JSON.stringify(subscription)
	});

async function takeOver() {
	const old = (await caches.keys()).filter(
		(name) => /^(?:assets|pages)-/.test(name) && name !== ASSETS && name !== PAGES
	);
	await Promise.all(old.map((name) => caches.delete(name)));
	await self.clients.claim();
}

/** Network first; what everybody may see is kept for when there is none. */
async function page(event: FetchEvent): Promise<Response> {
	const { request } = event;
	try {
		const response = await fetch(request);
		if (isProxys(response)) return (await matchPrecache(OFFLINE)) ?? response;
		if (isPublic(response)) event.waitUntil(keepPage(request, response.clone()));
		return response;
	} catch {
		const kept = await caches.match(request, { cacheName: PAGES, ignoreVary: true });
		return kept ?? (await matchPrecache(OFFLINE)) ?? Response.error();
	}
}

/** A proxy in front says that the dashboard does not answer; our own answers have a content security policy. */
const isProxys = ({ status, headers }: Response) =>
	(status === 502 || status === 503 || status === 504) && !headers.has('content-security-policy');

/** `private` as well as `no-store`: what is not written down need not be wiped at the sign-out. */
const isPublic = ({ ok, type, redirected, headers }: Response) =>
	ok &&
	type === 'basic' &&
	!redirected &&
	/^text\/html\b/.test(headers.get('content-type') ?? '') &&
	!/\b(?:no-store|private)\b/.test(headers.get('cache-control') ?? 'no-store');

async function keepPage(request: Request, response: Response) {
	const cache = await caches.open(PAGES);
	await cache.put(request, response);
	const kept = await cache.keys();
	await Promise.all(kept.slice(0, -PAGES_MAX).map((one) => cache.delete(one)));
}

/** Stale while revalidate. */
async function asset(event: FetchEvent): Promise<Response> {
	const { request } = event;
	const cache = await caches.open(ASSETS);
	const kept = await cache.match(request, { ignoreVary: true });
	const fresh = fetch(request).then(async (response) => {
		if (response.ok && response.type === 'basic') await cache.put(request, response.clone());
		return response;
	});
	if (!kept) return fresh.catch(async () => (await matchPrecache(request.url)) ?? Response.error());
	event.waitUntil(fresh.catch(() => {})); // no network: what is kept will do
	return kept;
}
