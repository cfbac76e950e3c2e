import { createContext, tick, type Component } from 'svelte';
import type * as Sonner from 'svelte-sonner';

export type ToastKind = 'success' | 'error' | 'info';

/** Long enough to read a sentence twice; a failure stays longer. */
const SHOWN_MS = 5000;
const FAILURE_SHOWN_MS = 10_000;

/** Absent from the server's build, or every page would link its styles. */
const fetchLibrary = () =>
	import.meta.env.SSR ? Promise.reject(new Error('Only browsers toast')) : import('svelte-sonner');

/** Short words about what just happened. The library is fetched with the first toast, not before. */
export class Toasts {
	/** What the layout renders, once it is there. */
	Toaster = $state.raw<Component<Record<string, unknown>> | null>(null);
	/** The words as a plain notice, when the library cannot be fetched. */
	plain = $state.raw<{ kind: ToastKind; message: string } | null>(null);
	#library: Promise<typeof Sonner> | null = null;

	async show(kind: ToastKind, message: string) {
		try {
			const { toast, Toaster } = await (this.#library ??= fetchLibrary());
			this.Toaster = Toaster as unknown as Component<Record<string, unknown>>;
			await tick();
			toast[kind](message, { duration: kind === 'error' ? FAILURE_SHOWN_MS : SHOWN_MS });
		} catch {
			// Offline, or the dashboard was updated meanwhile: the words matter, not their looks.
			this.#library = null;
			this.plain = { kind, message };
		}
	}
}

export const [getToasts, setToasts] = createContext<Toasts>();
