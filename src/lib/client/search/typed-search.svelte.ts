import { afterNavigate, goto } from '$app/navigation';
import { navigating, page } from '$app/state';
import { untrack } from 'svelte';
import { afterTyping } from './after-typing';

const TYPED_MS = 150;

/**
 * A search in a list that is all there, by the address's `q`. What is typed counts at once, and a little later stands in
 * the address too, so that Back, reload and a shared link keep it. Call while a component is set up.
 */
export class TypedSearch {
	#text = $state('');
	#address: () => string;
	readonly #typing = afterTyping(TYPED_MS, () => this.#tell());
	/** What the address is being given. */
	#given: string | null = null;

	/** `address`: of the page with this search. */
	constructor(address: () => string) {
		this.#address = address;
		this.#text = untrack(() => this.#asked);
		afterNavigate(() => {
			// Somebody may have typed on.
			if (this.#asked !== this.#given) this.#text = this.#asked;
			this.#given = null;
		});
	}

	get text(): string {
		return this.#text;
	}
	set text(text: string) {
		this.#text = text;
		this.#typing.soon();
	}

	get #asked(): string {
		return page.url.searchParams.get('q') ?? '';
	}
	#tell() {
		// Whoever has pressed what leads away meanwhile is not held back by what they typed.
		const { pathname = page.url.pathname } = navigating.to?.url ?? {};
		if (pathname !== page.url.pathname) return;
		this.#given = this.#text.trim();
		if (this.#given === this.#asked) return;
		void goto(this.#address(), { replaceState: true, keepFocus: true, noScroll: true });
	}
}
