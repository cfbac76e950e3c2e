import { isIP } from 'node:net';
import { isPublicAddress } from '#core/net';

/** Names that are never those of a machine on the internet (RFC 2606, 6761, 6762, 8375), or only by custom. */
const LOCAL = /\.(?:local|localhost|internal|lan|home|home\.arpa|test|example|invalid)\.?$/;

/** Whether strangers can know what this address means: a full name, or an address of the internet. */
export function isWorldly(url: URL): boolean {
	const host = bare(url).toLowerCase();
	if (isIP(host)) return isPublicAddress(host);
	return host.includes('.') && !LOCAL.test(host);
}

const bare = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1');
const isPublicLiteral = (host: string) => isIP(host) !== 0 && isPublicAddress(host);

/** Without encryption only into one's own network. A name is looked up when it is used, and checked again then. */
export const mayBePlain = (url: URL, allowPrivate: boolean) =>
	allowPrivate && !isPublicLiteral(bare(url));

/** Why nothing can ever be sent to this destination, as far as can be said without looking up its name. */
export function refusalOf(
	{ url, host }: { url?: string; host?: string },
	allowPrivate: boolean
): { path: string; message: string } | null {
	const path = url ? 'url' : 'host';
	const address = url ? URL.parse(url) : null;
	const literal = address ? bare(address) : (host ?? '');
	const isInside = isIP(literal) !== 0 && !isPublicAddress(literal);
	if (isInside && !allowPrivate)
		return {
			path,
			message: 'This address is in your own network: turn on “It is in my own network”'
		};
	if (address?.protocol === 'http:' && !mayBePlain(address, allowPrivate))
		return {
			path,
			message: allowPrivate
				? 'Use https: this address is not in your own network'
				: 'Use https. Plain http needs “It is in my own network”'
		};
	return null;
}
