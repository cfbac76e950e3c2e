import { navigating } from '$app/state';

/** What a page was left with, for whoever comes back to it from there. One for each such page. */
export function createLeftWith<T>(comesBack: RegExp) {
	let left: T | null = null;
	/**
	 * What it was left with, where somebody comes back; else null. `now`: what it is being left with. Call while a component
	 * is set up.
	 */
	return (now: () => T | null): T | null => {
		const back = comesBack.test(navigating.from?.url.pathname ?? '') ? left : null;
		// Not `beforeNavigate`, which is not told of what is pressed while something else is on its way.
		$effect(() => () => {
			left = now();
		});
		return back;
	};
}
