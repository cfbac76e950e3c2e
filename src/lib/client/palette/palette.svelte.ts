import { ahead } from './key.ts';
import type { Queries } from '../queries.svelte.ts';
import type { Toasts } from '../toasts.svelte.ts';

/** What the pages behind the sign-in provide to the overlays around all pages. */
export type Lent = {
	queries: Queries;
	toasts: Toasts;
	/** Shows the keyboard shortcuts. */
	help: () => void;
};

/** Whether the command palette is open; what it shows is fetched when it is opened for the first time. */
class Palette {
	#open = $state(false);
	lent = $state.raw<Lent | null>(null);

	get open(): boolean {
		return this.#open;
	}
	set open(open: boolean) {
		if (open !== this.#open) ahead.text = open ? (ahead.text ?? '') : null;
		this.#open = open;
	}

	/** Returns a function that undoes it. */
	lend(lent: Lent): () => void {
		this.lent = lent;
		return () => {
			if (this.lent === lent) this.lent = null;
		};
	}
}
export type { Palette };

/** One for the browser's page. The server renders with it and never writes to it. */
export const palette = new Palette();
