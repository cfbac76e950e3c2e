import { expect, test } from 'vitest';
import {
	between,
	failedHereWord,
	failedHereWords,
	leftOutHow,
	ordered,
	remedies,
	shortVersion,
	type FailedUpdate,
	type ModEntry
} from './mods';

const failed = (certain: boolean, leftOut: boolean) =>
	({
		latest: { version: '3.0.0' },
		failedHere: { at: '2026-06-05T10:00:00.000Z', operationId: 'one', certain },
		leftOut
	}) as FailedUpdate;

test('a version is only blamed when that is certain', () => {
	expect(failedHereWords(failed(true, true))).toMatch(
		/^3\.0\.0 did not start here on 5 Jun 2026\. That is certain: .* leaves it out until a newer version comes\.$/
	);
	expect(failedHereWords(failed(true, true))).toContain('it failed by itself, twice, and');
	const words = failedHereWords(failed(false, false));
	expect(words).toMatch(/^3\.0\.0 was part of an update that did not start here on 5 Jun 2026\./);
	expect(words).toContain('It is not certain that it is to blame.');
	expect(words).toMatch(/An update of all mods tries it again\.$/);
	expect(failedHereWord(failed(false, false).failedHere)).toBe('Update may not start here');
	const tried = failed(true, true);
	tried.failedHere.ready = true;
	expect(failedHereWords(tried)).toMatch(/^3\.0\.0 did not stay up here on 5 Jun 2026\./);
	expect(failedHereWord(tried.failedHere)).toBe('Update does not stay up here');
	expect(leftOutHow([failed(true, true)])).toBe('did not start here');
	expect(leftOutHow([tried])).toBe('did not stay up here');
	expect(leftOutHow([failed(true, true), tried])).toMatch(/^did not start, or did not stay up,/);
	const unsure = failed(false, true);
	expect(leftOutHow([unsure])).toBe('was part of an update that did not start here');
	expect(leftOutHow([unsure, unsure])).toBe('were part of an update that did not start here');
	expect(leftOutHow([failed(true, true), unsure])).toBe(
		'did not start here, or were part of an update that did not'
	);
});

const crashAfter = (minutes: number, more: object = {}, newer: string | null = null) => ({
	at: new Date(minutes * 60_000).toISOString(),
	mods: [{ fileName: 'lithium.jar', name: 'Lithium', locked: false, newer, ...more }],
	change: {
		...{ title: 'Update', operationId: 'one', snapshotId: 'two' },
		at: new Date(0).toISOString()
	}
});

test('what a change has brought is taken back, unless the version before it had crashed too', () => {
	const first = (...facts: Parameters<typeof crashAfter>) =>
		remedies(crashAfter(...facts), true).map(({ label }) => label);
	expect(first(1)).toEqual(['Put the old mods back', 'Disable Lithium']);
	expect(first(60)).toEqual(['Disable Lithium', 'Put the old mods back']);
	const again = { crashedWith: '0.13.0' };
	expect(first(1, again)).toEqual(['Disable Lithium', 'Put the old mods back']);
	expect(first(60, {}, '3')[0]).toBe('Update Lithium');
	expect(first(60, again, '3')[0]).toBe('Disable Lithium');
	// Without it the world loses nothing: that is sure to help.
	expect(first(60, { contentFree: true }, '3')).toEqual([
		...['Disable Lithium', 'Update Lithium', 'Put the old mods back']
	]);
});

test('a version is shortened by what it is for, unless only that is new', () => {
	expect(shortVersion('0.14.0+mc1.21.1-fabric', '0.13.0+mc1.21.1-fabric')).toBe('0.14.0');
	expect(shortVersion('0.14.0+build.2', '0.14.0+build.1')).toBe('0.14.0+build.2');
	expect(shortVersion('mc1.21.1-0.6.0', null)).toBe('mc1.21.1-0.6.0');
	expect(shortVersion('+7', null)).toBe('+7');
});

test('a range goes from one to the other, whichever comes first', () => {
	const list = ['a', 'b', 'c', 'd'];
	expect(between(list, 'b', 'd')).toEqual(['b', 'c', 'd']);
	expect(between(list, 'c', 'a')).toEqual(['a', 'b', 'c']);
	expect(between(list, null, 'c')).toEqual(['c']);
	// A filter does not show the beginning.
	expect(between(list, 'gone', 'c')).toEqual(['c']);
});

test('mods are sorted by what is asked for, and those that are alike by name', () => {
	const mod = (name: string, facts: Partial<ModEntry>) =>
		({
			name,
			size: 1,
			writtenAt: null,
			crash: null,
			update: null,
			problems: [],
			...facts
		}) as ModEntry;
	const all = [
		mod('Wick', { size: 3 }),
		mod('Atlas', { writtenAt: '2026-01-02T00:00:00.000Z' }),
		mod('Moss', { problems: [{ code: 'broken', message: '' }] }),
		mod('Kiln', { writtenAt: '2026-05-02T00:00:00.000Z' }),
		mod('Yew', { update: { updateAvailable: true, failedHere: {}, leftOut: true } as never })
	];
	const names = (order: Parameters<typeof ordered>[1]) =>
		ordered(all, order).map(({ name }) => name);
	expect(names('updates')).toEqual(['Moss', 'Yew', 'Atlas', 'Kiln', 'Wick']);
	expect(names('name')).toEqual(['Atlas', 'Kiln', 'Moss', 'Wick', 'Yew']);
	expect(names('newest')).toEqual(['Kiln', 'Atlas', 'Moss', 'Wick', 'Yew']);
	expect(names('size')).toEqual(['Wick', 'Atlas', 'Kiln', 'Moss', 'Yew']);
});
