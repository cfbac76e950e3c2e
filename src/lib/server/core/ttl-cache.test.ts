import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/fakes/manual-clock.ts';
import { createTtlCache } from './ttl-cache.ts';

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

test('many who ask within a second share one look', async () => {
	const { clock, recent } = setup();
	expect(await Promise.all([recent(), recent()])).toEqual([1, 1]);
	await clock.advance(999);
	expect(await recent()).toBe(1);
	await clock.advance(1);
	expect(await recent()).toBe(2);
});

test('what has changed is looked at anew, also when a look is under way', async () => {
	const { recent } = setup();
	const before = recent();
	recent.forget();
	expect(await Promise.all([before, recent()])).toEqual([1, 2]);
	expect(await recent()).toBe(2);
});

test('a failed look is not kept, and one that was forgotten takes nothing away', async () => {
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
