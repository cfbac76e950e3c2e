import { expect, test } from 'vitest';
import { escapeMarkdown, plainLine, plainText, shorten, shortenBytes } from './text.ts';

test.each([
	['a\u202eb\u2066c\u200bd\ufeffe', 'abcde'],
	['a\r\nb\rc\nd', 'a b c d'],
	['§4red§r §lbold', 'red bold'],
	['tab\tnull\u0000bell\u0007end\u009b', 'tab null bell end'],
	['tag\u{e0041}\u{e007f} half\ud800', 'tag half'],
	['Ünï çødé 名前 🏮', 'Ünï çødé 名前 🏮']
])('%j is one plain line', (text, plain) => {
	expect(plainLine(text)).toBe(plain);
});

test('line breaks are kept, and several empty lines become one', () => {
	expect(plainText('a\nb\n\n\n\n\nc')).toBe('a\nb\n\nc');
});

test('nothing is cut in the middle of a character', () => {
	expect(shorten('ab🏮cd', 4)).toBe('ab…');
	expect(shorten('abcd', 4)).toBe('abcd');
	expect(Buffer.byteLength(shortenBytes('🏮'.repeat(2000), 4000))).toBeLessThanOrEqual(4000);
	expect(shortenBytes('🏮'.repeat(2000), 4000).isWellFormed()).toBe(true);
});

test.each([
	['@everyone', '\\@everyone'],
	['<@123> <#1> <t:1:R>', '\\<\\@123\\> \\<\\#1\\> \\<t\\:1\\:R\\>'],
	['[a](https://evil.example)', '\\[a\\]\\(https\\:\u200b//evil.example\\)'],
	[
		'**b** __u__ ~~s~~ ||x|| `c`',
		'\\*\\*b\\*\\* \\_\\_u\\_\\_ \\~\\~s\\~\\~ \\|\\|x\\|\\| \\`c\\`'
	],
	['# big\n- item\n1. one\n> quote', '\\# big\n\\- item\n1\\. one\n\\> quote'],
	['back\\slash', 'back\\\\slash']
])('%j means nothing to Discord', (text, escaped) => {
	expect(escapeMarkdown(text)).toBe(escaped);
});
