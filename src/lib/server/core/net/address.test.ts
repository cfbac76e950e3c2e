import { expect, test } from 'vitest';
import { addressPrefix, plainAddress } from './address.ts';
import { foldName } from '../credentials/index.ts';

test.each([
	['192.0.2.1', '192.0.2.1'],
	['::ffff:192.0.2.1', '192.0.2.1'],
	['::FFFF:192.0.2.1', '192.0.2.1'],
	['2001:db8::1', '2001:db8:0:0::/64'],
	['2001:db8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
	['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
	['fe80::1%eth0', 'fe80:0:0:0::/64'],
	['::1', '0:0:0:0::/64'],
	['', 'unknown'],
	['not an address', 'unknown'],
	['1.2.3.4.5', 'unknown']
])('the prefix of %j is %s', (address, prefix) => expect(addressPrefix(address)).toBe(prefix));

test('a missing address counts as one place', () => expect(addressPrefix(null)).toBe('unknown'));

test('an address is shown as people write it', () => {
	expect(plainAddress('::ffff:10.0.0.7')).toBe('10.0.0.7');
	expect(plainAddress('2001:db8::1')).toBe('2001:db8::1');
});

test.each([
	['Steve', ' steve '],
	['Steve', 'ＳＴＥＶＥ'],
	['Steve', 'ste\u200bve\u200e'],
	['straße', 'STRASSE'],
	['a@b', 'A＠b'],
	['ﬁsh', 'fish'],
	['é', 'e\u0301']
])('%j and %j are the same name', (a, b) => expect(foldName(a)).toBe(foldName(b)));

test('names that differ stay different', () =>
	expect(foldName('steve')).not.toBe(foldName('alex')));
