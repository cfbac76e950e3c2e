import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 ranges without servers of the public internet (IANA special-purpose registry). */
const SPECIAL_V4 = new BlockList();
for (const range of [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10',
	'127.0.0.0/8',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.0.0.0/24',
	'192.0.2.0/24',
	'192.88.99.0/24',
	'192.168.0.0/16',
	'198.18.0.0/15',
	'198.51.100.0/24',
	'203.0.113.0/24',
	'224.0.0.0/3'
])
	addRange(SPECIAL_V4, range, 'ipv4');

/** The only IPv6 range that is routed publicly; loopback, ULA, link-local and mapped addresses are outside of it. */
const GLOBAL_V6 = new BlockList();
addRange(GLOBAL_V6, '2000::/3', 'ipv6');

/** Exceptions inside it: protocols that embed an IPv4 address, and documentation. */
const SPECIAL_V6 = new BlockList();
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
	addRange(SPECIAL_V6, range, 'ipv6');

/** IPv4 through an IPv6-only network: the last 32 bits are the actual address. */
const NAT64 = new BlockList();
addRange(NAT64, '64:ff9b::/96', 'ipv6');

/** Whether a connection to this address leaves the machine and its own networks. */
export function isPublicAddress(address: string): boolean {
	if (isIPv4(address)) return !SPECIAL_V4.check(address, 'ipv4');
	if (!isIPv6(address) || address.includes('%')) return false;
	if (NAT64.check(address, 'ipv6')) return isPublicAddress(lastFourBytes(address));
	return GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6') {
	const [net = '', bits] = range.split('/');
	list.addSubnet(net, Number(bits), family);
}

function lastFourBytes(address: string): string {
	// The URL parser writes every form the same way: hexadecimal groups, the longest run of zeros as `::`.
	const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
	return groups
		.map((group) => parseInt(group || '0', 16))
		.flatMap((word) => [word >> 8, word & 255])
		.join('.');
}
