import { expect, test } from 'vitest';
import { soon } from './soon';

const at = (time: string, timeZone = 'UTC') =>
	soon(new Date(`2026-11-26T${time}:00Z`), timeZone).map(({ label, on, time: clock, at: moment }) =>
		[label, on, clock, moment.toISOString().slice(5, 16)].join(' ')
	);

test('a task that runs once is offered the next hour, this night and the next morning', () => {
	expect(at('18:20')).toEqual([
		'In 1 hour 2026-11-26 19:20 11-26T19:20',
		'Tonight 23:00 2026-11-26 23:00 11-26T23:00',
		'Tomorrow 04:00 2026-11-27 04:00 11-27T04:00'
	]);
});

test('what has passed is not offered, and the small hours are still today', () => {
	expect(at('23:10')).toEqual([
		'In 1 hour 2026-11-27 00:10 11-27T00:10',
		'Tomorrow 04:00 2026-11-27 04:00 11-27T04:00'
	]);
	expect(at('01:30')).toEqual([
		'In 1 hour 2026-11-26 02:30 11-26T02:30',
		'Today 04:00 2026-11-26 04:00 11-26T04:00',
		'Tonight 23:00 2026-11-26 23:00 11-26T23:00'
	]);
	expect(at('03:15')[0]).toBe('Today 04:00 2026-11-26 04:00 11-26T04:00');
	expect(at('22:30').map((one) => one.slice(0, 13))).toEqual([
		'Tonight 23:00',
		'In 1 hour 202',
		'Tomorrow 04:0'
	]);
});

test('all of it is by the server’s clock', () => {
	expect(at('20:30', 'Pacific/Auckland')).toEqual([
		'In 1 hour 2026-11-27 10:30 11-26T21:30',
		'Tonight 23:00 2026-11-27 23:00 11-27T10:00',
		'Tomorrow 04:00 2026-11-28 04:00 11-27T15:00'
	]);
});
