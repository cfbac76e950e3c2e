import { beforeNavigate } from '$app/navigation';
import { onDestroy } from 'svelte';

/**
 * Acts a little after the last thing that was typed or chosen, and not any more once somebody has gone elsewhere. Call
 * while a component is set up.
 */
export function afterTyping(ms: number, act: () => void) {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const stop = () => clearTimeout(timer);
	onDestroy(stop);
	beforeNavigate(stop);
	return {
		soon() {
			stop();
			timer = setTimeout(act, ms);
		},
		stop
	};
}
