import { afterNavigate, beforeNavigate, goto } from '$app/navigation';
import { page } from '$app/state';
import { onDestroy, untrack } from 'svelte';

const TYPED_MS = 150;

/**
 * A search in a list that is all there, by the address's `q`. What is typed counts at once, and a little later stands in
 * the address too, so that Back, reload and a shared link keep it. Call while a component is set up.
 */
export class TypedSearch {
	#text = $state('');
	#address: () => string;
	#soon: ReturnType<typeof setTimeout> | undefined;
	/** What the address is being given. */
	#given: string | null = null;

	/** `address`: of the page with this search. */
	constructor(address: () => string) {
		this.#address = address;
		this.#text = untrack(() => this.#asked);
		// Who has gone elsewhere meanwhile is not brought back.
		beforeNavigate(() => clearTimeout(this.#soon));
		afterNavigate(() => {
			// Somebody may have typed on.
			if (this.#asked !== this.#given) this.#text = this.#asked;
			this.#given = null;
		});
		onDestroy(() => clearTimeout(this.#soon));
	}

	get text(): string {
		return this.#text;
	}
	set text(text: string) {
		this.#text = text;
		clearTimeout(this.#soon);
		this.#soon = setTimeout(() => this.#tell(), TYPED_MS);
	}

	get #asked(): string {
		return page.url.searchParams.get('q') ?? '';
	}
	#tell() {
		this.#given = this.#text.trim();
		if (this.#given === this.#asked) return;
		void goto(this.#address(), { replaceState: true, keepFocus: true, noScroll: true });
	}
}
