import { describe, expect, test } from 'vitest';
import { editProperties, parseProperties, PROPERTIES_MAX_BYTES } from './properties.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const parse = (text: string) => Object.fromEntries(parseProperties(bytes(text)).entries());
const edit = (text: string, changes: Record<string, string>) =>
	Buffer.from(editProperties(bytes(text), changes)).toString('utf8');

/** Small, seeded and good enough: the seed is printed with a failure. */
function random(seed: number) {
	return (below: number) => {
		seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
		return Math.floor((seed / 2 ** 32) * below);
	};
}

describe('reading', () => {
	test('a file as the game writes it', () => {
		const file = [
			'#Minecraft server properties',
			'#Sat Nov 02 16:39:06 UTC 2024',
			'enable-rcon=true',
			'level-type=minecraft\\:normal',
			'motd=\\u00A7aHello \\u00a7lworld\\!',
			'rcon.password=',
			'resource-pack=https\\://example.org/p.zip?key\\=1&dl\\=1'
		].join('\n');
		expect(parse(file)).toEqual({
			'enable-rcon': 'true',
			'level-type': 'minecraft:normal',
			motd: '§aHello §lworld!',
			'rcon.password': '',
			'resource-pack': 'https://example.org/p.zip?key=1&dl=1'
		});
	});

	test.each([
		[
			'separators',
			'a=1\nb:2\nc 3\nd\t=\t4\ne  :  5\nf',
			{ a: '1', b: '2', c: '3', d: '4', e: '5', f: '' }
		],
		[
			'a second separator belongs to the value',
			'a==1\nb = :2\nc  d=3',
			{ a: '=1', b: ':2', c: 'd=3' }
		],
		['comments and blank lines', '# a=1\n  ! b=2\n\n \t\nc=3#4', { c: '3#4' }],
		['a comment does not go on', '# a\\\nb=1', { b: '1' }],
		[
			'continuation lines',
			'a=1,\\\n   2,\\\r\n\t3\nb=4\\\\\nc=5',
			{ a: '1,2,3', b: '4\\', c: '5' }
		],
		['a continued line is never a comment', 'a=1\\\n#2\nb=3', { a: '1#2', b: '3' }],
		['a continuation at the end of the file', 'a=1\\', { a: '1' }],
		['a key over two lines', 'en\\\n  able=1', { enable: '1' }],
		['escapes', 'a\\ b\\=c\\:d=\\ x\\t\\n\\r\\f\\q\\\\', { 'a b=c:d': ' x\t\n\r\fq\\' }],
		['astral characters as two escapes', 'a=\\uD83D\\uDE00', { a: '😀' }],
		['an escape without four digits', 'a=\\u12x', { a: 'u12x' }],
		['trailing white space stays', 'a=1  ', { a: '1  ' }],
		['line breaks of every kind', 'a=1\rb=2\r\nc=3\n', { a: '1', b: '2', c: '3' }],
		['the last of two equal keys wins', 'a=1\nb=2\na=3', { a: '3', b: '2' }],
		['a mark at the start', '\ufeffa=1', { a: '1' }],
		['nothing', '', {}]
	])('%s', (_, file, expected) => {
		expect(parse(file)).toEqual(expected);
	});

	test('UTF-8 is read as such, and ISO-8859-1 when it is not valid UTF-8', () => {
		expect(parse('motd=Grüße ☃')).toEqual({ motd: 'Grüße ☃' });
		expect(parseProperties(Buffer.from('motd=Grüße §a', 'latin1')).get('motd')).toBe('Grüße §a');
	});

	test('a key named __proto__ is a key like any other', () => {
		const properties = parseProperties(bytes('__proto__=1\nconstructor=2'));
		expect(properties.get('__proto__')).toBe('1');
		expect(properties.get('constructor')).toBe('2');
		expect(properties.get('toString')).toBeNull();
		expect(({} as Record<string, unknown>)['1']).toBeUndefined();
	});

	test('a file over 256 KiB is refused', () => {
		expect(() => parseProperties(Buffer.alloc(PROPERTIES_MAX_BYTES + 1))).toThrow(/256 KiB/);
	});

	test.each(['\\', '\\\n', '=', 'a\\\n', '\u0000\u0000'])('%j is read in linear time', (unit) => {
		const file = Buffer.from(unit.repeat(Math.floor(PROPERTIES_MAX_BYTES / unit.length)), 'latin1');
		parseProperties(file);
		editProperties(file.subarray(0, -8), { added: '1' });
	});
});

