import { invalidate, invalidateAll } from '$app/navigation';
import { navigating, page } from '$app/state';
import { untrack } from 'svelte';
import { browser } from './browser-env.ts';
import { answers } from './stream/health.ts';

const ASK_LIMIT_MS = 5000;

/**
 * Asks anew for the page's data, or for what depends on the key. Resolves with false, and leaves the page as it is, when
 * the dashboard does not answer: the router would leave it for the browser's error.
 */
export async function reload(key?: string): Promise<boolean> {
	const { pathname } = untrack(() => page.url);
	const yes = await answers(browser, ASK_LIMIT_MS);
	if (yes) await reloadAt(pathname, key);
	return yes;
}

/** The same for what has just had an answer. */
export const reloadNow = (key?: string): Promise<void> =>
	untrack(() => reloadAt(page.url.pathname, key));

/** What is just being opened is waited for, since it would be dropped; another page has come with fresh data. */
async function reloadAt(pathname: string, key?: string) {
	for (let opening = navigating.complete; opening; opening = navigating.complete)
		await opening.catch(() => {});
	if (page.url.pathname !== pathname) return;
	await (key ? invalidate(key) : invalidateAll());
}

/** Asks for what depends on the key again each time the value has changed. Called while a component is set up. */
export function reloadWhen(value: () => string, key: string): void {
	let known: string | null = null;
	$effect(() => {
		if (known !== null && known !== value()) void reload(key);
		known = value();
	});
}

/**
 * Loads the page, or what depends on the key, again, as often as something on it is still on its way. Called while a
 * component is set up.
 */
export function reloadWhile(isComing: () => boolean, everyMs: number, key?: string): void {
	$effect(() => {
		if (!isComing()) return;
		let timer: ReturnType<typeof setTimeout>;
		let isOver = false;
		const soon = () => {
			timer = setTimeout(async () => (await reload(key)) || isOver || soon(), everyMs);
		};
		soon();
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
	});
}
