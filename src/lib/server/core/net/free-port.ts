import { createServer } from 'node:net';

/**
 * The first port from this one on that nothing on this machine listens on, and that is not meant for something else;
 * itself when none near it is free.
 */
export async function freePortFrom(wanted: number, meant: number[] = []): Promise<number> {
	for (let port = wanted; port < wanted + TRIED && port < 65_536; port++)
		if (!meant.includes(port) && (await isFree(port))) return port;
	return wanted;
}
const TRIED = 20;

const isFree = (port: number) =>
	new Promise<boolean>((resolve) => {
		const server = createServer().once('error', () => resolve(false));
		server.listen(port, () => server.close(() => resolve(true)));
	});
