import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what each service gets has a shape of its own
export type Received = { path: string; headers: IncomingHttpHeaders; body: string; json: any };
/** How a service behaves: what it does with one request. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export const answers =
	(status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
	(response) =>
		void response.writeHead(status, headers).end(body);
export const BEHAVIOURS = {
	fine: answers(204),
	silent: () => {},
	cuts: (_, request) => void request.socket.destroy(),
	garbage: (_, request) => void request.socket.end('not at all HTTP\r\n\r\n'),
	floods: (response) => {
		response.writeHead(500);
		const chunk = Buffer.alloc(64 * 1024, 'x');
		const more = () => {
			while (!response.destroyed && response.write(chunk));
		};
		response.on('drain', more);
		more();
	},
	/** A byte now and then, forever. */
	slow: (response) => {
		response.writeHead(500);
		const timer = setInterval(() => response.write('.'), 20);
		response.on('close', () => clearInterval(timer));
	}
} satisfies Record<string, Behaviour>;

/** A service of our own that receives notifications, and behaves as scripted. */
export async function startPeer(first: Behaviour = BEHAVIOURS.fine) {
	let behaviour = first;
	const received: Received[] = [];
	const server = createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8').on('data', (text: string) => (body += text));
		request.on('end', () => {
			received.push({
				path: request.url!,
				headers: request.headers,
				body,
				json: body.startsWith('{') ? JSON.parse(body) : null
			});
			behaviour(response, request);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		behave: (next: Behaviour) => void (behaviour = next)
	};
}
