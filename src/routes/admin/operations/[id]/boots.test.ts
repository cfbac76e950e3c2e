import { expect, test } from 'vitest';
import type { TrialBoot } from '$lib/schemas/operation';
import { counted, measured, rowsOf } from './boots';

const AT = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000Z`;
const boot = (files: string[], at: number, facts: Partial<TrialBoot> = {}): TrialBoot => ({
	...{ files, verdict: 'bad', control: false, durationMs: 5000, at: AT(at) },
	...facts
});
const MODS = ['a.jar', 'b.jar', 'c.jar', 'd.jar'];
const BOOTS = [
	boot([], 5, { control: true, verdict: 'good', durationMs: 8000 }),
	boot(MODS, 10, { control: true, durationMs: 7000 }),
	boot(['a.jar', 'b.jar'], 26),
	boot(['a.jar'], 31, { verdict: 'good' }),
	boot(['b.jar'], 36),
	boot(['b.jar'], 41)
];
const ABOUT = { kind: 'culprit', amongAll: false, updates: 3, since: AT(20) } as const;

test('no two starts read the same: by what was on, or that it was once more', () => {
	const rows = rowsOf(BOOTS, ABOUT).map(({ what, named }) => `${what}: ${named}`);
	expect(rows).toEqual([
		'The mods as they are, for comparison: ',
		'All 4 files together: a.jar, b.jar, c.jar and 1 more',
		'2 of 4 files: a.jar and b.jar',
		'1 of 4 files: a.jar',
		'1 of 4 files: b.jar',
		'1 of 4 files, once more: b.jar'
	]);
});

test('a search takes no longer than the starts that are its own, and says which are not', () => {
	expect(measured(BOOTS, ABOUT)).toBe(
		'The first 2 were made by the change that failed, in 15 s, before this search began. The other 4 took 20 s. Each is measured from its start to its verdict.'
	);
	expect(measured(BOOTS.slice(1, 3), ABOUT)).toBe(
		'The first was made by the change that failed, in 7 s, before this search began. The other took 5 s. Each is measured from its start to its verdict.'
	);
	expect(measured(BOOTS, { ...ABOUT, since: AT(0) })).toBeNull();
	expect(measured(BOOTS, { ...ABOUT, kind: 'update' })).toBeNull();
});

test('where there are more files than updates, it says why', () => {
	expect(counted(BOOTS, ABOUT)).toBe(
		'The 4 files are those of 3 updates and 1 that comes along with them.'
	);
	expect(counted(BOOTS, { ...ABOUT, updates: 4 })).toBeNull();
	expect(counted(BOOTS, { ...ABOUT, updates: null })).toBeNull();
});
