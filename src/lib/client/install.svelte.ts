/** A dashboard stays open for days; browsers look for a new worker only when a page is loaded. */
const LOOK_EVERY_MS = 3_600_000;
const WORKER_URL = '/service-worker.js';

type InstallPrompt = Event & { prompt: () => Promise<unknown> };

/** The app around the pages: its service worker and its place on the device. Without https there is neither. */
export class Shell {
	/** A new version has been fetched and waits until the page is loaded again. */
	updated = $state(false);
	/** Asks whether to install; null when the browser does not offer it. */
	install = $state.raw<(() => void) | null>(null);
	#waiting: ServiceWorker | null = null;

	/** Call once, in the browser; the returned function ends it. */
	start(): () => void {
		const end = new AbortController();
		const { signal } = end;
		const offered = (event: Event) => {
			this.install = () => void (event as InstallPrompt).prompt();
		};
		addEventListener('beforeinstallprompt', offered, { signal });
		addEventListener('appinstalled', () => (this.install = null), { signal });
		if ('serviceWorker' in navigator) {
			// After everything that the page itself needs.
			const register = () => void this.#register(signal);
			if (document.readyState === 'complete') register();
			else addEventListener('load', register, { once: true, signal });
		}
		return () => end.abort();
	}

	/** Never happens by itself: somebody may have typed something. */
	reload() {
		const waiting = this.#waiting;
		if (waiting?.state !== 'installed') return location.reload();
		navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
			once: true
		});
		waiting.postMessage('take-over');
	}

	async #register(signal: AbortSignal) {
		let registration: ServiceWorkerRegistration;
		try {
			registration = await navigator.serviceWorker.register(WORKER_URL);
		} catch {
			return; // storage is blocked, or the certificate is not trusted: everything works without
		}
		if (signal.aborted) return;
		this.#look(registration.waiting);
		const found = () => {
			const { installing } = registration;
			installing?.addEventListener('statechange', () => this.#look(installing), { signal });
		};
		registration.addEventListener('updatefound', found, { signal });
		let lookedAt = Date.now();
		const again = () => {
			if (document.hidden || Date.now() - lookedAt < LOOK_EVERY_MS) return;
			lookedAt = Date.now();
			registration.update().catch(() => {}); // offline: the next check finds it
		};
		document.addEventListener('visibilitychange', again, { signal });
	}

	/** The very first worker does not replace another. */
	#look(worker: ServiceWorker | null) {
		if (worker?.state !== 'installed' || !navigator.serviceWorker.controller) return;
		this.#waiting = worker;
		this.updated = true;
	}
}
