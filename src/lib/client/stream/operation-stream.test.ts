import { expect, test } from 'vitest';
import { fakeBrowser } from '../../../../tests/fakes/browser.ts';
import type { Operation, Step } from '$lib/schemas/operation.ts';
import { foldOperation, OperationStream } from './operation-stream.svelte.ts';

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

test('a timeline attaches by id, follows to the end, announces it and closes', () => {
	const tab = fakeBrowser();
	const stream = new OperationStream(OPERATION, tab.env);
	const ends: Operation[] = [];
	const stop = stream.start((operation) => ends.push(operation));
	expect(tab.source.url).toBe(`/api/operations/${OPERATION.id}/events`);
	tab.source.emit('open');
	expect(stream.connected).toBe(true);
	tab.source.emit('operation', OPERATION);
	tab.source.emit('step', step('launch', 'done'));
	tab.source.emit('step', '{broken');
	const log = { step: 'boot', lines: ['[main/INFO]: Loading'] };
	tab.source.emit('log', log);
	tab.source.emit('log', 'nonsense');
	expect(stream.log).toEqual(log);
	tab.source.emit('operation', stream.operation);
	expect(stream.log).toBeNull();
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
	new OperationStream(finished, tab.env).start();
	new OperationStream(null, tab.env).start();
	expect(tab.sources).toHaveLength(1);
});
