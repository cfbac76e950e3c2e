import { expect, test } from 'vitest';
import type { Step } from '$lib/schemas/operation';
import type { Status } from '$lib/schemas/status';
import { asPressed } from './being-started';

const status = (state: Status['state']) => ({ state, reason: 'ada stopped it.' }) as Status;
const starting = (launch: Step['status']) => ({
	steps: [{ id: 'prepare', status: 'done' } as Step, { id: 'launch', status: launch } as Step]
});

test('a server that is about to be launched is not said to be stopped any more', () => {
	for (const state of ['stopped', 'crashed'] as const)
		for (const launch of ['pending', 'running'] as const)
			expect(asPressed(status(state), () => starting(launch))).toEqual({
				state: 'starting',
				reason: null
			});
});

test('what the server itself did, and what has ended since, stays as it is', () => {
	const crashed = status('crashed');
	expect(asPressed(crashed, () => starting('done'))).toBe(crashed);
	expect(asPressed(crashed, () => starting('skipped'))).toBe(crashed);
	expect(asPressed(crashed, () => ({ steps: [] }))).toBe(crashed);
	expect(asPressed(crashed, () => null)).toBe(crashed);
	const running = status('running');
	expect(asPressed(running, () => starting('pending'))).toBe(running);
	const unreadable = () => {
		throw new Error('The journal could not be read');
	};
	expect(asPressed(crashed, unreadable)).toBe(crashed);
});
