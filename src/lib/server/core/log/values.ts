const DEPTH_MAX = 6;
const ITEMS_MAX = 50;
const TEXT_MAX = 8192;
/** Masking shorter ones would turn half the log into stars; nobody should have such a secret. */
const SECRET_MIN = 4;
const MASKED = '***';
const SECRET_KEY = /pass(word|phrase)?$|secret|token|cookie|authorization/i;
/**
 * What moves a terminal's cursor or reorders text; JSON already escapes C0 controls, here they matter for plain
 * lines.
 */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export type Mask = (text: string) => string;

/** Replaces every secret in a text, also in the forms that URLs and JSON give it. */
export function createMask(secrets: string[]): Mask {
	const forms = secrets
		.filter((secret) => secret.length >= SECRET_MIN)
		.flatMap((secret) => [secret, encode(secret), JSON.stringify(secret).slice(1, -1)]);
	// The longest first: one secret may be the beginning of another.
	const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length);
	return (text) => ordered.reduce((masked, secret) => masked.replaceAll(secret, MASKED), text);
}

function encode(secret: string) {
	try {
		return encodeURIComponent(secret);
	} catch {
		return secret; // half a surrogate pair
	}
}

export const escapeControls = (line: string) =>
	line.replace(CONTROLS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Any value as plain JSON data: bounded, without secrets, errors with their causes. Never throws. */
export function describe(value: unknown, mask: Mask, depth = 0): unknown {
	try {
		if (typeof value === 'string') return shorten(mask(value));
		if (value === null || typeof value === 'boolean') return value;
		if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
		if (typeof value !== 'object') return mask(String(value));
		if (depth >= DEPTH_MAX) return '…';
		return describeObject(value, (inner) => describe(inner, mask, depth + 1), mask);
	} catch {
		return 'unreadable';
	}
}

function describeObject(value: object, inner: (value: unknown) => unknown, mask: Mask): unknown {
	if (value instanceof Error) return describeError(value, inner);
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
	if (value instanceof URL) return inner(value.href);
	if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
	if (value instanceof Map) return entries([...value.entries()], inner, mask);
	if (Array.isArray(value) || value instanceof Set)
		return [...value].slice(0, ITEMS_MAX).map(inner);
	return entries(Object.entries(value), inner, mask);
}

const entries = (pairs: [unknown, unknown][], inner: (v: unknown) => unknown, mask: Mask) =>
	Object.fromEntries(
		pairs
			.slice(0, ITEMS_MAX)
			.map(([key, value]) => [
				mask(String(key)),
				SECRET_KEY.test(String(key)) ? MASKED : inner(value)
			])
	);

/** The usual parts, and what the system adds (`code`, `syscall`, `path`). */
function describeError(error: Error, inner: (value: unknown) => unknown) {
	const { name, message, stack, cause } = error;
	const extra = Object.fromEntries(
		Object.entries(error).filter(([key]) => !['name', 'message', 'stack', 'cause'].includes(key))
	);
	const described = inner(extra) as Record<string, unknown>;
	return {
		...described,
		name: inner(name),
		message: inner(message),
		stack: inner(stack ?? null),
		...(cause !== undefined && { cause: inner(cause) })
	};
}

const shorten = (text: string) => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text);
