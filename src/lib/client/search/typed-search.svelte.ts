import { afterNavigate, goto } from '$app/navigation';
import { page } from '$app/state';
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
	/** What the address says once what is on its way has come; null while nothing is. */
	#given: string | null = null;

	/** `address`: of the page with this search. `text`: what was typed before, where the address need not say it. */
	constructor(address: () => string, text?: string) {
		this.#address = address;
		this.#given = untrack(() => this.#asked);
		this.#text = text ?? this.#given;
		if (this.#text !== this.#given) this.#typing.soon();
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
		const text = this.#text.trim();
		if (text === (this.#given ?? this.#asked)) return;
		this.#given = text;
		void goto(this.#address(), { replaceState: true, keepFocus: true, noScroll: true });
	}
}
