import { expect, test } from 'vitest';
import { withArrivals } from './arrivals.ts';

const [AT_ONE, AT_TWO] = ['2026-01-02T01:00:00.000Z', '2026-01-02T02:00:00.000Z'];

test('the log says when an unseen player joined, and changes nothing for others', () => {
	const online = [
		{ name: 'Ana', uuid: 'a', since: null },
		{ name: 'Bo', uuid: 'b', since: AT_TWO },
		{ name: 'Cy', uuid: null, since: null }
	];
	const sessions = [
		{ name: 'Ana', since: AT_ONE },
		{ name: 'Bo', since: AT_ONE },
		{ name: 'Gone', since: AT_ONE }
	];
	expect(withArrivals(online, sessions)).toEqual([
		{ name: 'Ana', uuid: 'a', since: AT_ONE },
		{ name: 'Bo', uuid: 'b', since: AT_TWO },
		{ name: 'Cy', uuid: null, since: null }
	]);
	expect(online[0]!.since).toBeNull();
});
