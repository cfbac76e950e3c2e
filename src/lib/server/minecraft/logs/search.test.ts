import { beforeEach, describe, expect, test } from 'vitest';
import { logLine, messagesOf } from '../../../../../tests/fakes/game/log-folder.ts';
import { folder, folderForEach } from '../../../../../tests/fakes/game/log-reader-kit.ts';

folderForEach();

describe('filters', () => {
	beforeEach(() => {
		const lines = Array.from({ length: 2_000 }, (_, i) =>
			i % 100 === 0
				? logLine(`Trouble ${i}`, i, 'ERROR') + `java.lang.Error: boom\n\tat x.Y${i}\n`
				: logLine(`message ${i}`, i, i % 50 === 1 ? 'WARN' : 'INFO')
		);
		folder.write('latest.log', lines.join(''));
	});

	test('levels are exactly those asked for', async () => {
		const errors = await folder.page({ levels: ['ERROR'] });
		expect(errors.entries).toHaveLength(20);
		expect(new Set(errors.entries.map(({ level }) => level))).toEqual(new Set(['ERROR']));
		expect(errors).toMatchObject({ truncated: false, next: null });
		expect((await folder.page({ levels: ['WARN', 'ERROR'] })).entries).toHaveLength(60);
		expect((await folder.page({ levels: ['FATAL'] })).entries).toEqual([]);
	});

	test('text is found in messages and traces ignoring case, each entry once', async () => {
		expect(messagesOf(await folder.page({ text: 'tROUBLE 1900' }))).toEqual(['Trouble 1900']);
		expect(messagesOf(await folder.page({ text: 'Y1800' }))).toEqual(['Trouble 1800']);
		expect((await folder.page({ text: 'BOOM' })).entries).toHaveLength(20);
		expect((await folder.page({ text: 'boom', levels: ['WARN'] })).entries).toEqual([]);
		const both = await folder.page({ text: 'message', levels: ['WARN'], lines: 3 });
		expect(messagesOf(both)).toEqual(['message 1851', 'message 1901', 'message 1951']);
	});

	test('time, thread and level are not searched', async () => {
		expect((await folder.page({ text: 'server thread' })).entries).toEqual([]);
		expect((await folder.page({ text: '/info]' })).entries).toEqual([]);
	});

	test('patterns are plain text', async () => {
		folder.append('latest.log', logLine('(a+)+$ and .* and [x', 1));
		expect((await folder.page({ text: '(a+)+$' })).entries).toHaveLength(1);
		expect((await folder.page({ text: '.*' })).entries).toHaveLength(1);
		expect((await folder.page({ text: '[X' })).entries).toHaveLength(1);
		expect((await folder.page({ text: 'a'.repeat(200) })).entries).toEqual([]);
	});

	test('letters of other scripts are found', async () => {
		const texts = [
			'ПРИВЕТ мир',
			'Привет',
			'привет',
			'Café ÉCLAIR',
			'한국어 선아',
			'ﬀ STRASSE',
			'a\ufffdb *** c'
		];
		for (const text of texts) folder.append('latest.log', logLine(text, 1));
		const found = async (text: string) => messagesOf(await folder.page({ text }));
		expect(await found('привет')).toEqual(['ПРИВЕТ мир', 'Привет', 'привет']);
		expect(await found('éclair')).toEqual(['Café ÉCLAIR']);
		expect(await found('CAFÉ')).toEqual(['Café ÉCLAIR']);
		expect(await found('선아')).toEqual(['한국어 선아']);
		expect(await found('b *** c')).toEqual(['a\ufffdb *** c']);
		expect(await found('***')).toEqual(['a\ufffdb *** c']);
	});

	test('a match is the same wherever in the file it is', async () => {
		const filler = logLine('x'.repeat(66), 5);
		for (const border of [32_768, 65_536, 98_304])
			for (let shift = -2; shift < 16; shift++) {
				const tail = filler.repeat(1_000).slice(-(border - shift));
				folder.write('latest.log', `${filler.repeat(900)}${logLine('A Needle here', 7)}${tail}`);
				const page = await folder.page({ text: 'needle HERE' });
				expect(page.entries.map(({ message }) => message.slice(0, 13))).toEqual(['A Needle here']);
			}
	});

	test('matches are the same as in a plain line-by-line comparison', async () => {
		let seed = 3;
		const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % n;
		const word = () => ['aB', 'Ab', 'c', '[', ']: ', 'INFO', 'é', 'É', '*', ' '][random(10)]!;
		const words = () => Array.from({ length: 1 + random(12) }, word).join('');
		const messages = Array.from({ length: 3_000 }, (_, i) => `${i}${words()}`);
		folder.write('latest.log', messages.map((text, i) => logLine(text, i)).join(''));
		for (let round = 0; round < 60; round++) {
			const text = Array.from({ length: 1 + random(3) }, word).join('');
			const expected = messages.filter((one) => one.toLowerCase().includes(text.toLowerCase()));
			const entries = await folder.all({ text, lines: 1 + random(1000) });
			expect(entries.map(({ message }) => message)).toEqual(expected);
		}
	});
});
