import { expect, test } from 'vitest';
import type { Upgrades, UpgradeVersion } from '$lib/schemas/mod';
import { readyWords, worthwhile } from './late';

test.each([
	[4, 5, 0, '4 of 5 mods ready'],
	[4, 5, 200, '4 of 5 known mods ready, 200 unknown'],
	[0, 0, 1, '1 unknown mod'],
	[0, 0, 0, 'no mods to wait for']
])('%i of %i ready and %i unknown: %s', (ready, total, count, words) => {
	const unknown = Array.from({ length: count }, (_, i) => `${i}.jar`);
	expect(readyWords({ ready, total, unknown } as UpgradeVersion)).toBe(words);
});

test('only while no version has all mods is one worth going to without some: the newest that lacks few', () => {
	const version = (id: string, late: number, facts = {}) => ({
		...{ id, loader: {}, failed: null, late: Array.from({ length: late }) },
		...facts
	});
	const versions = [
		version('1.21.9', 200),
		version('1.21.8', 1, { failed: {} }),
		version('1.21.7', 1, { loader: null }),
		version('1.21.6', 2),
		version('1.21.5', 1)
	];
	const found = (newestComplete: string | null) =>
		worthwhile({ newestComplete, versions } as unknown as Upgrades);
	expect(found(null)).toBe('1.21.6');
	expect(found('1.21.4')).toBeUndefined();
});
