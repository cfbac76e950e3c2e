const PATH_MAX_BYTES = 1000;
const NAME_MAX_BYTES = 250;
const DEPTH_MAX = 32;
/** Names of devices on Windows, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const UNREADABLE = /[\p{Cc}\p{Cf}\u2028\u2029\ufffd]/u;

/** Why a path leads out of the folder that it is meant for: nobody writes such a pack with good intentions. */
export function leaves(path: string): string | null {
	if (path.includes('\\')) return 'it is written with a backslash';
	if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'it is an absolute path';
	if (path.includes('\0')) return 'it holds a zero byte';
	if (path.split('/').includes('..')) return 'it leads out of the folder';
	return null;
}

/** Why a path is not one that we write; null when it is plain. */
export function oddPath(path: string): string | null {
	const parts = path.split('/');
	if (UNREADABLE.test(path)) return 'Its name cannot be read.';
	if (parts.some((part) => part === '' || part === '.')) return 'It is not written as a path.';
	if (parts.some((part) => DEVICE.test(part) || /[. ]$/.test(part)))
		return 'Such a name is reserved.';
	const isLong =
		Buffer.byteLength(path) > PATH_MAX_BYTES ||
		parts.length > DEPTH_MAX ||
		parts.some((part) => Buffer.byteLength(part) > NAME_MAX_BYTES);
	return isLong ? 'Its name is too long.' : null;
}

/** Two of these paths that are one on some disks, or of which one lies in the other; null when there are none. */
export function twinsAmong(paths: string[]): [string, string] | null {
	const seen = new Map<string, string>();
	const folded = (path: string) => path.normalize('NFC').toLowerCase();
	for (const path of paths) {
		const other = seen.get(folded(path));
		if (other !== undefined) return [other, path];
		seen.set(folded(path), path);
	}
	for (const path of paths)
		for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
			const other = seen.get(folded(path.slice(0, at)));
			if (other !== undefined) return [other, path];
		}
	return null;
}

/** A hostile text in a sentence. */
export const quoted = (text: string) =>
	`“${text.slice(0, 100).replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]/gu, '?')}”`;
