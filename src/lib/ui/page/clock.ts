import { createSubscriber } from 'svelte/reactivity';

const TICK_MS = 1000;

/** One timer for all relative times on the page, running only while something visible reads it. */
const ticking = createSubscriber((update) => {
	const timer = setInterval(update, TICK_MS);
	return () => clearInterval(timer);
});

/** The time now, in ms since 1970; it updates by itself when read in a template or `$derived`. */
export function now(): number {
	ticking();
	return Date.now();
}
