import type { Cookies } from '@sveltejs/kit';
import { z } from 'zod';

export const NOTICE_COOKIE = 'craftwarden_notice';

export type Notice = { kind: 'success' | 'info' | 'error'; message: string };

/** One notice for the next page, for people without JavaScript. */
export function leaveNotice(cookies: Cookies, notice: Notice) {
	cookies.set(NOTICE_COOKIE, JSON.stringify(notice), {
		path: '/',
		httpOnly: true,
		sameSite: 'lax',
		maxAge: 60
	});
}

const NoticeShape = z.object({
	kind: z.enum(['success', 'info', 'error']),
	message: z.string().max(500)
});

/** Takes the notice that the previous request left, once. */
export function takeNotice(cookies: Cookies): Notice | null {
	const text = cookies.get(NOTICE_COOKIE);
	if (!text) return null;
	cookies.delete(NOTICE_COOKIE, { path: '/' });
	try {
		return NoticeShape.parse(JSON.parse(text));
	} catch {
		return null;
	}
}
