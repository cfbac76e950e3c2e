import net from 'node:net';
import { anyPort, isFree } from '../seed/seed.ts';

/**
 * A port on which a test's server may listen, any number of times: as long as this process lives, no other test on the
 * machine gets it, or probes whether it is free, which would occupy it for a moment. `beyond`: so is the one that far
 * above it.
 */
export async function ownPort({ beyond = 0 } = {}): Promise<number> {
	const isOwn = async (port: number) => (await isOurs(port)) && (await isFree(port));
	for (let port = anyPort(); ; port = anyPort())
		if ((await isOwn(port)) && (beyond === 0 || (await isOwn(port + beyond)))) return port;
}

/** The kernel gives a name to one process only, and frees it when that process ends. */
function isOurs(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const claim = net.createServer().unref();
		claim.once('error', () => resolve(false));
		claim.listen(`\0craftwarden-test-${port}`, () => resolve(true));
	});
}
