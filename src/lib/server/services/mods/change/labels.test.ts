import { expect, test } from 'vitest';
import type { ModChange } from './index.ts';
import { rolledBack, stoppedAfter, subjectOf, rollbackInfo } from './labels.ts';

test('an operation and its rollback count the same mods, and say that they are mods', () => {
	const put = (title: string) => ({ title }) as ModChange['put'][number];
	const take = { title: 'Mod 1' } as ModChange['take'][number];
	const change = {
		kind: 'update',
		titles: ['Mod 2', 'Other 5', 'Lib 1'],
		needed: 1,
		put: [put('Lib 1'), put('Mod 2'), put('Other 5')],
		take: [take],
		by: 'ada'
	} as ModChange & { by: string };
	const subject = subjectOf(change);
	expect(subject).toBe('2 mods and 1 dependency');
	const way = rollbackInfo(change, 'digest');
	expect(way.what).toBe(subject);
	expect(rolledBack({ way, swapping: true, launching: true, wasRunning: true })).toContain(
		`Rolled back: the server did not start with ${subject}.`
	);
	// What they changed in the world stays.
	expect(stoppedAfter({ way, swapping: true, launching: true, wasRunning: true })).toBe(
		`The server did not start with ${subject}, so the mods were rolled back.`
	);
});

test('one mod is called by its name, several are counted', () => {
	expect(subjectOf({ titles: ['Mod 2'] })).toBe('Mod 2');
	expect(subjectOf({ titles: ['Mod 2', 'Lib 1'], needed: 1 })).toBe('Mod 2 and 1 dependency');
	expect(subjectOf({ titles: ['Mod 2', 'Lib 1', 'Lib 2'], needed: 2 })).toBe(
		'Mod 2 and 2 dependencies'
	);
	expect(subjectOf({ titles: ['Mod 2', 'Other 5'] })).toBe('2 mods');
});
