import type { RequestEvent } from '@sveltejs/kit';
import { z } from 'zod';

type Visit = Pick<RequestEvent, 'cookies' | 'locals'>;

/** It holds no secret, and on a plain-http LAN browsers drop a secure cookie. */
export const PLAIN_COOKIE = { path: '/', secure: false };

/** This installation's own: cookies ignore ports, and another dashboard on the host would show the notice. */
export const noticeCookie = ({ locals }: Pick<Visit, 'locals'>) =>
	`craftwarden_notice_${locals.app.env.installation}`;

export type Notice = { kind: 'success' | 'info' | 'error'; message: string };

/** One notice for the next page, for people without JavaScript. */
export function leaveNotice(event: Visit, notice: Notice) {
	event.cookies.set(noticeCookie(event), JSON.stringify(notice), {
		...PLAIN_COOKIE,
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
export function takeNotice(event: Visit): Notice | null {
	const name = noticeCookie(event);
	const text = event.cookies.get(name);
	if (!text) return null;
	event.cookies.delete(name, PLAIN_COOKIE);
	try {
		return NoticeShape.parse(JSON.parse(text));
	} catch {
		return null;
	}
}
