import { afterEach, expect, test, vi } from 'vitest';
import { ahead, typeAhead } from './key.ts';

afterEach(() => void (ahead.text = null));

function press(key: string, held: Partial<KeyboardEvent> = {}) {
	const preventDefault = vi.fn();
	const event = { key, preventDefault, stopImmediatePropagation: vi.fn(), ...held };
	typeAhead(event as unknown as KeyboardEvent);
	return preventDefault.mock.calls.length > 0;
}

test('what is typed while the palette is on its way is kept, and presses nothing behind it', () => {
	expect(press('m')).toBe(false);
	ahead.text = '';
	expect([...'mosx', 'Backspace', 's', 'Enter'].every((key) => press(key))).toBe(true);
	expect(ahead.text).toBe('moss');
	expect(press('Tab')).toBe(false);
	expect(press('r', { ctrlKey: true })).toBe(false);
	expect(press('s', { isComposing: true })).toBe(false);
	expect(ahead.text).toBe('moss');
	expect(press('Escape')).toBe(false);
	expect(press('m')).toBe(false);
});
