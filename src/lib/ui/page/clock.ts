import { createSubscriber } from 'svelte/reactivity';

const TICK_MS = 1000;

/** One timer for every time on the page, running only while something that is shown reads it. */
const ticking = createSubscriber((update) => {
	const timer = setInterval(update, TICK_MS);
	return () => clearInterval(timer);
});

/** The time now, in ms since 1970; read in a template or `$derived` it goes on by itself. */
export function now(): number {
	ticking();
	return Date.now();
}
