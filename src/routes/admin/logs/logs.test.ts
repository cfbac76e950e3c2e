import { expect, test } from 'vitest';
import type { LogHit } from '$lib/schemas/log';
import {
	countWords,
	isFrame,
	levelNamed,
	logsAddress,
	parts,
	permalink,
	pieces,
	whereWords,
	excerptLines,
	excerptWords
} from './logs.ts';

test('an address contains only what differs from the defaults', () => {
	expect(logsAddress({})).toBe('/admin/logs');
	expect(logsAddress({ file: 'latest.log', level: ['WARN', 'ERROR'], q: 'a&b' })).toBe(
		'/admin/logs?level=WARN%2CERROR&q=a%26b'
	);
	expect(logsAddress({ file: '2026-01-01-1.log.gz', before: 'x-1-2' })).toBe(
		'/admin/logs?file=2026-01-01-1.log.gz&before=x-1-2'
	);
});

test('a permalink leads to the exact entry', () => {
	const at = { file: 'latest.log', id: 'x-1-2' } as Parameters<typeof permalink>[0];
	expect(permalink(at)).toBe('/admin/logs?at=x-1-2#line-x-1-2');
});

test('what was found is counted, and nothing is promised of what was not looked at', () => {
	expect(countWords(1, true)).toBe('1 match');
	expect(countWords(1, false)).toBe('1+ matches');
	expect(countWords(200, false)).toBe('200+ matches');
	const hits = (...files: string[]) => files.map((file) => ({ file })) as LogHit[];
	const latest = { file: 'latest.log' };
	expect(whereWords(hits('latest.log'), latest)).toBe('');
	expect(whereWords(hits('2026-01-01-1.log.gz', 'latest.log'), latest)).toBe('in 2 files');
	expect(whereWords(hits('a.log'), { file: 'a.log' })).toBe('in a.log');
});

test('an excerpt has the lines shown, as many as it can hold, and says how many', () => {
	expect(excerptWords(1)).toBe('1 line');
	expect([excerptLines(240, false), excerptWords(240)]).toEqual([240, '240 lines']);
	expect([excerptLines(1200, false), excerptWords(1200)]).toEqual([
		...[1000, 'the newest 1000 of 1200 lines']
	]);
	expect(excerptWords(240, { isCut: true })).toBe('the newest of 240 lines');
	expect([excerptLines(240, true), excerptWords(240, { isAround: true })]).toEqual([
		...[200, '200 of 240 lines']
	]);
});

test('the name of a level is known for what it is, and nothing else', () => {
	for (const q of ['WARN', ' warning', 'Warnings'])
		expect(levelNamed(q)).toMatchObject({ what: 'warnings', level: ['WARN'] });
	expect(levelNamed('error')?.level).toEqual(['ERROR', 'FATAL']);
	expect(levelNamed('info')?.level).toEqual(['INFO']);
	for (const q of ['', 'warned', 'an error']) expect(levelNamed(q)).toBeNull();
});

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
