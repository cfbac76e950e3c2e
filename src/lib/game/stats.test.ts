import { expect, test } from 'vitest';
import { STAT_METRICS } from '$lib/schemas/plain/stat-metrics';
import {
	boardAddress,
	exactStat,
	GROUPS,
	hours,
	METRIC_LABELS,
	shortStat,
	thingOwner,
	thingWord
} from './stats';

const HOUR = 3600;

test.each([
	[0, '0 min'],
	[59, '1 min'],
	[29 * 60, '29 min'],
	[59.4 * 60, '59 min'],
	[59.6 * 60, '1 h'],
	[3 * HOUR, '3 h'],
	[5.34 * HOUR, '5 h 20 min'],
	[23.94 * HOUR, '23 h 56 min'],
	[23.996 * HOUR, '1 d'],
	[27.4 * HOUR, '1 d 3 h'],
	[47.6 * HOUR, '2 d'],
	[107_374_182, '1242 d 18 h'],
	[NaN, '–']
])('%d seconds are shown as %s', (seconds, text) => {
	expect(hours(seconds)).toBe(text);
});

test('numbers are compact, in the unit of their metric', () => {
	expect(shortStat('blocksMined', 999)).toBe('999');
	expect(shortStat('blocksMined', 1_234)).toBe('1.2k');
	expect(shortStat('itemsUsed', 3_400_000)).toBe('3.4M');
	expect(shortStat('damageDealt', 25.5)).toBe('25.5 HP');
	expect(shortStat('damageTaken', 214_748_364.7)).toBe('215M HP');
	expect(shortStat('distance', 999.4)).toBe('999 m');
	expect(shortStat('distance', 999.6)).toBe('1 km');
	expect(shortStat('distance', 402_464.01)).toBe('402 km');
	expect(shortStat('kdRatio', 1 / 3)).toBe('0.33');
	expect(shortStat('playtime', HOUR)).toBe('1 h');
	expect(exactStat('distance', 402_464.01)).toBe('402,464.01 m');
});

test('each of the 22 metrics has a label in one of six groups', () => {
	expect(GROUPS).toHaveLength(6);
	expect(Object.keys(METRIC_LABELS)).toEqual(STAT_METRICS);
	const sampled = STAT_METRICS.filter((metric) => METRIC_LABELS[metric].sampled);
	expect(sampled).toEqual(['longestLife', 'netherTrips', 'endTrips']);
});

test('each view has its own address', () => {
	const query = { metric: 'deaths', show: 'top', q: '', page: 1 } as const;
	expect(boardAddress(query)).toBe('/admin/stats?metric=deaths');
	expect(boardAddress({ ...query, show: 'all', q: 'a&b', page: 2 })).toBe(
		'/admin/stats?metric=deaths&show=all&q=a%26b&page=2'
	);
});

test.each([
	['minecraft:oak_log', 'Oak log', null],
	['create:crushing/andesite-alloy', 'Andesite alloy', 'create'],
	['mod:_', 'mod:_', 'mod'],
	['odd', 'Odd', null]
])('%s is shown as %s', (id, word, owner) => {
	expect([thingWord(id), thingOwner(id)]).toEqual([word, owner]);
});

test('what a metric counts is explained in one short line', () => {
	for (const { about } of Object.values(METRIC_LABELS))
		expect(about?.length ?? 0).toBeLessThanOrEqual(90);
});
