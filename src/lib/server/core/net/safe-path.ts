const PATH_MAX = 2048;
/** Any origin will do: all that matters is whether the path leaves it. */
const HERE = 'http://here.invalid';
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0020\u007f-\u009f\\]/;

/** A same-origin absolute path to go to after signing in, else the fallback. Never throws. */
export function safePath(value: unknown, fallback = '/'): string {
	if (typeof value !== 'string' || value.length > PATH_MAX || !value.startsWith('/'))
		return fallback;
	const decoded = decode(value);
	if (decoded === null || UNSAFE.test(value) || leaves(value) || leaves(decoded)) return fallback;
	const url = URL.parse(value, HERE);
	if (!url || url.origin !== HERE || leaves(url.pathname)) return fallback;
	const path = url.pathname + url.search + url.hash;
	return path.length > PATH_MAX ? fallback : path;
}

/** `//host`, and what browsers read as the same. */
const leaves = (path: string) => /^\/[\s\p{Cc}]*[/\\]/u.test(path);

function decode(text: string): string | null {
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
}
