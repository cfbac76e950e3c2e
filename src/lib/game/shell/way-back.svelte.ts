import { createContext } from 'svelte';
import { afterNavigate } from '$app/navigation';
import { page } from '$app/state';
import { getSession } from '$lib/client/session.svelte.ts';
import { isHere, listOf, placesFor } from './places';

const OPERATION = '/admin/operations/[id]';
/**
 * What the page of an operation knows: where the browser says that the person came from, and where it belongs. A question
 * that is asked below another place knows the latter too.
 */
type Known = { from?: string | null; home?: string };

/** Which list a page leads back to, as it was left, and which place is the current one: an operation is looked at from many. */
export class WayBack {
	readonly #session = getSession();
	/** The list that was seen last, or that of the page which was: with what was searched for and chosen there. */
	#list = $state.raw<string | null>(null);
	/** The list from which an operation was opened; null when the browser has loaded its page. */
	#before = $state.raw<string | null>(null);

	constructor() {
		afterNavigate(({ from, to, type }) => {
			const { from: said, home } = page.data as Known;
			if (page.route.id !== OPERATION) {
				const address = home ?? (to ? to.url.pathname + to.url.search : '');
				this.#list = this.#listOf(address) ?? null;
			} else if (from?.url.pathname === to?.url.pathname) return;
			// When the page refreshes what it shows, the browser no longer says it.
			else if (!from) this.#before = said ?? null;
			// One operation leads to another, and Back to what was seen already: neither opens it from somewhere else.
			else if (from.route.id !== OPERATION && type !== 'popstate') this.#before = this.#list;
		});
	}

	/** The list that this page stands below, as it was seen last; the overview where it stands below none. */
	get list(): string {
		return this.#listOf(page.url.pathname + page.url.search) ?? '/admin';
	}

	/** Never a form: it has been sent. */
	get href(): string {
		const { from, home } = page.data as Known;
		const known = [this.#before, from, home].flatMap((one) => (one && this.#listOf(one)) || []);
		return known[0] ?? '/admin';
	}

	/** Its name; undefined when it leads to no place. */
	get label(): string | undefined {
		const pathname = this.href.replace(/\?.*/, '');
		return placesFor(this.#session.role).find((one) => isHere(one, pathname))?.label;
	}

	/** Whether a place is the current one. */
	isAt(place: { href: string; label: string }): boolean {
		const { home } = page.data as Known;
		if (page.route.id === OPERATION && home && this.label) return this.label === place.label;
		return isHere(place, home ?? page.url.pathname);
	}

	#listOf(address: string) {
		return listOf(placesFor(this.#session.role), address, this.#list);
	}
}

export const [getWayBack, setWayBack] = createContext<WayBack>();
