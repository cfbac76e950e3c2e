import { expect, test } from 'vitest';
import { editListText, parseListText } from './text.ts';

const parse = (text: string) => parseListText(Buffer.from(text))!;
const all = () => true;
const named = (name: string) => (value: unknown) => (value as { name?: string }).name !== name;
const edit = (text: string, keep: (value: unknown) => boolean, added?: unknown) =>
	editListText(parse(text), keep, added).toString();

const GAME = JSON.stringify([{ name: 'Ada', level: 4 }, { name: 'Bob' }, { name: 'Cy' }], null, 2);

test('a file of the game with one entry more, or one less, is what the game would have written', () => {
	const more = [...(JSON.parse(GAME) as unknown[]), { name: 'Dee' }];
	expect(edit(GAME, all, { name: 'Dee' })).toBe(JSON.stringify(more, null, 2));
	for (const name of ['Ada', 'Bob', 'Cy']) {
		const less = (JSON.parse(GAME) as unknown[]).filter(named(name));
		expect(edit(GAME, named(name))).toBe(JSON.stringify(less, null, 2));
	}
});

test.each([
	['', '[\n  {\n    "name": "Ada"\n  }\n]'],
	['[]', '[\n  {\n    "name": "Ada"\n  }\n]'],
	['[]\n', '[\n  {\n    "name": "Ada"\n  }\n]\n'],
	['[ ]', '[\n  {\n    "name": "Ada"\n  }\n]'],
	['\ufeff[]', '[\n  {\n    "name": "Ada"\n  }\n]']
])('the first one goes into %j', (text, expected) => {
	expect(edit(text, all, { name: 'Ada' })).toBe(expected);
});

test.each([
	['[{"name":"Ada"}]', '[{"name":"Ada"},{"name":"Bob"}]'],
	['[{"name":"Ada"}, {"name":"Cy"}]', '[{"name":"Ada"}, {"name":"Cy"}, {"name":"Bob"}]'],
	[
		'[\n\t{\n\t\t"name": "Ada"\n\t}\n]\n',
		'[\n\t{\n\t\t"name": "Ada"\n\t},\n\t{\n\t\t"name": "Bob"\n\t}\n]\n'
	],
	[
		'[\r\n    {"name": "Ada"}\r\n]\r\n',
		'[\r\n    {"name": "Ada"},\r\n    {\r\n        "name": "Bob"\r\n    }\r\n]\r\n'
	]
])('the layout of %j is kept', (text, expected) => {
	expect(edit(text, all, { name: 'Bob' })).toBe(expected);
});

test('the last one leaves an empty list behind', () => {
	expect(edit('[\n  {\n    "name": "Ada"\n  }\n]\n', named('Ada'))).toBe('[]\n');
	expect(edit('[{"name":"Ada"}]', named('Ada'))).toBe('[]');
});

test('elements that are not touched stay byte for byte', () => {
	const odd = `{"name":"O\\u0064d", "n": 1e999, "big": 12345678901234567890, "t": "]},\\"[{",\n "__proto__": {"a": [1, [2]]}}`;
	const text = `[ {"name":"Ada"},\n   ${odd} , null, 7, "x", [{}] ]`;
	const left = edit(text, (value) => named('Ada')(value ?? {}));
	expect(left).toBe(`[ ${odd},\n   null,\n   7,\n   "x",\n   [{}] ]`);
});

test('bytes that are no UTF-8 come out as they went in', () => {
	const bytes = Buffer.concat([
		Buffer.from('[{"name":"Ad'),
		Buffer.from([0xe4, 0xff]),
		Buffer.from('"},{"name":"Zoë"},{"name":"Bob"}]')
	]);
	const out = editListText(parseListText(bytes)!, named('Bob'), { name: 'Ñu' });
	const end = Buffer.from('"},{"name":"Zoë"},{"name":"Ñu"}]');
	expect(out).toEqual(Buffer.concat([bytes.subarray(0, 14), end]));
});

test.each(['{}', '[', '[{]', 'null', '"x"', '\0\0\0\0', '[1,]', 'garbage', '[{"name":"A'])(
	'%j is not a list',
	(text) => expect(parseListText(Buffer.from(text))).toBeNull()
);

test('a list nested ten thousand levels deep is read as a list', () => {
	const text = '['.repeat(10_000) + ']'.repeat(10_000);
	expect(parse(text).elements).toHaveLength(1);
});

test('removing an entry and adding it back leaves the rest unchanged', () => {
	const random = mulberry(7);
	const value = (depth: number): unknown => {
		const kind = Math.floor(random() * (depth > 2 ? 4 : 6));
		if (kind === 0) return Math.round(random() * 1e6) / 10;
		if (kind === 1) return ['', ']', '"', '\\', ',{', 'é', '\n', '😀'][Math.floor(random() * 8)];
		if (kind === 2) return random() > 0.5;
		if (kind === 3) return null;
		const items = Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1));
		return kind === 4 ? items : Object.fromEntries(items.map((item, i) => [`k${i}"`, item]));
	};
	for (let round = 0; round < 500; round++) {
		const values = Array.from({ length: Math.floor(random() * 6) }, () => value(0));
		const indent = [undefined, 2, '\t', 1][Math.floor(random() * 4)];
		const text = JSON.stringify(values, null, indent);
		expect(edit(text, all)).toBe(text === '[]' ? '[]' : text);
		const gone = new Set(values.filter(() => random() > 0.6).map((v) => JSON.stringify(v)));
		const kept = values.filter((v) => !gone.has(JSON.stringify(v)));
		const added = value(0);
		const out = edit(text, (v) => !gone.has(JSON.stringify(v)), added);
		expect(JSON.parse(out)).toEqual([...kept, added]);
	}
});

/** Random numbers that are the same in every run. */
function mulberry(seed: number) {
	return () => {
		seed = (seed + 0x6d2b79f5) | 0;
		let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}
