/** The push services of the browsers there are: a name, or with a dot before it any name below. */
const SERVICES = [
	'fcm.googleapis.com',
	'.push.services.mozilla.com',
	'.push.apple.com',
	'.notify.windows.com'
];

/** Services that the operator trusts may be anywhere; those of the browsers only at public addresses. */
export type PushService = 'known' | 'added';

/**
 * The service behind an address from a browser; null when unknown. It comes from a person, and this machine contacts it:
 * nothing but a push service may be behind it.
 */
export function pushServiceOf(endpoint: string, added: readonly string[]): PushService | null {
	const url = URL.parse(endpoint);
	if (!url || url.username || url.password || url.hash) return null;
	if (added.includes(url.origin)) return 'added';
	if (url.protocol !== 'https:' || url.port) return null;
	const isKnown = SERVICES.some((name) =>
		name.startsWith('.') ? url.hostname.endsWith(name) : url.hostname === name
	);
	return isKnown ? 'known' : null;
}
