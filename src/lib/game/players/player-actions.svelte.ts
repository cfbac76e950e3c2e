import { Submit } from '$lib/client/enhance.svelte.ts';
import type { Queries } from '$lib/client/queries.svelte.ts';
import type { Toasts } from '$lib/client/toasts.svelte.ts';
import { historySettled } from '$lib/ui/controls/back-closes';
import type { PlayerDetail, Players, PlayerVerb } from '$lib/schemas/player';
import type { Asked } from '$lib/schemas/plain/player-views';
import { expected, expectedOf } from './player-lists';

/** Where the forms of a page go: the list or a player's own page, with the query that the page keeps. */
export type Home = {
	/** e.g. `/admin/players`. */
	path: string;
	/** Kept in the address, e.g. `{ tab: 'ops' }`. */
	query: Record<string, string>;
	/** Passed to the confirmation page, so that it leads back. */
	back: Record<string, string>;
};

type Question = {
	verb: Asked;
	player: string;
	reason?: string;
	/** What to look at before. */
	note?: string | null;
};

/** The actions on players that a page offers: forms that show the result at once, some after a confirmation. */
export class PlayerActions {
	/** What the dialog asks about. */
	asked = $state.raw<Question | null>(null);
	/** Who was kicked last from this page: nothing else here says so. */
	kicked = $state.raw<string | null>(null);
	readonly confirmed: Submit;
	readonly queries: Queries;
	readonly #toasts: Toasts;
	readonly #home: () => Home;

	constructor(queries: Queries, toasts: Toasts, home: () => Home) {
		this.queries = queries;
		this.#toasts = toasts;
		this.#home = home;
		this.confirmed = new Submit(toasts, {
			inline: true,
			done: ({ changed }) => {
				if (this.asked?.verb === 'kick' && changed !== false) this.kicked = this.asked.player;
				this.asked = null;
				return historySettled();
			},
			optimistic: (fields) => (this.asked ? this.#expect(this.asked.verb, fields) : undefined)
		});
	}

	get back() {
		return Object.entries(this.#home().back);
	}

	/** The address of a form's action. */
	address(action: string): string {
		const { path, query } = this.#home();
		const kept = Object.entries(query).map(
			([key, value]) => `&${key}=${encodeURIComponent(value)}`
		);
		return `${path}?/${action}${kept.join('')}`;
	}

	ask(verb: Asked, player: string, more: Pick<Question, 'reason' | 'note'> = {}) {
		this.confirmed.failure = null;
		this.asked = { verb, player, ...more };
	}

	/** Of a button that may mean the opposite by the time it is pressed. */
	submit(verb: () => PlayerVerb, done?: () => void): Submit {
		return new Submit(this.#toasts, {
			...(done && { done }),
			optimistic: (fields) => this.#expect(verb(), fields)
		});
	}

	#expect(verb: PlayerVerb, fields: FormData): () => void {
		const player = String(fields.get('player') ?? '').trim();
		const change = { verb, player, reason: String(fields.get('reason') ?? '') };
		const undo = [
			this.queries.set<Partial<Players> | undefined>(['players'], (old) =>
				old?.known ? expected(old as Players, change) : old
			),
			this.queries.set<PlayerDetail | undefined>(
				['player'],
				(old) => old && expectedOf(old, change)
			)
		];
		return () => undo.forEach((each) => each());
	}
}
