import { expect, test } from 'vitest';
import { fakeBrowser } from '../../../../tests/fakes/browser.ts';
import type { Operation, Step } from '$lib/schemas/operation.ts';
import { foldOperation, OperationStream, readEventStream } from './operation-stream.svelte.ts';

const step = (id: string, status: Step['status']): Step => ({
	id,
	label: id,
	status,
	detail: null,
	progress: null,
	at: '2026-01-02T03:04:05.000Z'
});
const OPERATION: Operation = {
	id: '20260102T030405123Z-1a2b',
	kind: 'start',
	subject: null,
	by: 'ada',
	state: 'running',
	startedAt: '2026-01-02T03:04:05.123Z',
	finishedAt: null,
	steps: [step('launch', 'running')],
	cause: null
};

/** A response whose body comes in exactly these pieces. */
const streamed = (pieces: (string | Uint8Array)[], init: ResponseInit = {}) => {
	const encoder = new TextEncoder();
	const body = new ReadableStream({
		start(controller) {
			for (const piece of pieces)
				controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
			controller.close();
		}
	});
	return new Response(body, { headers: { 'content-type': 'text/event-stream' }, ...init });
};
const read = async (pieces: (string | Uint8Array)[]) => {
	const events: [string, string][] = [];
	await readEventStream(streamed(pieces), ({ event, data }) => events.push([event, data]));
	return events;
};

const TEXT =
	': hello\nretry: 1000\n\nevent: step\ndata: {"id":"ü"}\n\r\ndata: a\ndata:b\nid: 7\n\n' +
	'event: end\r\ndata: x\r\n\r\nevent: none\n\ndata\n\ndata: unfinished\n';
const EVENTS = [
	['step', '{"id":"ü"}'],
	['message', 'a\nb'],
	['end', 'x'],
	['message', '']
];

test('reads a stream by the rules of the standard, wherever it is cut', async () => {
	expect(await read([TEXT])).toEqual(EVENTS);
	const bytes = new TextEncoder().encode(TEXT);
	for (let at = 1; at < bytes.length; at++)
		expect(await read([bytes.slice(0, at), bytes.slice(at)])).toEqual(EVENTS);
	expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
	expect(await read(['\ufeffdata: x\n\n', 'data: \u2028\n\n'])).toEqual([
		['message', 'x'],
		['message', '\u2028']
	]);
});

test('an answer that is no stream, a broken one and an endless line are errors', async () => {
	await expect(readEventStream(Response.json({}, { status: 409 }), () => {})).rejects.toThrow(
		'409'
	);
	await expect(readEventStream(new Response('hi'), () => {})).rejects.toThrow();
	await expect(read(Array.from({ length: 20 }, () => 'x'.repeat(100_000)))).rejects.toThrow(
		'without an end'
	);
	const broken = new Response(
		new ReadableStream({
			start: (controller) => controller.error(new Error('cut'))
		}),
		{ headers: { 'content-type': 'text/event-stream' } }
	);
	await expect(readEventStream(broken, () => {})).rejects.toThrow();
	await expect(
		readEventStream(streamed(['data: x\n\n']), () => {
			throw new Error('listener');
		})
	).rejects.toThrow('listener');
});

test('steps replace the one with their id, new ones come after the others', () => {
	let operation: Operation | null = null;
	operation = foldOperation(operation, 'step', step('launch', 'done'));
	expect(operation).toBe(null);
	operation = foldOperation(operation, 'operation', OPERATION);
	operation = foldOperation(operation, 'step', step('launch', 'failed'));
	operation = foldOperation(operation, 'step', step('rollback', 'running'));
	expect(operation?.steps).toEqual([step('launch', 'failed'), step('rollback', 'running')]);
	for (const [event, data] of [
		['step', null],
		['step', 'x'],
		['operation', { id: 'x' }],
		['heartbeat', { at: 'now' }],
		['unknown', { id: 'x' }]
	] as const)
		expect(foldOperation(operation, event, data)).toBe(operation);
	expect(operation).not.toBe(OPERATION);
	expect(OPERATION.steps).toEqual([step('launch', 'running')]);
});

test('a timeline attaches by id, follows to the end, tells it and closes', () => {
	const tab = fakeBrowser();
	const stream = new OperationStream(OPERATION, tab.around);
	const ends: Operation[] = [];
	const stop = stream.start((operation) => ends.push(operation));
	expect(tab.source.url).toBe(`/api/operations/${OPERATION.id}/events`);
	tab.source.emit('open');
	expect(stream.connected).toBe(true);
	tab.source.emit('operation', OPERATION);
	tab.source.emit('step', step('launch', 'done'));
	tab.source.emit('step', '{broken');
	expect(stream.operation?.steps).toEqual([step('launch', 'done')]);
	expect(stream.finished).toBe(false);
	const finished = { ...OPERATION, state: 'succeeded' as const };
	tab.source.emit('end', finished);
	expect(ends).toEqual([finished]);
	expect(stream.finished).toBe(true);
	expect(stream.connected).toBe(false);
	expect(tab.open).toHaveLength(0);
	expect([tab.timers, tab.watchers]).toEqual([0, 0]);
	stop();
	new OperationStream(finished, tab.around).start();
	new OperationStream(null, tab.around).start();
	expect(tab.sources).toHaveLength(1);
});

test('the answer of a POST is read into the same timeline', async () => {
	const stream = new OperationStream(null, fakeBrowser().around);
	const send = (event: string, data: unknown) =>
		`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
	await stream.read(
		streamed([
			send('operation', OPERATION),
			send('step', step('launch', 'done')),
			send('heartbeat', { at: 'now' })
		])
	);
	expect(stream.operation?.steps).toEqual([step('launch', 'done')]);
});
