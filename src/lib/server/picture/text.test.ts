import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readFont } from './font.ts';
import { drawable, fit, isDrawable } from './text.ts';

const font = readFont(readFileSync(new URL('./Geist-SemiBold.ttf', import.meta.url)));

test.each([
	['Castle of Añejo', 'Castle of Añejo'],
	['Зимний сервер', 'Зимний сервер'],
	['🏰 Castle 🏰', 'Castle'],
	['★ 日本 | Castle', 'Castle'],
	['سيرفر (حرب) Castle', 'Castle'],
	['ᴡɪɴᴛᴇʀ 𝕮𝖆𝖘𝖙𝖑𝖊 Ｎｅｔ', 'WINTER Castle Net'],
	['a\u0000b\u202ec\u2028d\te\u00ad\ue000', 'abc d e'],
	[`Z${'\u0301\u0338'.repeat(100)}algo`, 'Źalgo'],
	['\ud800Half', 'Half'],
	['(EU) Castle -', '(EU) Castle -']
])('of %j only what the font has is drawn', (text, shown) => {
	expect(drawable(text, font)).toBe(shown);
});

test.each(['', '🏰🏰', '日本', ' \u200b ', '★ | ★', '\u0338'])('of %j nothing is left', (text) =>
	expect(drawable(text, font)).toBeNull()
);

test('an address is drawn whole or not at all', () => {
	expect(isDrawable('play.example.org:25577', font)).toBe(true);
	expect(isDrawable('[2001:db8::1]:25565', font)).toBe(true);
	for (const address of ['日本.example.org', 'a\nb', 'a\u202eb', ''])
		expect(isDrawable(address, font)).toBe(false);
});

test('text of any length fits, in lines no wider than the space available', () => {
	const sizes = [
		[100, 1],
		[50, 2]
	] as const;
	expect(fit('Castle', font, 800, sizes)).toEqual({ fontSize: 100, lines: ['Castle'] });
	for (const text of ['W'.repeat(300), 'long words '.repeat(30), `a ${'i'.repeat(299)}`]) {
		const { fontSize, lines } = fit(text.trim(), font, 800, sizes);
		expect([fontSize, lines.length]).toEqual([50, 2]);
		expect(lines[1]).toMatch(/…$/);
		for (const line of lines) expect(font.width(line) * fontSize).toBeLessThanOrEqual(800);
	}
});
