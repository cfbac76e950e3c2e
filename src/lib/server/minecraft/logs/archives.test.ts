import { writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { logLine, messagesOf } from '../../../../../tests/fakes/game/log-folder.ts';
import { folder, numbered, folderForEach } from '../../../../../tests/fakes/game/log-reader-kit.ts';

folderForEach();

describe('archives', () => {
	const archive = (day: string, index: number, text: string, minute = index) =>
		folder.write(`${day}-${index}.log.gz`, text, new Date(`2026-03-09T10:${minute}0:00Z`));

	test('are read like any other file, and paged', async () => {
		archive('2026-03-09', 1, numbered(3_000));
		const entries = await folder.all({ file: '2026-03-09-1.log.gz', lines: 700 });
		expect(entries.map(({ message }) => message)).toEqual(
			Array.from({ length: 3_000 }, (_, i) => `message ${i}`)
		);
	});

	test('a search in the current log continues into them, from the newest to the oldest', async () => {
		archive('2026-03-07', 1, logLine('needle old') + numbered(10));
		archive('2026-03-08', 1, logLine('needle first') + logLine('needle second'));
		archive('2026-03-08', 2, logLine('needle third'));
		folder.write('debug.log', logLine('needle of another log'));
		folder.write('latest.log', numbered(5) + logLine('needle now'));
		const expected = ['old', 'first', 'second', 'third', 'now'].map((word) => `needle ${word}`);
		for (const lines of [1, 2, 3, 5, 100]) {
			const entries = await folder.all({ text: 'needle', lines });
			expect(entries.map(({ message }) => message)).toEqual(expected);
		}
		const { entries } = await folder.page({ text: 'needle' });
		expect(entries.map(({ file }) => file)).toEqual([
			'2026-03-07-1.log.gz',
			'2026-03-08-1.log.gz',
			'2026-03-08-1.log.gz',
			'2026-03-08-2.log.gz',
			'latest.log'
		]);
		expect(messagesOf(await folder.page())).not.toContain('needle third');
		expect(messagesOf(await folder.page({ text: 'needle', file: '2026-03-08-2.log.gz' }))).toEqual([
			'needle third'
		]);
	});

	test('so does a search for a level alone, and no other page', async () => {
		const error = (words: string) => logLine(words, 0, 'ERROR');
		archive('2026-03-08', 1, logLine('fine') + error('it crashed'));
		folder.write('latest.log', numbered(5));
		expect(messagesOf(await folder.page({ levels: ['ERROR'] }))).toEqual(['it crashed']);
		expect(
			messagesOf(await folder.page({ levels: ['ERROR'], file: 'latest.log', lines: 1 }))
		).toEqual(['it crashed']);
		expect(messagesOf(await folder.page())).not.toContain('it crashed');
	});

	test('one that inflates a thousandfold stops at 64 MB, with a note', async () => {
		const million = Buffer.alloc(1024 * 1024, logLine('bomb'));
		folder.write('2026-01-01-1.log', '');
		const packed = gzipSync(Buffer.concat(Array.from({ length: 80 }, () => million)));
		writeFileSync(folder.at('2026-01-01-1.log.gz'), packed);
		const page = await folder.page({ file: '2026-01-01-1.log.gz', lines: 2 });
		expect(page.notes).toEqual([
			'2026-01-01-1.log.gz is very large: only the first 64 MB of its text were read.'
		]);
		expect(page.entries.length).toBeGreaterThan(0);
	});

	test.each([
		['half of it is missing', (packed: Buffer) => packed.subarray(0, packed.length >> 1), 1_000],
		['the end of it is missing', (packed: Buffer) => packed.subarray(0, -4), 5_000],
		[
			'its checksum is wrong',
			(packed: Buffer) => (packed.writeUInt32LE(1, packed.length - 8), packed),
			5_000
		],
		[
			'something stands behind it',
			(packed: Buffer) => Buffer.concat([packed, Buffer.from('x')]),
			5_000
		]
	])('when %s, what can be decoded is returned with a note', async (_, damage, least) => {
		writeFileSync(folder.at('2026-01-01-1.log.gz'), damage(gzipSync(numbered(5_000))));
		const file = '2026-01-01-1.log.gz';
		const entries = await folder.all({ file });
		expect(entries.length).toBeGreaterThanOrEqual(least);
		expect(entries.slice(0, -1).map(({ message }) => message)).toEqual(
			Array.from({ length: entries.length - 1 }, (_, i) => `message ${i}`)
		);
		expect((await folder.page({ file })).notes).toEqual([
			`${file} is damaged or was not finished: what can be read of it is shown.`
		]);
	});

	test('one that is not an archive is reported as such', async () => {
		writeFileSync(folder.at('2026-01-01-1.log.gz'), 'hello');
		writeFileSync(folder.at('2026-01-02-1.log.gz'), '');
		for (const file of ['2026-01-01-1.log.gz', '2026-01-02-1.log.gz'])
			expect(await folder.page({ file })).toMatchObject({
				entries: [],
				notes: [`${file} is not a compressed file, despite its name.`]
			});
	});

	test('concatenated archives, a header with a name and a stored log are read', async () => {
		const both = Buffer.concat([gzipSync(numbered(2)), gzipSync(numbered(2, 2))]);
		writeFileSync(folder.at('2026-01-01-1.log.gz'), both);
		expect((await folder.page({ file: '2026-01-01-1.log.gz' })).entries).toHaveLength(4);
		folder.write('named.log', numbered(3));
		spawnSync('gzip', ['-N', folder.at('named.log')]);
		writeFileSync(folder.at('2026-01-03-1.log'), numbered(3));
		for (const file of ['named.log.gz', '2026-01-03-1.log'])
			expect((await folder.page({ file })).entries).toHaveLength(3);
	});
});
