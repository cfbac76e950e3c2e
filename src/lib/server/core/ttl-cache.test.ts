import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/fakes/manual-clock.ts';
import { createKeptAnswer, createTtlMap, createTtlValue, createTtlCache } from './ttl-cache.ts';

function setup() {
	const clock = createManualClock();
	const world = { looks: 0, broken: false };
	const look = async () => {
		world.looks++;
		if (world.broken) throw new Error('out of order');
		return world.looks;
	};
	return { clock, world, recent: createTtlCache(look, 1000, clock) };
}

test('concurrent callers within a second share one lookup', async () => {
	const { clock, recent } = setup();
	expect(await Promise.all([recent(), recent()])).toEqual([1, 1]);
	await clock.advance(999);
	expect(await recent()).toBe(1);
	await clock.advance(1);
	expect(await recent()).toBe(2);
});

test('a changed value is looked up again, even during a lookup', async () => {
	const { recent } = setup();
	const before = recent();
	recent.forget();
	expect(await Promise.all([before, recent()])).toEqual([1, 2]);
	expect(await recent()).toBe(2);
});

test('a failed lookup is not cached, and an invalidated one removes nothing', async () => {
	const { world, recent } = setup();
	world.broken = true;
	const failing = recent();
	recent.forget();
	world.broken = false;
	const good = recent();
	await expect(failing).rejects.toThrow('out of order');
	expect(await good).toBe(2);
	expect(await recent()).toBe(2);
	recent.forget();
	world.broken = true;
	await expect(recent()).rejects.toThrow();
	world.broken = false;
	expect(await recent()).toBe(4);
});

test('a lookup that takes longer than its answer is valid is shared, and its age counts from its start', async () => {
	const clock = createManualClock();
	const value = createTtlValue<string>(1000, clock);
	const { promise, resolve } = Promise.withResolvers<string>();
	const first = value.load(() => promise);
	await clock.advance(1500);
	const second = value.load(async () => 'a second look');
	resolve('slow');
	expect(await Promise.all([first, second])).toEqual(['slow', 'slow']);
	expect([value.get(), value.stale()]).toEqual([undefined, 'slow']);
	expect(await value.load(async () => 'new')).toBe('new');
});

test('a lookup that throws synchronously counts as failed, and asking within a lookup does no harm', async () => {
	const clock = createManualClock();
	const value = createTtlValue<string>(1000, clock);
	const throws = () => {
		throw new Error('at once');
	};
	await expect(value.load(throws)).rejects.toThrow('at once');
	const outer = await value.load(async () => `outer of ${await value.load(async () => 'inner')}`);
	expect(outer).toBe('outer of inner');
	expect(value.get()).toBe('outer of inner');
});

test('an expired value is gone, but still available as stale', async () => {
	const clock = createManualClock();
	const value = createTtlValue<number | null>(1000, clock);
	expect([value.get(), value.stale()]).toEqual([undefined, undefined]);
	value.set(null);
	expect(value.get()).toBe(null);
	expect(await value.load(async () => 1)).toBe(null);
	await clock.advance(1000);
	expect([value.get(), value.stale()]).toEqual([undefined, null]);
	await expect(value.load(() => Promise.reject(new Error('out of order')))).rejects.toThrow();
	expect(value.stale()).toBe(null);
	value.set(2, clock.monotonicMs() - 999);
	expect(value.get()).toBe(2);
	await clock.advance(1);
	expect(value.get()).toBe(undefined);
	value.forget();
	expect(value.stale()).toBe(undefined);
});

test('keys are independent, and the least recently used goes first', async () => {
	const clock = createManualClock();
	const cache = createTtlMap<string, string>({ ttlMs: 1000, max: 2, clock });
	const { promise, resolve } = Promise.withResolvers<string>();
	const slow = cache.load('slow', () => promise);
	cache.set('a', 'A');
	cache.set('b', 'B');
	cache.forget('b');
	expect(cache.get('a')).toBe('A');
	cache.set('c', 'C');
	resolve('S');
	expect(await slow).toBe('S');
	expect(['a', 'b', 'c', 'slow'].map(cache.get)).toEqual([undefined, undefined, 'C', 'S']);
});

function keptSetup() {
	const clock = createManualClock();
	const world = { looks: 0, takesMs: 0, broken: false };
	const kept = createKeptAnswer(
		async () => {
			const look = ++world.looks;
			if (world.takesMs) await clock.sleep(world.takesMs);
			if (world.broken) throw new Error('out of order');
			return look;
		},
		{
			...{ ttlMs: 1000, oldMs: 300_000, waitMs: 100, clock },
			failed: (cause) => (cause as Error).message
		}
	);
	return { clock, world, kept };
}
const value = (value: number) => ({ value, problem: null });

test('a cached answer is returned at once, and refreshed in the background', async () => {
	const { clock, world, kept } = keptSetup();
	expect(await kept()).toEqual(value(1));
	world.takesMs = 60_000;
	await clock.advance(1000);
	expect(await kept()).toEqual(value(1));
	await clock.advance(60_000);
	expect(await kept()).toEqual(value(2));
	expect(world.looks).toBe(3);
});

test('what was known a night ago is told to nobody', async () => {
	const { clock, world, kept } = keptSetup();
	expect(await kept()).toEqual(value(1));
	await clock.advance(300_000);
	expect(await kept()).toEqual(value(2));
	world.takesMs = 60_000;
	await clock.advance(300_000);
	const late = kept();
	await clock.advance(100);
	expect(await late).toEqual({ value: null, problem: null });
});

test('the first caller waits briefly, then the value is still unknown; after a change again', async () => {
	const { clock, world, kept } = keptSetup();
	world.takesMs = 150;
	const first = kept();
	await clock.advance(100);
	expect(await first).toEqual({ value: null, problem: null });
	await clock.advance(50);
	expect(await kept()).toEqual(value(1));
	kept.outdate();
	world.takesMs = 50;
	const next = kept();
	await clock.advance(50);
	expect(await next).toEqual(value(2));
});

test('what was known before a change is not told after it, however long the new look takes', async () => {
	const { clock, world, kept } = keptSetup();
	expect(await kept()).toEqual(value(1));
	kept.outdate();
	world.takesMs = 60_000;
	const callers = [kept(), kept()];
	await clock.advance(100);
	for (const late of callers) expect(await late).toEqual({ value: null, problem: null });
	await clock.advance(60_000);
	expect(await kept()).toEqual(value(2));
});

test('a look that began before a change and ends after it is not told either', async () => {
	const { clock, world, kept } = keptSetup();
	world.takesMs = 60_000;
	const before = kept();
	await clock.advance(100);
	await before;
	kept.outdate();
	world.takesMs = 50;
	const after = kept();
	await clock.advance(50);
	expect(await after).toEqual(value(2));
	await clock.advance(60_000);
	expect(await kept()).toEqual(value(2));
});

test('a cached answer that cannot be refreshed says why, and is retried later', async () => {
	const { clock, world, kept } = keptSetup();
	world.broken = true;
	expect(await kept()).toEqual({ value: null, problem: 'out of order' });
	expect(await kept()).toEqual({ value: null, problem: 'out of order' });
	expect(world.looks).toBe(1);
	world.broken = false;
	await clock.advance(1000);
	await kept();
	await clock.advance(0);
	expect(await kept()).toEqual(value(2));
});
