import type { RequestEvent } from '@sveltejs/kit';
import { PLAIN_COOKIE } from './notice.ts';

type Visit = Pick<RequestEvent, 'cookies' | 'locals'>;

const YEAR_S = 365 * 86_400;
/** This installation's own: cookies ignore ports. */
const cookieOf = (what: string, { locals }: Pick<Visit, 'locals'>) =>
	`craftwarden_without_${what}_${locals.app.env.installation}`;

/** Something on a page that whoever uses this browser does not want to see any more, or again. */
export function putAway(event: Visit, what: string, isAway: boolean) {
	const name = cookieOf(what, event);
	if (isAway) event.cookies.set(name, '1', { ...PLAIN_COOKIE, sameSite: 'lax', maxAge: YEAR_S });
	else event.cookies.delete(name, PLAIN_COOKIE);
}

export const isPutAway = (event: Pick<Visit, 'cookies' | 'locals'>, what: string) =>
	event.cookies.get(cookieOf(what, event)) !== undefined;
