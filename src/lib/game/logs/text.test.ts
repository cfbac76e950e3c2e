import { expect, test } from 'vitest';
import { isFrame, parts, pieces } from './text.ts';

test('matches are marked ignoring case, and no letter is lost', () => {
	const marked = (text: string, q: string) =>
		pieces(text, q)
			.map(({ text, hit }) => (hit ? `<${text}>` : text))
			.join('');
	expect(marked('Lag, lag and LAG', 'lag')).toBe('<Lag>, <lag> and <LAG>');
	expect(marked('none', 'x')).toBe('none');
	expect(marked('', 'x')).toBe('');
	expect(marked('all', '')).toBe('all');
	expect(marked('İİ lag', 'lag')).toBe('İİ lag');
	expect(pieces('a'.repeat(9000), 'a').length).toBeLessThan(60);
});

test('a long name is broken between its parts, and nothing else is', () => {
	const broken = (text: string) => parts(text).join('|');
	expect(
		broken('\tat net.minecraft.class_3218.method_1$a(class_3218.java:770) ~[a-1.2.jar:?]')
	).toBe('\tat net.|minecraft.|class_3218.|method_1|$a|(class_3218.|java:770) ~[a-1.2.|jar:?]');
	expect(broken('knot//dev.demo')).toBe('knot//|dev.|demo');
	expect(broken('/srv/mc/world saved in 1.5 s. Done')).toBe(
		'/|srv/|mc/|world saved in 1.5 s. Done'
	);
	expect(broken('')).toBe('');
});

test('a frame is known from what was said', () => {
	expect(isFrame('\tat a.B.c(B.java:1)')).toBe(true);
	for (const text of ['at home', ' at', 'Caused by: a.B', '\t... 5 more', ''])
		expect(isFrame(text)).toBe(false);
});
