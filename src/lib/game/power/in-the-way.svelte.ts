import type { Submit } from '$lib/client/enhance.svelte.ts';
import type { Queries } from '$lib/client/queries.svelte.ts';
import type { OperationRow } from '$lib/schemas/operation';
import { holder } from './power';

type Options = {
	/** The form begins a change of mods or an upgrade: they wait for nothing, and for each other neither. */
	any?: boolean;
};

/**
 * What keeps a form from being sent now, beside the button that sends it: an operation in progress, as it is told live,
 * or else what the server answered. A press while something is in the way sends nothing, and it is said once more.
 */
export class InTheWay {
	/** How often it was pressed in vain. */
	presses = $state(0);
	readonly #queries: Queries;
	readonly #submit: Submit;
	readonly #any: boolean;

	constructor(queries: Queries, submit: Submit, { any = false }: Options = {}) {
		this.#queries = queries;
		this.#submit = submit;
		this.#any = any;
	}

	/** Null too while nothing is known, as without JavaScript: then the server decides. */
	get operation(): OperationRow | null {
		// What this form has begun itself leads to its page.
		if (this.#submit.busy) return null;
		const rows = this.#rows;
		return this.#any ? (rows.find(({ state }) => state === 'running') ?? null) : holder(rows);
	}

	/** The server's answer, unless what it named is over. */
	get refusal(): string | null {
		const { failure } = this.#submit;
		const named = this.#rows.find(({ id }) => id === failure?.operation);
		return named && named.state !== 'running' ? null : (failure?.message ?? null);
	}

	/** For the button that sends the form. */
	get button() {
		return {
			busy: this.#submit.busy,
			blocked: this.operation !== null,
			onclick: this.#press
		};
	}

	readonly #press = (press: MouseEvent) => {
		if (!this.operation) return;
		press.preventDefault();
		this.presses++;
	};

	get #rows() {
		return this.#queries.read<OperationRow[]>(['operations']) ?? [];
	}
}
