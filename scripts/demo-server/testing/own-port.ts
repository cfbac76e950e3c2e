import net from 'node:net';
import { anyPort, isFree } from '../seed/seed.ts';

/**
 * A port on which a server of a test may listen, also later and again: as long as this process lives no other test on
 * the machine gets it, nor tries whether it is free, which would take it for a moment.
 */
export async function ownPort(): Promise<number> {
	for (let port = anyPort(); ; port = anyPort())
		if ((await isOurs(port)) && (await isFree(port))) return port;
}

/** The kernel gives a name to one process, and takes it back when that ends. */
function isOurs(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const claim = net.createServer().unref();
		claim.once('error', () => resolve(false));
		claim.listen(`\0craftwarden-test-${port}`, () => resolve(true));
	});
}
