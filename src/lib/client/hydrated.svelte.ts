import { onMount } from 'svelte';

/**
 * Whether the script runs: false on the server and as a browser draws the page for the first time, when it has to be the
 * same. Call while a component is set up.
 */
export class Hydrated {
	#current = $state(false);

	constructor() {
		onMount(() => {
			this.#current = true;
		});
	}

	get current(): boolean {
		return this.#current;
	}
}
