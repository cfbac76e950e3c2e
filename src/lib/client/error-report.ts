import { version } from '$app/environment';
import type { ClientErrorReport } from '$lib/schemas/client-error';

/** The server truncates longer texts; truncating here saves bandwidth. */
const MESSAGE_MAX = 500;
const STACK_MAX = 6000;
const URL_MAX = 500;
/** A page reports at most this many different errors. */
const TOLD_MAX = 50;
/** Errors thrown by browsers and third-party scripts, not by us. */
const NOT_OURS = /^(Script error\.?$|ResizeObserver loop)|(chrome|moz|safari(-web)?)-extension:/;

/** Fingerprints of what was reported since the page was loaded. */
const told = new Set<string>();

/** An error from a load on the server: it is in the server's log already. */
const isServers = (cause: unknown) =>
	typeof cause === 'object' && cause !== null && 'id' in cause && !(cause instanceof Error);

/** Reports an error to the server, once. Never throws; what cannot be sent is lost. */
export function report(cause: unknown, kind: string) {
	try {
		if (isServers(cause)) return;
		const { message, stack } = wordsOf(cause);
		if (NOT_OURS.test(message) || NOT_OURS.test(stack)) return;
		const fingerprint = hash(`${kind}\n${message}\n${stack}`);
		if (told.size >= TOLD_MAX || told.has(fingerprint)) return;
		told.add(fingerprint);
		const body: ClientErrorReport = {
			message,
			stack,
			url: location.pathname.slice(0, URL_MAX),
			kind,
			at: new Date().toISOString(),
			fingerprint,
			release: version
		};
		// Survives leaving the page; a failure here must not be reported as another error.
		fetch('/api/errors', {
			method: 'POST',
			keepalive: true,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body)
		}).catch(() => {});
	} catch {
		// An object that cannot even be described.
	}
}

function wordsOf(cause: unknown) {
	const { name, message, stack } =
		cause instanceof Error ? cause : { name: '', message: plain(cause), stack: '' };
	const words = name && name !== 'Error' ? `${name}: ${message}` : message;
	return {
		message: String(words).slice(0, MESSAGE_MAX),
		stack: String(stack ?? '').slice(0, STACK_MAX)
	};
}

function plain(cause: unknown) {
	if (typeof cause !== 'object' || cause === null) return String(cause);
	return 'message' in cause ? String(cause.message) : (JSON.stringify(cause) ?? 'unknown');
}

/** FNV-1a, 32 bits: there is no `crypto.subtle` without https. */
function hash(text: string) {
	let value = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
	return value.toString(16).padStart(8, '0');
}