describe('editing', () => {
	const FILE = [
		'#Minecraft server properties',
		'# mine: keep this',
		'  enable-rcon = false',
		'motd: A\\u00a7b \\',
		'   C',
		'',
		'unknown-key',
		'rcon.port 25575',
		''
	].join('\r\n');

	test('changes what was asked for and nothing else', () => {
		const edited = edit(FILE, { 'enable-rcon': 'true', 'rcon.port': '25576' });
		expect(edited).toBe(
			FILE.replace('enable-rcon = false', 'enable-rcon = true').replace('25575', '25576')
		);
	});

	test('an entry over several lines becomes one line', () => {
		expect(edit(FILE, { motd: 'New' })).toBe(FILE.replace(/motd: [^]*?C\r\n/, 'motd: New\r\n'));
	});

	test('a key without a separator gets one', () => {
		expect(edit('a\\=\nb', { 'a=': '1', b: '2' })).toBe('a\\==1\nb=2');
	});

	test('the same value changes nothing', () => {
		expect(edit(FILE, { motd: 'A§b C', 'enable-rcon': 'false' })).toBe(FILE);
	});

	test('new keys are appended with the line ending of the file', () => {
		expect(edit('a=1\r\nb=2', { c: '3', d: '4' })).toBe('a=1\r\nb=2\r\nc=3\r\nd=4\r\n');
		expect(edit('', { c: '3' })).toBe('c=3\n');
	});

	test('a backslash at the end of the file does not swallow a new key', () => {
		for (const file of ['a=1\\', 'a=1\\\n', 'a=1\\\n#\\\n', '#\\', 'a=1\\\\', '\n\na=1\\\r'])
			expect(parse(edit(file, { b: '2' }))).toMatchObject({ b: '2' });
	});

	test('of two equal keys the effective one is changed', () => {
		expect(edit('a=1\nb=2\na=3\n', { a: '4', b: '5' })).toBe('a=1\nb=5\na=4\n');
	});

	test('a value cannot become a second line, a comment or another key', () => {
		const edited = edit('rcon.password=\n', { 'rcon.password': ' a\nop=1\r#b=c:d\\' });
		expect(edited.split('\n')).toHaveLength(2);
		expect(parse(edited)).toEqual({ 'rcon.password': ' a\nop=1\r#b=c:d\\' });
	});

	test('non-ASCII text is escaped, and invalid UTF-8 bytes survive', () => {
		expect(edit('motd=x\n', { motd: '§aÄ😀' })).toBe('motd=\\u00a7a\\u00c4\\ud83d\\ude00\n');
		const old = Buffer.from('# für uns\nmotd=Grüße\nb=1\n', 'latin1');
		const edited = Buffer.from(editProperties(old, { b: '2' })).toString('latin1');
		expect(edited).toBe('# für uns\nmotd=Grüße\nb=2\n');
	});

	test('random values and keys survive a round trip, and everything else stays', () => {
		const seed = Date.now() >>> 0;
		const next = random(seed);
		const alphabet = 'ab \t\n\r\f\\=:#!u0§ä☃\ud83d\ude00\u0000\u007f\u0085';
		const word = () =>
			Array.from({ length: next(12) }, () => alphabet[next(alphabet.length)]).join('');
		for (let round = 0; round < 300; round++) {
			const file = Array.from({ length: next(6) }, word).join('\n');
			const before = new Map(parseProperties(bytes(file)).entries());
			const changes: Record<string, string> = Object.create(null);
			for (let i = next(4); i > 0; i--) changes[word()] = word();
			for (const key of before.keys()) if (next(3) === 0) changes[key] = word();
			const after = new Map(parseProperties(editProperties(bytes(file), changes)).entries());
			const expected = new Map([...before, ...Object.entries(changes)]);
			expect(after, `seed ${seed}, round ${round}, ${JSON.stringify(file)}`).toEqual(expected);
		}
	});
});
