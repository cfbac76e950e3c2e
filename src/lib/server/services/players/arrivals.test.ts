import { expect, test } from 'vitest';
import { withArrivals } from './arrivals.ts';

const [AT_ONE, AT_TWO] = ['2026-01-02T01:00:00.000Z', '2026-01-02T02:00:00.000Z'];

test('the log says when somebody joined who was there before, or was noticed a little later', () => {
	const online = [
		{ name: 'Ana', uuid: 'a', since: null },
		{ name: 'Bo', uuid: 'b', since: AT_TWO },
		{ name: 'Cy', uuid: null, since: null },
		{ name: 'Dee', uuid: 'd', since: '2026-01-02T01:00:04.000Z' }
	];
	const sessions = [
		{ name: 'Dee', since: AT_ONE },
		{ name: 'Ana', since: AT_ONE },
		{ name: 'Bo', since: AT_ONE },
		{ name: 'Gone', since: AT_ONE }
	];
	expect(withArrivals(online, sessions)).toEqual([
		{ name: 'Ana', uuid: 'a', since: AT_ONE },
		{ name: 'Bo', uuid: 'b', since: AT_TWO },
		{ name: 'Cy', uuid: null, since: null },
		{ name: 'Dee', uuid: 'd', since: AT_ONE }
	]);
	expect(online[0]!.since).toBeNull();
});
