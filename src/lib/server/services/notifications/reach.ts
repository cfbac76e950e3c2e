import { isIP } from 'node:net';
import { isPublicAddress } from '#core/net';

/** Names that are never those of a machine on the internet (RFC 2606, 6761, 6762, 8375), or only by custom. */
const LOCAL = /\.(?:local|localhost|internal|lan|home|home\.arpa|test|example|invalid)\.?$/;

/** Whether strangers can know what this address means: a full name, or an address of the internet. */
export function isWorldly({ hostname }: URL): boolean {
	const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
	if (isIP(host)) return isPublicAddress(host);
	return host.includes('.') && !LOCAL.test(host);
}
