/** The part of EventSource that we use. */
export type Source = Pick<EventSource, 'readyState' | 'close' | 'addEventListener'>;
export const SOURCE_OPEN = 1;
export const SOURCE_CLOSED = 2;

/** What the client classes need from the browser, so that tests can stand in for it. */
export type BrowserEnv = {
	openSource: (url: string) => Source;
	fetch: (url: string, init?: RequestInit) => Promise<Response>;
	now: () => number;
	/** From 0 to 1. */
	random: () => number;
	/** Returns a function that cancels it. */
	later: (ms: number, run: () => void) => () => void;
	visible: () => boolean;
	/** False when the device itself has no network. */
	online: () => boolean;
	/** `page` says whether the page is being left (also into the back-forward cache) or has come back. */
	watch: (on: {
		visibility?: () => void;
		page?: (here: boolean) => void;
		/** The device has a network again. */
		online?: () => void;
		/** It has none any more. */
		offline?: () => void;
	}) => () => void;
	/** The session is over: goes to the sign-in page, which leads back here. */
	signIn: () => void;
};

let signingOut = false;
/** From here on the end of the session is expected: going to the sign-in page would interrupt logging out. */
export function signOut() {
	signingOut = true;
	addEventListener('pageshow', stayedIn, { once: true });
}
/** The sign-out did not happen. */
export const stayedIn = () => void (signingOut = false);

export const browser: BrowserEnv = {
	openSource: (url) => new EventSource(url),
	fetch: (url, init) => fetch(url, init),
	now: () => Date.now(),
	random: () => Math.random(),
	later(ms, run) {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
	visible: () => document.visibilityState !== 'hidden',
	online: () => navigator.onLine,
	watch({ visibility, page, online, offline }) {
		const end = new AbortController();
		const { signal } = end;
		if (visibility) document.addEventListener('visibilitychange', visibility, { signal });
		if (online) addEventListener('online', online, { signal });
		if (offline) addEventListener('offline', offline, { signal });
		addEventListener('pagehide', () => page?.(false), { signal });
		addEventListener('pageshow', () => page?.(true), { signal });
		return () => end.abort();
	},
	signIn() {
		if (signingOut) return;
		const callbackUrl = location.pathname + location.search;
		const query = new URLSearchParams({ error: 'SessionRequired', callbackUrl });
		location.assign(`/login?${query}`);
	}
};
