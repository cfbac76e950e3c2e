import { expect, test } from 'vitest';
import { CommandHistory } from './command-history.ts';

test('the arrows go through what was sent, and back to what was being typed', () => {
	const history = new CommandHistory();
	const past = ['list', 'seed', 'seed', 'tps'];
	expect(history.move(-1, 'sa', past)).toBe('tps');
	expect(history.move(-1, 'tps', past)).toBe('seed');
	expect(history.move(-1, 'seed', past)).toBe('list');
	expect(history.move(-1, 'list', past)).toBeNull();
	expect(history.move(1, 'list', past)).toBe('seed');
	expect(history.move(1, 'seed', past)).toBe('tps');
	expect(history.move(1, 'tps', past)).toBe('sa');
	expect(history.move(1, 'sa', past)).toBeNull();
});

test('without a history nothing moves; after a command it starts at the newest', () => {
	const history = new CommandHistory();
	expect(history.move(-1, 'x', [])).toBeNull();
	expect(history.move(-1, '', ['a', 'b'])).toBe('b');
	history.reset();
	expect(history.move(-1, '', ['a', 'b', 'c'])).toBe('c');
});
