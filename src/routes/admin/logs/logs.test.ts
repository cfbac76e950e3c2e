import { expect, test } from 'vitest';
import type { LogHit, LogPage } from '$lib/schemas/log';
import {
	countWords,
	levelNamed,
	matchAmong,
	whereWords,
	excerptLines,
	excerptWords
} from './logs.ts';

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

test('which of the matches an entry is, with those beside it', () => {
	const page = (ids: string[], truncated = false) =>
		({ entries: ids.map((id) => ({ id })), truncated }) as LogPage;
	const among = (id: string, truncated?: boolean) =>
		matchAmong(page(['a', 'b', 'c'], truncated), id);
	expect(among('b')).toEqual({ words: 'Match 2 of 3', previous: 'a', next: 'c' });
	expect(among('a')).toMatchObject({ previous: null, next: 'b' });
	expect(among('c')).toMatchObject({ previous: 'b', next: null });
	expect(among('c', true)!.words).toBe('One of 3+ matches');
	expect(among('d')).toBeNull();
});
