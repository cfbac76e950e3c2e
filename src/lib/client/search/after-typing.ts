import { beforeNavigate } from '$app/navigation';
import { navigating, page } from '$app/state';
import { onDestroy } from 'svelte';

/**
 * Acts a little after the last thing that was typed or chosen, and not any more once somebody has gone elsewhere, or has
 * pressed what leads there. Call while a component is set up.
 */
export function afterTyping(ms: number, act: () => void) {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const stop = () => clearTimeout(timer);
	onDestroy(stop);
	beforeNavigate(stop);
	/** Of a press while something else is on its way, `beforeNavigate` is not told. */
	const isLeft = () => navigating.to !== null && navigating.to.url.pathname !== page.url.pathname;
	return {
		soon() {
			stop();
			timer = setTimeout(() => isLeft() || act(), ms);
		},
		stop
	};
}
