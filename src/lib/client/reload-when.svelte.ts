import { invalidate, invalidateAll } from '$app/navigation';

/** Asks for the load functions that depend on the key again each time the value has changed. Called while a component is set up. */
export function reloadWhen(value: () => string, key: string): void {
	let known: string | null = null;
	$effect(() => {
		if (known !== null && known !== value()) void invalidate(key);
		known = value();
	});
}

/** Loads the page again, as often as something on it is still on its way. Called while a component is set up. */
export function reloadWhile(isComing: () => boolean, everyMs: number): void {
	$effect(() => {
		if (!isComing()) return;
		const timer = setTimeout(() => void invalidateAll(), everyMs);
		return () => clearTimeout(timer);
	});
}
