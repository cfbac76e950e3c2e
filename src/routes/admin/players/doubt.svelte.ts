import { untrack } from 'svelte';
import { reload } from '$lib/client/reload.svelte.ts';
import { isUncounted } from '$lib/game/players/player-lists';
import type { Status } from '$lib/schemas/status';

/** What is under way has been answered by then, and the game has written its log. */
export const SETTLED_MS = 3000;

/**
 * Whether nobody can say who plays: while the server does not answer, and until it was asked again. Made while a
 * component is.
 */
export class Doubt {
	readonly #status: () => Status;
	readonly #isUnanswered = $derived.by(() => isUncounted(this.#status()));
	#isLeft = $state(false);

	constructor(status: () => Status) {
		this.#status = status;
		this.#isLeft = untrack(() => this.#isUnanswered);
		$effect.pre(() => {
			if (this.#isUnanswered) this.#isLeft = true;
		});
		$effect(() => {
			if (this.#isUnanswered || !this.#isLeft) return;
			const timer = setTimeout(() => void reload().then(() => (this.#isLeft = false)), SETTLED_MS);
			return () => clearTimeout(timer);
		});
	}

	/** Why whether somebody plays is not known; null when it is. */
	get why(): string | null {
		if (this.#isUnanswered)
			return 'The server does not answer, so whether they are online is not known.';
		return this.#isLeft ? 'The server answers again, and is asked who is online.' : null;
	}
}
