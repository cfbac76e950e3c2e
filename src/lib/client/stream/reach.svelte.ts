import { createContext, untrack } from 'svelte';
import { browser, type BrowserEnv } from '../browser-env.ts';
import { answers } from './health.ts';

/** A person waits for the answer. */
const ASK_LIMIT_MS = 5000;
const BACKOFF_MIN_MS = 1000;
const BACKOFF_MAX_MS = 15_000;

/** What was pressed: a link has sent nothing. */
export type Press = 'link' | 'form';

/** Whether the dashboard can be reached, checked before a press leaves the page for nothing. */
export class Reach {
	/** The press that was held back last, until the dashboard answers again. */
	refused = $state.raw<Press | null>(null);
	/** Somebody has asked to try again, and it is being tried. */
	trying = $state.raw(false);
	/** Connects the stream anew. */
	reconnect: () => void = () => {};
	#lost = $state.raw<string | null>(null);
	/** The device has no network, and the dashboard, which may run on it, does not answer. */
	#offline = $state.raw(false);
	readonly #env: BrowserEnv;
	// eslint-disable-next-line svelte/prefer-svelte-reactivity -- looked at when a press comes, never shown
	readonly #doubts = new Set<() => boolean>();
	#asking: Promise<boolean> | null = null;
	#cancelRetry = () => {};
	#tries = 0;

	constructor(env: BrowserEnv = browser) {
		this.#env = env;
	}

	/** Adds a reason for doubt, such as a broken stream. Returns a function that removes it. */
	doubtWhen(reason: () => boolean): () => void {
		this.#doubts.add(reason);
		return () => void this.#doubts.delete(reason);
	}

	/** That the stream is lost, in words; null while it works. */
	get lost(): string | null {
		return this.#lost;
	}

	set lost(words: string | null) {
		if (untrack(() => this.#lost) && !words) {
			this.#offline = false;
			if (untrack(() => this.refused)) void this.#look();
		}
		this.#lost = words;
	}

	/** What is wrong with the connection, in a sentence or two; null while nothing is. */
	get trouble(): string | null {
		return this.#offline ? 'You are offline. What you see may be old.' : this.lost;
	}

	/** Whether the connection should be checked before a press. */
	get doubtful(): boolean {
		return (
			this.refused !== null || !this.#env.online() || [...this.#doubts].some((doubt) => doubt())
		);
	}

	/** Checks on behalf of a press. Without an answer the press is refused, and the dashboard is polled until it answers. */
	async ask(press: Press): Promise<boolean> {
		const yes = await this.#look();
		if (!yes) this.refused = press;
		return yes;
	}

	/** Tries at once what is otherwise tried later. */
	async retry(): Promise<void> {
		this.trying = true;
		const yes = await this.#look();
		this.trying = false;
		if (yes) this.reconnect();
	}

	/** Retries at once when the device is back online or the tab becomes visible. */
	start(): () => void {
		const now = () => {
			if (this.refused && this.#env.visible()) void this.#look();
		};
		const online = () => {
			this.#offline = false;
			now();
		};
		const offline = () => void this.#look();
		const unwatch = this.#env.watch({ online, offline, visibility: now });
		if (!this.#env.online()) offline();
		return () => {
			unwatch();
			this.#cancelRetry();
		};
	}

	#look(): Promise<boolean> {
		this.#asking ??= answers(this.#env, ASK_LIMIT_MS).then((yes) => {
			this.#asking = null;
			this.#settle(yes);
			return yes;
		});
		return this.#asking;
	}

	#settle(yes: boolean) {
		this.#cancelRetry();
		this.#offline = !yes && !this.#env.online();
		if (yes) {
			this.#tries = 0;
			this.refused = null;
			return;
		}
		const ms = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** this.#tries++);
		this.#cancelRetry = this.#env.later(ms * (0.5 + this.#env.random() / 2), () => {
			void this.#look();
		});
	}
}

export const [getReach, setReach] = createContext<Reach>();
