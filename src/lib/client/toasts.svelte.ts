import { createContext, tick, type Component } from 'svelte';
import type * as Sonner from 'svelte-sonner';

export type ToastKind = 'success' | 'warning' | 'error' | 'info';

/** A button in it. */
type More = { label: string; onClick: () => void };

/** Long enough to read a sentence twice; a failure, or what has a button, stays longer. */
const SHOWN_MS = 5000;
const LONG_SHOWN_MS = 10_000;
const SHEET_SHOWN_MS = 30_000;
/** The library lets one stay for as long as the pointer rests on it; nobody reads for that long. */
const LONGEST_MS = 30_000;

/** Left out of the server's build, or every page would link its styles. */
const fetchLibrary = () =>
	import.meta.env.SSR ? Promise.reject(new Error('Only browsers toast')) : import('svelte-sonner');

/** Short messages about what just happened. The library is loaded with the first toast. */
export class Toasts {
	/** What the layout renders, once it is there. */
	Toaster = $state.raw<Component<Record<string, unknown>> | null>(null);
	/** The message as a plain notice, when the library cannot be loaded. */
	plain = $state.raw<{ kind: ToastKind; message: string } | null>(null);
	#library: Promise<typeof Sonner> | null = null;
	#sheet: string | null = null;
	/** When each is removed at the latest, by its id: another one may come under the same. */
	// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
	readonly #ends = new Map<string | number, ReturnType<typeof setTimeout>>();

	/** `about`: an operation, whose end makes this old news. `more`: a button that leads on. */
	async show(kind: ToastKind, message: string, about?: string, more?: More) {
		try {
			const { toast } = await this.#fetch();
			const duration = kind === 'error' || kind === 'warning' || more ? LONG_SHOWN_MS : SHOWN_MS;
			const id = toast[kind](message, {
				...{ duration, closeButton: true, ...(about && { id: about }) },
				...(more && { action: more })
			});
			void tick().then(uncoverFocus);
			clearTimeout(this.#ends.get(id));
			const end = () => {
				this.#ends.delete(id);
				toast.dismiss(id);
			};
			this.#ends.set(id, setTimeout(end, LONGEST_MS));
		} catch {
			// Offline, or the dashboard was updated meanwhile: the message matters, not its appearance.
			this.#library = null;
			this.plain = { kind, message };
		}
	}

	/** Removes what was said about it. */
	async outdate(about: string) {
		const library = await this.#library?.catch(() => null);
		library?.toast.dismiss(about);
	}

	/** Something to read that stays for a while, with a button that leads on; a second call removes it, and so does Escape. */
	async sheet(title: string, Content: Component, more: More) {
		try {
			const { toast } = await this.#fetch();
			const shown = toast.getActiveToasts().some(({ id }) => id === title);
			this.#sheet = title;
			if (shown) toast.dismiss(title);
			else
				toast(title, {
					id: title,
					class: 'sheet',
					description: Content,
					action: more,
					duration: SHEET_SHOWN_MS,
					closeButton: true
				});
		} catch {
			this.#library = null;
			this.plain = { kind: 'error', message: `“${title}” could not be loaded.` };
		}
	}

	async closeSheet() {
		const library = await this.#library;
		if (this.#sheet) library?.toast.dismiss(this.#sheet);
		this.#sheet = null;
	}

	async #fetch() {
		const library = await (this.#library ??= fetchLibrary());
		this.Toaster = library.Toaster as unknown as Component<Record<string, unknown>>;
		await tick();
		return library;
	}
}

/** What has the focus comes out from under it: the page's scroll padding says how far. */
function uncoverFocus() {
	const focused = document.activeElement;
	if (!focused || focused.matches('body, main') || focused.closest('dialog, [data-at-bottom]'))
		return;
	const { top, bottom } = focused.getBoundingClientRect();
	if (bottom > 0 && top < innerHeight) focused.scrollIntoView({ block: 'nearest' });
}

export const [getToasts, setToasts] = createContext<Toasts>();
