import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import type { Ask, Transport } from './transport.ts';

/** Approves an address (`anyAddress`: even a private one), or throws `AppError('upstream')`. */
export type Rule = (url: URL, hop: number) => { anyAddress: boolean };

const REDIRECTS_MAX = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Sends a request and follows redirects; the rule is checked before each hop. */
export async function follow(
	transport: Transport,
	rule: Rule,
	ask: Omit<Ask, 'anyAddress'>
): Promise<IncomingMessage> {
	let { url } = ask;
	for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
		const answer = await transport.send({ ...ask, ...rule(url, hop), url });
		if (!REDIRECTS.has(answer.statusCode ?? 0)) return answer;
		answer.destroy();
		const next = answer.headers.location ? URL.parse(answer.headers.location, url) : null;
		if (!next || ask.body !== undefined)
			throw lost(`${url.host} sent a redirect without an address.`);
		url = next;
	}
	throw lost(`${url.host} redirected us more than ${REDIRECTS_MAX} times.`);
}

const lost = (message: string) =>
	new AppError('upstream', `${message} Try again later.`, { code: 'redirects' });
