import { reload } from '$lib/client/reload.svelte.ts';
import { onDestroy } from 'svelte';
import { getToasts } from '$lib/client/toasts.svelte.ts';

type Words = {
	/** What is told where nothing has changed. */
	still: string;
	/** What was asked about: it is told once. */
	about: () => string;
};

/** A press that asks for the overview once more, in a component that goes when the answer is another one. */
export class CheckAgain {
	busy = $state(false);
	readonly #toasts = getToasts();
	readonly #words: Words;
	#isGone = false;

	constructor(words: Words) {
		this.#words = words;
		onDestroy(() => (this.#isGone = true));
	}

	/** Without a word a page that stays as it is looks as if nothing had been pressed. */
	press = async (event: Event) => {
		event.preventDefault();
		if (this.busy) return;
		this.busy = true;
		const hasAnswered = await reload();
		this.busy = false;
		if (!hasAnswered) void this.#toasts.show('error', 'The dashboard does not answer.');
		else if (!this.#isGone) void this.#toasts.show('info', this.#words.still, this.#words.about());
	};
}
