import { expect, test } from 'vitest';
import { TIME_ZONE_COOKIE } from '#schemas/time-zone';
import { timeZoneOf } from './time-zone.ts';

const told = (value: string | undefined) =>
	timeZoneOf({ get: (name) => (name === TIME_ZONE_COOKIE ? value : undefined) });

test.each(['Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Ushuaia', 'Etc/GMT+5', 'UTC'])(
	'%s is a time zone, as the browser calls it',
	(name) => {
		expect([told(name), told(name)]).toEqual([name, name]);
	}
);

test.each([
	...[undefined, '', '../../etc/passwd', '<script>alert(1)</script>', 'Mars/Olympus', '+05:30'],
	...['Asia/Kolkata\r\nset-cookie: a=b', 'Asia/Kolkata ', '\u0000', 'constructor', '%', '-'],
	'A'.repeat(65),
	'Europe/Berlin'.repeat(1000)
])('%j is as if none was told', (value) => {
	expect(told(value)).toBeNull();
});

test('of more names than are kept each is still one', () => {
	const names = Intl.supportedValuesOf('timeZone');
	expect(names.filter((name) => told(name) !== name)).toEqual([]);
});
