import { BlockList, isIP } from 'node:net';
import { AppError } from '#core/errors';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
const isLoopback = (name: string) =>
	name === 'localhost' ||
	name.endsWith('.localhost') ||
	(isIP(name) !== 0 && loopback.check(name, isIP(name) === 6 ? 'ipv6' : 'ipv4'));

/**
 * Which names this dashboard answers to. A page elsewhere can point a name of its own at our address: where we know
 * our own names, that is refused. `host` is the address we listen on, `machine` the machine's own name.
 */
export function createHostCheck(
	{ host, publicUrl }: { host: string; publicUrl: URL | null },
	machine: string
): (hostname: string) => boolean {
	const local = isLoopback(host);
	if (!local && !publicUrl) return () => true; // on a network we cannot know what people call us
	const names = new Set<string>(publicUrl ? [bare(publicUrl.hostname)] : []);
	if (!local) for (const suffix of ['', '.local']) names.add(machine.toLowerCase() + suffix);
	const isOurs = (name: string) =>
		names.has(name) || isLoopback(name) || (!local && isIP(name) !== 0);
	/** Nearly every request names the same one. */
	let known: string | null = null;
	return (hostname) => {
		if (hostname === known) return true;
		if (!isOurs(bare(hostname))) return false;
		known = hostname;
		return true;
	};
}

/** Every change must come from one of our own pages: browsers say so in `Origin`. */
export function requireOwnOrigin(request: Request, url: URL, publicUrl: URL | null) {
	if (SAFE_METHODS.has(request.method)) return;
	const origin = request.headers.get('origin');
	if (origin !== null && (origin === url.origin || origin === publicUrl?.origin)) return;
	throw new AppError(
		'forbidden',
		'This request came from another address than the one you see. Open the dashboard itself and try again; behind a proxy, TRUST_PROXY and PUBLIC_URL must be set.',
		{ code: 'wrong-origin' }
	);
}
