import net from 'node:net';
import { anyPort, isFree } from '../seed/seed.ts';

/**
 * A port on which a test's server may listen, any number of times: as long as this process lives, no other test on the
 * machine gets it, or probes whether it is free, which would occupy it for a moment.
 */
export async function ownPort(): Promise<number> {
	for (let port = anyPort(); ; port = anyPort())
		if ((await isOurs(port)) && (await isFree(port))) return port;
}

/** The kernel gives a name to one process only, and frees it when that process ends. */
function isOurs(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const claim = net.createServer().unref();
		claim.once('error', () => resolve(false));
		claim.listen(`\0craftwarden-test-${port}`, () => resolve(true));
	});
}
