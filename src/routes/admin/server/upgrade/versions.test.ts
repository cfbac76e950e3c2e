import { expect, test } from 'vitest';
import type { Upgrades, UpgradeVersion } from '$lib/schemas/mod';
import { inOrder, planWords, readyWords, recommended } from './versions';

const names = (count: number) => Array.from({ length: count }, (_, i) => `${i}.jar`);

test.each([
	[5, 5, 0, 'All 5 mods ready'],
	[4, 5, 0, '4 of 5 mods ready'],
	[4, 5, 200, '4 of 5 known mods ready, 200 unknown'],
	[0, 5, 0, 'No mod is ready yet'],
	[0, 5, 2, 'No known mod is ready yet, 2 unknown'],
	[0, 0, 1, '1 unknown mod'],
	[0, 0, 0, 'No mods to wait for']
])('%i of %i ready and %i unknown: %s', (ready, total, count, words) => {
	const unknown = names(count);
	expect(readyWords({ ready, total, unknown } as UpgradeVersion)).toBe(words);
});

test.each([
	[5, [], 0, ': all 5 mods come along'],
	[4, ['Salt'], 0, ': 4 of 5 mods come along; Salt is parked until it has a version'],
	[
		3,
		['Salt', 'Wick'],
		1,
		': 3 of 5 mods come along; 1 unknown file comes along as it is, unless ticked; Salt and Wick are parked until they have a version'
	]
])(
	'%i of 5 ready, late: %j, %i unknown: the plan is said before it is made',
	(ready, late, count, words) => {
		const titled = late.map((title) => ({ title }));
		const version = { id: '1.21.4', ready, total: 5, late: titled, along: [] };
		expect(planWords({ ...version, unknown: names(count) } as unknown as UpgradeVersion)).toBe(
			`The plan leads to Minecraft 1.21.4 and changes nothing yet${words}.`
		);
	}
);

test('what was parked before is counted apart', () => {
	const aside = [{ fileName: 'a.jar.disabled', title: 'A', back: false }];
	const version = {
		id: '1.21.4',
		ready: 3,
		total: 3,
		late: [],
		along: [],
		unknown: [],
		parked: aside
	};
	expect(readyWords(version as unknown as UpgradeVersion)).toBe('All 3 mods ready, 1 parked');
	expect(planWords(version as unknown as UpgradeVersion)).toMatch(
		/: all 3 mods come along; 1 parked before stays so\.$/
	);
});

test('without mods the plan still says where it leads', () => {
	const none = { id: '1.21.4', ready: 0, total: 0, late: [], along: [], unknown: [] };
	expect(planWords(none as unknown as UpgradeVersion)).toBe(
		'The plan leads to Minecraft 1.21.4 and changes nothing yet.'
	);
});

test('what needs a late mod is said to be parked with it, and why', () => {
	const version = {
		...{ id: '1.21.4', ready: 3, total: 6, late: [{ title: 'Salt' }, { title: 'Wick' }] },
		...{ along: [{ title: 'Lantern', reason: 'needs Wick' }], unknown: [] }
	};
	expect(planWords(version as unknown as UpgradeVersion)).toMatch(
		/: 3 of 6 mods come along; Salt and Wick are parked until they have a version; so is Lantern \(needs Wick\)\.$/
	);
});

test('what most mods have is looked at first, and what none has comes last', () => {
	const version = (id: string, ready: number, facts = {}) => ({
		...{ id, loader: {}, failed: null, ready, total: 5 },
		...facts
	});
	const versions = [
		version('26.2', 0),
		version('1.21.9', 5, { loader: null }),
		version('1.21.8', 5, { failed: {} }),
		version('1.21.8.1', 5, { wentBack: {} }),
		version('1.21.7', 3),
		version('1.21.6', 4),
		version('1.21.5', 4)
	];
	const upgrades = (newestComplete: string | null) =>
		({ newestComplete, versions }) as unknown as Upgrades;
	expect(recommended(upgrades('1.21.7'))).toBe('1.21.7');
	expect(recommended(upgrades(null))).toBe('1.21.6');
	expect(inOrder(upgrades(null)).map(({ id }) => id)).toEqual([
		...['1.21.6', '1.21.8', '1.21.8.1', '1.21.7', '1.21.5'],
		...['26.2', '1.21.9']
	]);
	expect(inOrder(upgrades(null), '26.2')[0]?.id).toBe('26.2');
	expect(inOrder(upgrades(null), '1.0')[0]?.id).toBe('1.21.6');
	expect(recommended({ ...upgrades(null), versions: [] })).toBeNull();
});
