import { isWorldly } from '../reach.ts';

/** Apple's service refuses it, and no device of Apple's comes by a page that leaves no better one. */
const NOBODY = 'mailto:craftwarden@localhost';

/**
 * Whom a push service may turn to: the first of these pages that it could open. RFC 8292 makes a contact optional, the
 * services do not: Mozilla's wants one, and Apple's one whose name can exist on the internet.
 */
export function contactOf(pages: (string | null)[]): string {
	for (const page of pages) {
		const url = page === null ? null : URL.parse(page);
		if (url?.protocol === 'https:' && isWorldly(url)) return url.origin;
	}
	return NOBODY;
}
