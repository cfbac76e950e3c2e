import { applyAction } from '$app/forms';
import { invalidateAll } from '$app/navigation';
import type { SubmitFunction } from '@sveltejs/kit';
import type { Toasts } from './toasts.svelte.ts';

/** What `action()` answers when it refuses. */
export type Failure = {
	message: string;
	issues: { path: string; message: string }[];
	values: Record<string, string>;
};
type Answer = { message: string | null; location: string | null };

type Options = {
	/** After a success; a navigation is waited for. */
	done?: (answer: Answer) => unknown;
	/** The form shows `failure` itself (a modal dialog covers toasts). */
	inline?: boolean;
	/** Goes where the action points, e.g. to the new operation's page. */
	follow?: boolean;
	/** Shows what is likely to come; returns what takes it back when the action refuses. */
	optimistic?: (fields: FormData) => (() => void) | void;
};

const UNREACHABLE = 'The dashboard did not answer. Check the connection, then try again.';

/**
 * What JavaScript adds to a plain form: `use:enhance={submit.enhance}` keeps the page, shows `busy`, says the result
 * as a toast and loads the page's data again. A second press while one is under way does nothing.
 */
export class Submit {
	busy = $state(false);
	failure = $state.raw<Failure | null>(null);
	readonly #toasts: Toasts;
	readonly #options: Options;

	constructor(toasts: Toasts, options: Options = {}) {
		this.#toasts = toasts;
		this.#options = options;
	}

	enhance: SubmitFunction<Answer, Failure> = ({ cancel, formData }) => {
		if (this.busy) return cancel();
		this.busy = true;
		this.failure = null;
		const undo = this.#options.optimistic?.(formData);
		return async ({ result }) => {
			if (result.type !== 'success') undo?.();
			try {
				if (result.type === 'success') await this.#succeeded(result.data);
				else if (result.type === 'failure') this.#refused(result.data);
				else if (result.type === 'redirect') await applyAction(result);
				else this.#refused({ message: words(result), issues: [], values: {} });
			} finally {
				this.busy = false;
			}
		};
	};

	async #succeeded(answer: Answer = { message: null, location: null }) {
		if (answer.message) void this.#toasts.show('success', answer.message);
		// Loading the data again would break a navigation off.
		await this.#options.done?.(answer);
		if (this.#options.follow && answer.location)
			await applyAction({ type: 'redirect', status: 303, location: answer.location });
		else await invalidateAll();
	}

	#refused(failure: Failure | undefined) {
		this.failure = failure ?? { message: UNREACHABLE, issues: [], values: {} };
		if (!this.#options.inline) void this.#toasts.show('error', this.failure.message);
	}
}

/** The server's own words when it sent some, else the connection is to blame. */
const words = (result: { status?: number; error: unknown }) =>
	result.status && result.error && typeof result.error === 'object' && 'message' in result.error
		? String(result.error.message)
		: UNREACHABLE;

/** A page's `form` property when the action refused; null when it did what was asked. */
export const refusal = (form: Partial<Failure> | { message: string | null } | null) =>
	form && 'issues' in form && form.issues ? (form as Failure) : null;
