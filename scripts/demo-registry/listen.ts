import { once } from 'node:events';
import type http from 'node:http';

/** Listens on this port, or on the next free one if it is taken. */
export async function listen(server: http.Server, port: number, host: string) {
	server.listen(port, host);
	try {
		await once(server, 'listening');
	} catch (error) {
		if (port === 0) throw error;
		server.listen(0, host);
		await once(server, 'listening');
	}
}
