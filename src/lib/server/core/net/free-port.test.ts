import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { freePortFrom } from './free-port.ts';

test('a port that something listens on is passed over', async () => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, resolve));
	const { port } = server.address() as AddressInfo;
	expect(await freePortFrom(port)).toBeGreaterThan(port);
	await new Promise((resolve) => server.close(resolve));
	expect(await freePortFrom(port)).toBe(port);
	expect(await freePortFrom(port, [port])).toBeGreaterThan(port);
});
