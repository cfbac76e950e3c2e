import { describe, expect, test } from 'vitest';
import { plainText, stripCodes } from './text.ts';

describe('stripCodes', () => {
	test.each([
		[
			'colour codes, also upper case and by hex digits',
			'§aGreen §LBold§r §x§1§2§3§4§5§6hex',
			'Green Bold hex'
		],
		[
			'ANSI colours and cursor moves',
			'\u001b[1;31mred\u001b[0m\u001b[2K\u001b[?25l \u009b31mC1',
			'red C1'
		],
		[
			'a window title and a link (OSC), and other strings',
			'\u001b]0;evil\u0007a\u001b]8;;http://x\u001b\\b\u001bPq\u001b\\c',
			'abc'
		],
		['control characters, not the line breaks', 'a\0b\u0007c\r\nd\u007fe\u0085f', 'abc\ndef'],
		[
			'bidi and invisible characters',
			'a\u202eb\u2066c\u200fd\u061ce\ufefff\u200bg\u{e0041}h',
			'abcdefgh'
		],
		['line and paragraph separators as lines', 'a\u2028b\u2029c', 'a\nb\nc'],
		['half surrogate pairs as U+FFFD', 'a\ud800b\udc00c😀', 'a\ufffdb\ufffdc😀']
	])('removes %s', (_, text, expected) => {
		expect(stripCodes(text)).toBe(expected);
	});

	test('leaves other text alone: section signs of laws, joined emoji, HTML, brackets', () => {
		const text = '§ 5 StGB [x] <b>&amp;</b> 👨‍👩‍👧 ‌ß §z 100%';
		expect(stripCodes(text)).toBe(text);
	});

	test('what it returns contains no code', () => {
		for (const text of ['§§aa', '§\0a', '§\u202ea', '\u001b\u001b[31m[31m', '\u001b]0;open'])
			expect(stripCodes(stripCodes(text))).toBe(stripCodes(text));
		expect(stripCodes('§\0ax')).toBe('x');
	});

	test('an unterminated title does not hide the text after it', () => {
		expect(stripCodes('\u001b]0;Bob joined')).toContain('Bob joined');
	});

	test('takes time proportional to the length, whatever is repeated', () => {
		for (const part of ['§', '\u001b]', '\u001b[', '\u001b[1;', '\u009d', '§§a', '\u001b ']) {
			const time = (times: number) => {
				const text = part.repeat(times);
				const start = performance.now();
				stripCodes(text);
				return performance.now() - start;
			};
			time(1000);
			// Quadratic growth would be 256 times as much and take minutes; the test's time limit is what fails.
			time(500_000);
		}
	});
});

describe('plainText', () => {
	test.each([
		['a string', '§6Hello', 'Hello'],
		[
			'an object with parts',
			{ text: 'A', bold: true, extra: [{ text: 'B', color: 'red' }, 'C'] },
			'ABC'
		],
		['an array', ['A', { text: 'B' }, ['C', [{ text: 'D' }]]], 'ABCD'],
		['numbers and booleans as they are written', [1, true, { text: 2 }], '1true2'],
		[
			'a translation with a fallback and arguments',
			{ translate: 'x.y', fallback: '%s of %2$s', with: ['1', { text: '2' }] },
			'1 of 2'
		],
		['a translation without one', { translate: 'menu.title' }, 'menu.title'],
		[
			'a key and a score',
			[{ keybind: 'key.jump' }, ' ', { score: { name: '@s', value: '7' } }],
			'key.jump 7'
		],
		['two lines', { text: ' line 1\nline 2 ' }, 'line 1\nline 2'],
		['nothing', null, ''],
		['odd types', { text: {}, extra: 'no', translate: [] }, ''],
		['a code that two parts make together', ['§', 'cX'], 'X']
	])('flattens %s', (_, component, expected) => {
		expect(plainText(component)).toBe(expected);
	});

	test('cuts with a mark, not inside a character', () => {
		expect(plainText('x'.repeat(30_000), 10)).toBe(`${'x'.repeat(9)}…`);
		expect(plainText('xxx😀😀', 5)).toBe('xxx…');
		expect(plainText('12345', 5)).toBe('12345');
	});

	test('formatting does not use up the length limit', () => {
		const rainbow = [...'Welcome to the server'].map((char) => `§x§1§2§3§4§5§6${char}`).join('');
		expect(plainText(rainbow, 21)).toBe('Welcome to the server');
	});

	test('a component 1,000 deep, or 100,000 wide, is cut short and does not overflow', () => {
		let deep: unknown = { text: 'bottom' };
		for (let i = 0; i < 1000; i++) deep = i % 2 ? [deep] : { text: '', extra: [deep] };
		expect(plainText({ text: 'top', extra: [deep] })).toBe('top');
		const wide = { text: 'x', extra: Array.from({ length: 100_000 }, () => ({ text: 'yy' })) };
		expect(plainText(wide).length).toBeLessThanOrEqual(1000);
		let doubling: unknown = 'z';
		for (let i = 0; i < 30; i++) doubling = [doubling, doubling];
		expect(plainText(doubling).length).toBeLessThanOrEqual(1000);
	});

	test('keys of the object prototype are only text', () => {
		const component = JSON.parse('{"__proto__":{"text":"no"},"constructor":"x","text":"yes"}');
		expect(plainText(component)).toBe('yes');
	});
});
