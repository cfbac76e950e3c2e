import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/fakes/manual-clock.ts';
import { createPlanCache } from './plan-cache.ts';

test('a plan is kept for half an hour, or until it is carried out', async () => {
	const clock = createManualClock();
	const plans = createPlanCache<string>({ clock, max: 2 });
	const id = plans.keep('an upgrade');
	const own = plans.keep('an update', 'own-id');
	expect([own, plans.get(id), plans.find(own)]).toEqual(['own-id', 'an upgrade', 'an update']);
	plans.forget(id);
	expect(plans.find(id)).toBeNull();
	expect(() => plans.get(id)).toThrow('Make a new one');
	await clock.advance(30 * 60_000);
	expect(plans.find(own)).toBeNull();
});
