import { expect, test } from 'vitest';
import { pageAfterG, shortcutOf } from './shortcuts.ts';

const press = (key: string, more: Partial<Parameters<typeof shortcutOf>[0]> = {}) => ({
	key,
	code: `Key${key.toUpperCase()}`,
	ctrlKey: false,
	metaKey: false,
	altKey: false,
	shiftKey: false,
	repeat: false,
	isComposing: false,
	defaultPrevented: false,
	...more
});

test('single keys do what the cheat sheet says, and nothing while somebody types', () => {
	expect(shortcutOf(press('r'), false)).toBe('refresh');
	expect(shortcutOf(press('/', { code: 'Slash' }), false)).toBe('find');
	expect(shortcutOf(press('?', { code: 'Slash', shiftKey: true }), false)).toBe('help');
	for (const key of ['r', '/', '?']) expect(shortcutOf(press(key), true)).toBeNull();
});

test('the palette opens with Ctrl or Cmd, even while somebody types', () => {
	expect(shortcutOf(press('k', { ctrlKey: true }), true)).toBe('palette');
	expect(shortcutOf(press('k', { metaKey: true }), true)).toBe('palette');
	expect(shortcutOf(press('k'), false)).toBeNull();
});

test('the browser’s own shortcuts, held keys and unfinished compositions are left alone', () => {
	expect(shortcutOf(press('r', { ctrlKey: true }), false)).toBeNull();
	expect(shortcutOf(press('R', { ctrlKey: true, shiftKey: true }), false)).toBeNull();
	expect(shortcutOf(press('r', { altKey: true }), false)).toBeNull();
	expect(shortcutOf(press('R', { shiftKey: true }), false)).toBeNull();
	expect(shortcutOf(press('k', { ctrlKey: true, shiftKey: true }), false)).toBeNull();
	expect(shortcutOf(press('k', { ctrlKey: true, metaKey: true }), false)).toBeNull();
	expect(shortcutOf(press('r', { repeat: true }), false)).toBeNull();
	expect(shortcutOf(press('r', { isComposing: true }), false)).toBeNull();
	expect(shortcutOf(press('r', { defaultPrevented: true }), false)).toBeNull();
});

test('a keyboard of another script has the same shortcuts', () => {
	expect(shortcutOf(press('л', { code: 'KeyK', ctrlKey: true }), true)).toBe('palette');
	expect(shortcutOf(press('к', { code: 'KeyR' }), false)).toBe('refresh');
});

test('G and a letter lead to a page, when one comes right after the other', () => {
	expect(shortcutOf(press('g'), false)).toBe('go');
	expect(shortcutOf(press('g'), true)).toBeNull();
	const soon = { now: 1400, isSuperadmin: false };
	expect(pageAfterG(press('p'), 1000, soon)).toBe('/admin/players');
	expect(pageAfterG(press('o'), 1000, soon)).toBe('/admin');
	expect(pageAfterG(press('t'), 1000, soon)).toBe('/admin/stats');
	expect(pageAfterG(press('y'), 1000, soon)).toBe('/admin/activity');
	expect(pageAfterG(press('w'), 1000, soon)).toBe('/admin/server');
	expect(pageAfterG(press('з', { code: 'KeyP' }), 1000, soon)).toBe('/admin/players');
	expect(pageAfterG(press('p'), 1000, { ...soon, now: 9000 })).toBeNull();
	expect(pageAfterG(press('p'), null, soon)).toBeNull();
	expect(pageAfterG(press('r'), 1000, soon)).toBeNull();
	expect(pageAfterG(press('p', { ctrlKey: true }), 1000, soon)).toBeNull();
	expect(pageAfterG(press('P', { shiftKey: true }), 1000, soon)).toBeNull();
	expect(pageAfterG(press('x'), 1000, { ...soon, isSuperadmin: true })).toBe('/admin/console');
	expect(pageAfterG(press('x'), 1000, soon)).toBeNull();
});
