import { expect, test, vi } from 'vitest';
import { createManualClock } from '../../../../tests/fakes/manual-clock.ts';
import { deadline } from './deadline.ts';

const never = () => new Promise<never>(() => {});
const late = () => 'late';

test('a result in time is the answer, and no timer is left', async () => {
	const clock = createManualClock();
	expect(await deadline({ ms: 1000, clock }, async () => 'here', late)).toBe('here');
	expect(await deadline({ ms: 1000, clock }, async () => null, late)).toBe(null);
	expect(clock.sleeping).toBe(0);
});

test('the system’s own clock is the default', async () => {
	expect(await deadline({ ms: 1 }, never, late)).toBe('late');
	vi.useFakeTimers({ toFake: ['setTimeout'] });
	expect(await deadline({ ms: 3_600_000 }, async () => 'here', late)).toBe('here');
	expect(vi.getTimerCount()).toBe(0);
	vi.useRealTimers();
});

test('late work is abandoned, even when it ignores its signal', async () => {
	const clock = createManualClock();
	let given: AbortSignal | undefined;
	const mine = deadline(
		{ ms: 1000, clock },
		(signal) => {
			given = signal;
			return never();
		},
		late
	);
	await clock.advance(999);
	expect(given?.aborted).toBe(false);
	await clock.advance(1);
	expect(await mine).toBe('late');
	expect(given?.aborted).toBe(true);
});

test('the error of late work is the reason of its signal', async () => {
	const clock = createManualClock();
	const given: AbortSignal[] = [];
	const mine = deadline(
		{ ms: 1000, clock },
		(signal) => {
			given.push(signal);
			return never();
		},
		() => {
			throw new Error('too slow');
		}
	);
	const thrown = expect(mine).rejects.toThrow('too slow');
	await clock.advance(1000);
	await thrown;
	expect(given[0]?.reason).toEqual(new Error('too slow'));
});

test('a failure in time is thrown, one that comes too late is ignored', async () => {
	const clock = createManualClock();
	const fails = () => Promise.reject(new Error('broken'));
	await expect(deadline({ ms: 1000, clock }, fails, late)).rejects.toThrow('broken');
	const throws = () => {
		throw new Error('at once');
	};
	await expect(deadline({ ms: 1000, clock }, throws, late)).rejects.toThrow('at once');
	expect(clock.sleeping).toBe(0);

	const { promise, reject } = Promise.withResolvers<never>();
	const mine = deadline({ ms: 1000, clock }, () => promise, late);
	await clock.advance(1000);
	expect(await mine).toBe('late');
	reject(new Error('an unhandled rejection would fail this test'));
	await clock.advance(0);
});

test('a caller that aborted beforehand is not served at all', async () => {
	const clock = createManualClock();
	const work = vi.fn(never);
	const signal = AbortSignal.abort(new Error('gone'));
	await expect(deadline({ ms: 1000, clock, signal }, work, late)).rejects.toThrow('gone');
	expect(work).not.toHaveBeenCalled();
	expect(clock.sleeping).toBe(0);
});

test('a caller that aborts in the meantime aborts the work', async () => {
	const clock = createManualClock();
	const caller = new AbortController();
	let given: AbortSignal | undefined;
	const mine = deadline(
		{ ms: 1000, clock, signal: caller.signal },
		(signal) => {
			given = signal;
			return never();
		},
		late
	);
	caller.abort(new Error('gone'));
	await expect(mine).rejects.toThrow('gone');
	expect(given?.aborted).toBe(true);
	expect(clock.sleeping).toBe(0);
});
