import { applyAction } from '$app/forms';
import { page } from '$app/state';
import type { SubmitFunction } from '@sveltejs/kit';
import { reloadNow } from './reload.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';

/** The answer of an `action()` that refuses. */
export type Failure = {
	message: string;
	issues: { path: string; message: string }[];
	values: Record<string, string>;
	/** What is in the way. */
	operation?: string;
};
type Answer = {
	message: string | null;
	bad?: boolean;
	/** False when there was nothing to do: no success. */
	changed?: boolean;
	location: string | null;
	/** What has begun. */
	operation?: string;
};

type Options = {
	/** Called after a success; a navigation is awaited first. */
	done?: (answer: Answer) => unknown;
	/** The form shows `failure` itself (a modal dialog covers toasts). */
	inline?: boolean;
	/** Goes where the action points, e.g. to the new operation's page. */
	follow?: boolean;
	/** Only the loads that depend on this are asked again after a success; all of them without it. */
	reloads?: string;
	/** What its success is about: it goes when that has changed. */
	about?: string;
	/** Shows the likely result at once; returns a function that undoes this when the action refuses. */
	optimistic?: (fields: FormData) => (() => void) | void;
};

const OVERVIEW = '/admin';
const UNREACHABLE = 'The dashboard did not answer. Check the connection, then try again.';

/**
 * What JavaScript adds to a plain form: `use:enhance={submit.enhance}` keeps the page, shows `busy`, tells the result
 * in a toast and reloads the page's data. A second press while one is under way does nothing.
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
		// What has only begun is no success yet.
		const isNoSuccess = answer.operation || answer.changed === false;
		const kind = answer.bad ? 'error' : isNoSuccess ? 'info' : 'success';
		if (answer.message && !this.#isShown(answer))
			void this.#toasts.show(kind, answer.message, answer.operation ?? this.#options.about);
		await this.#options.done?.(answer);
		if (this.#options.follow && answer.location)
			await applyAction({ type: 'redirect', status: 303, location: answer.location });
		else await reloadNow(this.#options.reloads);
	}

	/** That it has begun shows on the operation's own page, and on the overview, which has a line for it. */
	#isShown({ bad, changed, location, operation }: Answer) {
		if (bad || changed === false || !operation) return false;
		if (this.#options.follow && location?.endsWith(`/${operation}`)) return true;
		return page.url.pathname === OVERVIEW && (!this.#options.follow || location === OVERVIEW);
	}

	#refused(failure: Failure | undefined) {
		this.failure = failure ?? { message: UNREACHABLE, issues: [], values: {} };
		if (!this.#options.inline) void this.#toasts.show('error', this.failure.message);
	}
}

/** The server's message when it sent one; otherwise the connection is to blame. */
const words = (result: { status?: number; error: unknown }) =>
	result.status && result.error && typeof result.error === 'object' && 'message' in result.error
		? String(result.error.message)
		: UNREACHABLE;

/** Returns a page's `form` property when the action refused, or null when it succeeded. */
export const refusal = (form: Partial<Failure> | { message: string | null } | null) =>
	form && 'issues' in form && form.issues ? (form as Failure) : null;
