import { createServer } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setResponse } from '@sveltejs/kit/node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { settle } from '../../../../tests/fakes/manual-clock.ts';
import { readSse } from '../../../../tests/fakes/sse-reader.ts';
import { encode, frame, openSse, QUEUE_MAX_BYTES, readerOf } from './sse.ts';

function open() {
	const abort = new AbortController();
	const onClose = vi.fn();
	const socket = { destroy: vi.fn() };
	const stream = openSse({ signal: abort.signal, socket, onClose });
	return { abort, onClose, socket, stream };
}

test('a stream declares how it should be handled, and each reader reconnects at a different time', async () => {
	const retries = new Set<number | null>();
	for (let i = 0; i < 20; i++) {
		const { stream } = open();
		expect(Object.fromEntries(stream.response.headers)).toMatchObject({
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-store, no-transform',
			'x-accel-buffering': 'no'
		});
		const reader = readSse(stream.response);
		stream.close();
		await reader.done;
		expect(reader.state.retry).toBeGreaterThanOrEqual(1000);
		expect(reader.state.retry).toBeLessThanOrEqual(4000);
		retries.add(reader.state.retry);
	}
	expect(retries.size).toBeGreaterThan(10);
});

test.each([
	'x\n\nevent: admin\ndata: x\n\n',
	'a\rb\r\nc',
	'line\u2028separator\u2029paragraph',
	'\u0000\u001b[31m',
	'\ud800 alone',
	'</script>{@html}'
])('no text can forge a second event: %j', async (text) => {
	const { stream } = open();
	const reader = readSse(stream.response);
	stream.send(encode(frame('chat', { messages: [{ text }] })));
	stream.close();
	await reader.done;
	expect(reader.events).toHaveLength(1);
	expect(reader.events[0]!.event).toBe('chat');
	expect(reader.of('chat')).toEqual([{ messages: [{ text: JSON.parse(JSON.stringify(text)) }] }]);
	expect(reader.state.text).not.toMatch(/[\r\u2028\u2029]/);
	expect(reader.state.text.match(/^data: /gm)).toHaveLength(1);
});

test('events sent before the end arrive, later ones do not', async () => {
	const { stream, onClose } = open();
	const chunk = encode(frame('a', 1), frame('b', 2));
	stream.send(chunk);
	stream.close();
	stream.send(encode(frame('c', 3)));
	stream.close();
	stream.drop();
	const reader = readSse(stream.response);
	await reader.done;
	expect(reader.events.map(({ event }) => event)).toEqual(['a', 'b']);
	expect(onClose).toHaveBeenCalledOnce();
	expect(stream.closed).toBe(true);
});

test('a reader that leaves is removed once, whichever sign of it comes first', async () => {
	for (const first of ['cancel', 'abort']) {
		const { stream, abort, onClose } = open();
		const reader = readSse(stream.response);
		await settle();
		if (first === 'abort') abort.abort();
		await reader.leave();
		abort.abort();
		stream.send(encode(frame('a', 1)));
		stream.close();
		expect(onClose).toHaveBeenCalledOnce();
	}
});

test('a reader that left before its stream opened gets none', async () => {
	const abort = new AbortController();
	abort.abort();
	const onClose = vi.fn();
	const stream = openSse({ signal: abort.signal, onClose });
	expect(stream.closed).toBe(true);
	expect(onClose).toHaveBeenCalledOnce();
});

test('a reader that reads nothing is disconnected before 64 kB are buffered for it, not counting a large first chunk', () => {
	const { stream, socket, onClose } = open();
	stream.send(new Uint8Array(QUEUE_MAX_BYTES * 2));
	expect(stream.closed).toBe(false);
	stream.send(new Uint8Array(1));
	expect(stream.closed).toBe(true);
	expect(socket.destroy).toHaveBeenCalledOnce();
	expect(onClose).toHaveBeenCalledOnce();

	const small = open();
	for (let i = 0; i < 63; i++) small.stream.send(new Uint8Array(1024));
	expect(small.stream.closed).toBe(false);
	small.stream.send(new Uint8Array(1024));
	expect(small.stream.closed).toBe(true);
});

/** A real HTTP server that answers as kit's adapter does. */
async function serve(onStream: (stream: ReturnType<typeof openSse>) => void) {
	const server = createServer((req, res) => {
		const abort = new AbortController();
		req.once('close', () => abort.abort());
		const stream = openSse({
			signal: abort.signal,
			socket: req.socket,
			onClose: () => {}
		});
		onStream(stream);
		void setResponse(res, stream.response);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return { server, port: (server.address() as AddressInfo).port };
}

describe('over a real socket', () => {
	test('a reader that stops reading loses its connection', async () => {
		let stream!: ReturnType<typeof openSse>;
		const opened = Promise.withResolvers<void>();
		const { server, port } = await serve((s) => {
			stream = s;
			opened.resolve();
		});
		const client = connect(port, '127.0.0.1');
		client.on('error', () => {});
		onTestFinished(() => void client.destroy());
		client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
		client.pause();
		await opened.promise;
		const chunk = new Uint8Array(32 * 1024);
		while (!stream.closed) {
			stream.send(chunk);
			await settle();
		}
		const connections = () =>
			new Promise<number>((resolve, reject) =>
				server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
			);
		await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 10_000 });
	});

	test('the end of a stream ends its connection after the last event', async () => {
		let stream!: ReturnType<typeof openSse>;
		const { port } = await serve((s) => {
			stream = s;
			stream.send(encode(frame('early', 1)));
			stream.send(encode(frame('early', 2)));
		});
		const response = await fetch(`http://127.0.0.1:${port}/`);
		const reader = readSse(response);
		await vi.waitFor(() => expect(reader.of('early')).toEqual([1, 2]));
		stream.send(encode(frame('late', 3)));
		await vi.waitFor(() => expect(reader.of('late')).toEqual([3]));
		stream.send(encode(frame('end', { ok: true })));
		stream.close();
		await reader.done;
		expect(reader.events.map(({ event }) => event)).toEqual(['early', 'early', 'late', 'end']);
		expect(response.headers.get('connection')).toBe('close');
	});

	test('events sent before anybody read arrive before the end', async () => {
		const { port } = await serve((stream) => {
			stream.send(encode(frame('a', 1)));
			stream.send(encode(frame('b', 2)));
			stream.close();
		});
		const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
		expect(text).toMatch(/^retry: \d+\n\nevent: a\ndata: 1\n\nevent: b\ndata: 2\n\n$/);
	});
});

test('without a session nobody becomes a reader', () => {
	const request = new Request('http://x/api/events');
	expect(() => readerOf({ request, locals: { session: null, actor: { address: '::1' } } })).toThrow(
		expect.objectContaining({ kind: 'unauthorized' })
	);
	const socket = { destroy() {} };
	expect(
		readerOf({
			request,
			locals: {
				session: { id: 's1', user: { name: 'ada', role: 'admin' } },
				actor: { address: null }
			},
			platform: { req: { socket } }
		})
	).toEqual({
		account: 'ada',
		sessionId: 's1',
		role: 'admin',
		address: '',
		signal: request.signal,
		socket
	});
});
