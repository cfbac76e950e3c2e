import { readFile } from 'node:fs/promises';
import { errno } from '#core/errors';

/** Unanswered retransmissions after which a peer counts as gone: 6 s on a LAN, some 30 s over a slow phone. */
const RETRIES_MAX = 5;
const ESTABLISHED = '01';
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/**
 * The remote ports of TCP connections whose other end no longer acknowledges (unplugged, asleep, a dead NAT). The
 * kernel itself gives up only after 15 minutes and Node offers no shorter limit; on systems without these tables
 * nothing is found. Two peers with the same port are not told apart: a stream that is cut by mistake reconnects by
 * itself.
 */
export async function silentPeers(tables: string[] = TABLES): Promise<Set<number>> {
	const ports = new Set<number>();
	for (const table of tables) {
		const text = await readFile(table, 'latin1').catch((error) => {
			if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errno(error) ?? '')) return '';
			throw error;
		});
		for (const line of text.split('\n')) {
			const [, , remote = '', state, , , retries = '0'] = line.trim().split(/\s+/);
			if (state === ESTABLISHED && parseInt(retries, 16) >= RETRIES_MAX)
				ports.add(parseInt(remote.slice(remote.lastIndexOf(':') + 1), 16));
		}
	}
	return ports;
}
