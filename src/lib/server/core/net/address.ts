import { isIPv4, isIPv6 } from 'node:net';

const IPV6_GROUPS = 8;
const PREFIX_GROUPS = 4;

/** An address as people write it: `::ffff:192.0.2.1` is `192.0.2.1`, a zone (`%eth0`) is dropped. */
export const plainAddress = (address: string) =>
	address.includes(':')
		? address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
		: address;

/** What limits are keyed by: a whole IPv4 address, the first 64 bits of an IPv6 one (a household has them all). */
export function addressPrefix(address: string | null): string {
	if (!address) return 'unknown';
	const plain = plainAddress(address);
	if (isIPv4(plain)) return plain;
	if (!isIPv6(plain)) return 'unknown';
	// The URL parser writes every form of an address the same way, an embedded IPv4 one in hexadecimal.
	const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
	const groups = (part: string | undefined) => (part ? part.split(':') : []);
	const missing = IPV6_GROUPS - groups(head).length - groups(tail).length;
	const all = [...groups(head), ...Array<string>(Math.max(0, missing)).fill('0'), ...groups(tail)];
	return `${all.slice(0, PREFIX_GROUPS).join(':')}::/64`;
}
