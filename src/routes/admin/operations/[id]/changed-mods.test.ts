import { expect, test } from 'vitest';
import { changesTitle, differenceWords } from './changed-mods';

test('only what has stayed is said to have changed', () => {
	expect(changesTitle({ state: 'succeeded' })).toBe('What changed');
	expect(changesTitle({ state: 'failed', kept: 'Lithium is updated.' })).toBe('What changed');
	expect(changesTitle({ state: 'rolled-back' })).toBe('What it had tried');
	expect(changesTitle({ state: 'failed' })).toBe('What it was to change');
	expect(changesTitle({ state: 'cancelled' })).toBe('What it was to change');
});

test.each([
	['replace', '0.12.7', '0.13.0', '0.12.7 → 0.13.0', ''],
	['replace', '1.0', '1.0', '1.0', 'another file'],
	['replace', null, '0.13.0', '0.13.0', 'another file'],
	['add', null, '2.1', '2.1', 'added'],
	['remove', '2.1', null, '2.1', 'removed'],
	['enable', '2.1', '2.1', '2.1', 'enabled'],
	['disable', null, null, '', 'disabled']
] as const)('%s from %s to %s', (is, from, to, versions, done) => {
	expect(differenceWords({ is, title: 'Lithium', from, to })).toEqual({ versions, done });
});
