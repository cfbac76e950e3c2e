const KEY = 'craftwarden.recent.';
const RECENT_MAX = 5;

/** Ids of this account's recent choices, latest first. */
export function recentOf(account: string): string[] {
	try {
		const kept: unknown = JSON.parse(localStorage.getItem(KEY + account) ?? '[]');
		return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
	} catch {
		return []; // storage is blocked, or holds something else
	}
}

export function remember(account: string, id: string) {
	const ids = [id, ...recentOf(account).filter((one) => one !== id)].slice(0, RECENT_MAX);
	try {
		localStorage.setItem(KEY + account, JSON.stringify(ids));
	} catch {
		// Storage is blocked or full: nothing is remembered.
	}
}

/** Nobody is signed in: earlier choices are private. */
export function forgetRecent() {
	try {
		for (const key of Object.keys(localStorage))
			if (key.startsWith(KEY)) localStorage.removeItem(key);
	} catch {
		// Storage is blocked: nothing is in it.
	}
}
