import { expect, test } from 'vitest';
import { parseMarkdown } from './markdown.ts';

const text = (value: string) => ({ type: 'text', text: value });

test('headings, lists, emphasis, code and tables become a tree', () => {
	expect(parseMarkdown('# Fixed\n\n- **one** `x`\n- two')).toEqual([
		{ type: 'heading', children: [text('Fixed')] },
		{
			type: 'list',
			ordered: false,
			items: [
				[
					{
						type: 'paragraph',
						children: [
							{ type: 'strong', children: [text('one')] },
							text(' '),
							{ type: 'code', text: 'x' }
						]
					}
				],
				[{ type: 'paragraph', children: [text('two')] }]
			]
		}
	]);
	expect(parseMarkdown('|a|b|\n|-|-|\n|1|2|')).toEqual([
		{ type: 'table', head: [[text('a')], [text('b')]], rows: [[[text('1')], [text('2')]]] }
	]);
});

test('images are links, so that viewing contacts nobody', () => {
	expect(parseMarkdown('![A cave](https://example.org/cave.png)')).toEqual([
		{
			type: 'paragraph',
			children: [{ type: 'link', href: 'https://example.org/cave.png', children: [text('A cave')] }]
		}
	]);
});

test('executable links are plain text', () => {
	const source = '[a](javascript:alert(1)) [b](data:text/html,x) ![c](vbscript:x) <javascript:x>';
	expect(JSON.stringify(parseMarkdown(source))).not.toMatch(/"link"/);
});

test('HTML is reduced to its text', () => {
	const tree = parseMarkdown(
		'<script>alert(1)</script>\n\n<b onclick="x">bold</b> &amp; more<br>end'
	);
	const all = JSON.stringify(tree);
	expect(all).not.toMatch(/<|onclick|"html"/);
	expect(all).toContain('bold');
	expect(all).toContain('& more');
	expect(all).toContain('"br"');
});

test('huge or deep input is cut, quickly', () => {
	expect(JSON.stringify(parseMarkdown('> '.repeat(20_000) + 'x')).length).toBeLessThan(70_000);
	expect(JSON.stringify(parseMarkdown('- a\n'.repeat(20_000))).length).toBeLessThan(300_000);
	expect(parseMarkdown('*'.repeat(50_000))).toBeInstanceOf(Array);
	expect(parseMarkdown('['.repeat(50_000))).toBeInstanceOf(Array);
});

test('nothing yields nothing', () => {
	expect(parseMarkdown(null)).toEqual([]);
	expect(parseMarkdown('  \n ')).toEqual([]);
});
