import { describe, expect, test } from 'vitest';
import { Span } from '#schemas/console';
import { spansOf, textOf } from './spans.ts';

const ESC = '\u001b';

describe('§ codes', () => {
	test('a colour begins a span and ends the formats before it', () => {
		expect(spansOf('a§lb§cc§od§re')).toEqual([
			{ text: 'a' },
			{ text: 'b', bold: true },
			{ text: 'c', color: 'red' },
			{ text: 'd', color: 'red', italic: true },
			{ text: 'e' }
		]);
	});

	test('all sixteen colours and five formats are known, in either case', () => {
		const colors = [...'0123456789abcdef'].map((code) => spansOf(`§${code}x`)[0]!.color);
		expect(new Set(colors).size).toBe(16);
		expect(spansOf('§Cx')).toEqual([{ text: 'x', color: 'red' }]);
		expect(spansOf('§k§l§m§n§ox')).toEqual([
			{ text: 'x', obfuscated: true, bold: true, strike: true, underline: true, italic: true }
		]);
	});

	test('a colour of 24 bits becomes the nearest of the sixteen', () => {
		expect(spansOf('§x§f§f§5§0§5§0x')).toEqual([{ text: 'x', color: 'red' }]);
	});

	test('an invalid code stays visible', () => {
		expect(textOf(spansOf('5 § 6 §z §'))).toBe('5 § 6 §z §');
	});
});

describe('terminal colours', () => {
	test.each([
		['31', { color: 'dark-red' }],
		['1;94', { color: 'blue', bold: true }],
		['38;5;196', { color: 'dark-red' }],
		['38;5;10', { color: 'green' }],
		['38;5;255', { color: 'white' }],
		['38;2;85;255;255', { color: 'aqua' }],
		['48;2;1;2;3;4', { underline: true }],
		['38', {}],
		['38;2', {}],
		['999999999999;5', {}]
	])('ESC[%sm is understood', (codes, look) => {
		expect(spansOf(`${ESC}[${codes}mx`)).toEqual([{ text: 'x', ...look }]);
		expect(spansOf(`\u009b${codes}mx`)).toEqual([{ text: 'x', ...look }]);
	});

	test('each style can be ended by itself, and all at once', () => {
		expect(spansOf(`${ESC}[1;3;4;9;31mx${ESC}[22;23;24;29;39my`).at(-1)).toEqual({ text: 'y' });
		expect(spansOf(`${ESC}[1mx${ESC}[my`).at(-1)).toEqual({ text: 'y' });
	});
});

describe('everything else', () => {
	test.each([
		['cursor moves and clearing', `a${ESC}[2J${ESC}[10;10Hb${ESC}[?25lc`, 'abc'],
		['a window title', `a${ESC}]0;evil\u0007b`, 'ab'],
		['a link', `${ESC}]8;;https://evil.example\u0007click${ESC}]8;;\u0007`, 'click'],
		['the clipboard', `a${ESC}]52;c;ZXZpbA==${ESC}\\b`, 'ab'],
		['8-bit sequences', 'a\u009d0;evil\u009cb\u009b2Jc', 'abc'],
		['device strings', `a${ESC}Pq#0${ESC}\\b${ESC}cc`, 'abc']
	])('%s: dropped', (_, text, shown) => expect(textOf(spansOf(text))).toBe(shown));

	test.each([
		['an escape that does not end', `a${ESC}[1;2`, 'a␛[1;2'],
		['NUL, bell and backspace', 'a\0b\u0007c\bd', 'a␀b␇c␈d'],
		['a lone carriage return', 'good\revil', 'good␍evil'],
		['direction overrides', 'a\u202eb\u2066c', 'a‹U+202E›b‹U+2066›c'],
		['invisible characters', 'ad\u200bmin\ufeff', 'ad‹U+200B›min‹U+FEFF›'],
		['half a character', 'a\ud800b', 'a\ufffdb'],
		['delete', 'a\u007fb', 'a␡b']
	])('%s: visible', (_, text, shown) => expect(textOf(spansOf(text))).toBe(shown));

	test('line breaks, tabs, joiners and markup are text', () => {
		const text = 'a\tb\n<img src=x onerror=alert(1)> ${jndi:ldap://x} {@html x} 👩‍💻';
		expect(spansOf(text)).toEqual([{ text }]);
		expect(spansOf('a\r\nb')).toEqual([{ text: 'a\nb' }]);
	});

	test('combining marks stacked on a letter are limited', () => {
		expect(textOf(spansOf(`a${'\u0301'.repeat(5_000)}b`)).length).toBeLessThan(20);
	});

	test('a flood of codes does not create a flood of spans, and loses no text', () => {
		const spans = spansOf('§ax§by'.repeat(50_000));
		expect(spans.length).toBeLessThanOrEqual(2_000);
		expect(textOf(spans)).toBe('xy'.repeat(50_000));
	});

	test('whatever the text, the spans use the closed set of styles and contain nothing a terminal interprets', () => {
		let seed = 7;
		const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % n;
		const parts = [
			ESC,
			'[',
			']',
			'm',
			';',
			'§',
			'x',
			'1',
			'38',
			'5',
			'\u009b',
			'\0',
			'\u202e',
			'é',
			'\ud83d',
			'\n',
			'\u0007',
			'\\',
			' '
		];
		for (let round = 0; round < 2_000; round++) {
			const text = Array.from({ length: random(40) }, () => parts[random(parts.length)]).join('');
			const spans = spansOf(text);
			for (const span of spans) Span.strict().parse(span);
			// eslint-disable-next-line no-control-regex
			expect(textOf(spans)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
			expect(textOf(spans).isWellFormed()).toBe(true);
		}
	});
});
