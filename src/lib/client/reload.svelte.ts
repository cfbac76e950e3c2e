import { invalidate, invalidateAll } from '$app/navigation';
import { navigating, page } from '$app/state';
import { untrack } from 'svelte';

/**
 * Asks anew for the page's data, or for what depends on the key. What is just being opened is waited for, since it would
 * be dropped; when that is another page, it has come with fresh data.
 */
export const reload = (key?: string): Promise<void> =>
	untrack(async () => {
		const { pathname } = page.url;
		for (let opening = navigating.complete; opening; opening = navigating.complete)
			await opening.catch(() => {});
		if (page.url.pathname !== pathname) return;
		await (key ? invalidate(key) : invalidateAll());
	});

/** Asks for what depends on the key again each time the value has changed. Called while a component is set up. */
export function reloadWhen(value: () => string, key: string): void {
	let known: string | null = null;
	$effect(() => {
		if (known !== null && known !== value()) void reload(key);
		known = value();
	});
}

/** Loads the page again, as often as something on it is still on its way. Called while a component is set up. */
export function reloadWhile(isComing: () => boolean, everyMs: number): void {
	$effect(() => {
		if (!isComing()) return;
		const timer = setTimeout(() => void reload(), everyMs);
		return () => clearTimeout(timer);
	});
}
