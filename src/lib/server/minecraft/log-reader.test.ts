import {
	appendFileSync,
	closeSync,
	mkdirSync,
	openSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	createLogFolder,
	logLine,
	messagesOf,
	type LogFolder
} from '../../../../tests/fakes/log-folder.ts';
import { AppError } from '../core/errors.ts';
import { createLogMask } from './mask.ts';

let folder: LogFolder;
beforeEach(() => {
	folder = createLogFolder();
});
afterEach(() => folder.remove());

const numbered = (count: number, from = 0) =>
	Array.from({ length: count }, (_, i) => logLine(`message ${from + i}`, from + i)).join('');
const notFound = expect.objectContaining({ kind: 'not-found' });

describe('a page', () => {
	test('holds the last entries, oldest first, taken apart', async () => {
		folder.write('latest.log', numbered(10) + '[00:00:11] [main/WARN] (Fabric) careful\n');
		const page = await folder.page({ lines: 2 });
		expect(page).toMatchObject({ file: 'latest.log', truncated: true, notes: [] });
		expect(page.entries).toMatchObject([
			{
				level: 'INFO',
				thread: 'Server thread',
				logger: null,
				message: 'message 9',
				continuation: []
			},
			{ level: 'WARN', thread: 'main', logger: 'Fabric', message: 'careful', continuation: [] }
		]);
	});

	test('says when there is nothing before it', async () => {
		folder.write('latest.log', numbered(3));
		for (const lines of [3, 4])
			expect(await folder.page({ lines })).toMatchObject({ truncated: false, next: null });
		expect(await folder.page({ lines: 2 })).toMatchObject({ truncated: true });
	});

	test('folds a stack trace into its entry, also where a block of the file ends within', async () => {
		const trace = [
			'java.lang.Exception: x',
			...Array.from({ length: 40 }, (_, i) => `\tat a.b.C${i}`)
		];
		const many = Array.from(
			{ length: 400 },
			(_, i) => logLine(`n${i}`, i) + trace.join('\n') + '\n'
		);
		folder.write('latest.log', many.join(''));
		const entries = await folder.all({ lines: 37 });
		expect(entries.map(({ message }) => message)).toEqual(many.map((_, i) => `n${i}`));
		for (const { continuation } of entries) expect(continuation).toEqual(trace);
	});

	test('a trace of thousands of lines is cut, and says by how much', async () => {
		folder.write('latest.log', numbered(1) + '\tat x\n'.repeat(3_000) + numbered(1, 1));
		const [first, second] = (await folder.page()).entries;
		expect(first!.continuation).toHaveLength(501);
		expect(first!.continuation.at(-1)).toBe('… 2500 more lines');
		expect(second).toMatchObject({ message: 'message 1', continuation: [] });
	});

	test('paging back by `before` gives each line once, however the pages are cut', async () => {
		folder.write('latest.log', numbered(500));
		const expected = Array.from({ length: 500 }, (_, i) => `message ${i}`);
		for (const lines of [1, 7, 499, 500, 1000]) {
			const entries = await folder.all({ lines });
			expect(entries.map(({ message }) => message)).toEqual(expected);
			expect(new Set(entries.map(({ id }) => id)).size).toBe(500);
		}
	});

	test('lines before the first prefix, and files without any, are entries of one line', async () => {
		folder.write('latest.log', '\tat the.end.of.an.Entry\nplain\n' + numbered(1));
		expect(messagesOf(await folder.page())).toEqual([
			'\tat the.end.of.an.Entry',
			'plain',
			'message 0'
		]);
		folder.write('plain.log', 'one\n\ntwo');
		const page = await folder.page({ file: 'plain.log' });
		expect(messagesOf(page)).toEqual(['one', '', 'two']);
		expect(page.entries[0]).toMatchObject({ at: null, level: 'INFO', thread: null });
	});

	test('the lines of a crash report are not folded', async () => {
		folder.write('crash-1.txt', '---- Minecraft Crash Report ----\n// Oops\n\n[x] y\n');
		expect(messagesOf(await folder.page({ file: 'crash-1.txt' }))).toEqual([
			'---- Minecraft Crash Report ----',
			'// Oops',
			'',
			'[x] y'
		]);
	});

	test('a line that is still being written is shown, and has the same id when it is finished', async () => {
		folder.write('latest.log', numbered(2) + '[00:00:02] [main/INFO]: half');
		const half = (await folder.page()).entries.at(-1)!;
		expect(half.message).toBe('half');
		folder.append('latest.log', ' and half\n');
		expect((await folder.page()).entries.at(-1)).toMatchObject({
			id: half.id,
			message: 'half and half'
		});
	});

	test('an answer has an end, also when the entries are huge', async () => {
		const huge = `${'x'.repeat(8_000)}\n`.repeat(40);
		folder.write(
			'latest.log',
			Array.from({ length: 60 }, (_, i) => logLine(`n${i}`, i) + huge).join('')
		);
		const page = await folder.page();
		expect(page.truncated).toBe(true);
		expect(page.notes).toEqual(['The page was cut here: its lines are very long.']);
		expect(JSON.stringify(page).length).toBeLessThan(6_000_000);
		expect(messagesOf(await folder.page({ before: page.next! })).at(-1)).toBe(
			`n${59 - page.entries.length}`
		);
	});
});

describe('times', () => {
	const local = (text: string) => new Date(text).toISOString();

	test('a log without dates is of the day it was last written on, back over midnight', async () => {
		const lines = [86_390, 86_399, 5, 10].map((second) => logLine('x', second)).join('');
		folder.write('latest.log', lines, new Date('2026-03-10T00:00:12'));
		expect((await folder.page()).entries.map(({ at }) => at)).toEqual([
			local('2026-03-09T23:59:50'),
			local('2026-03-09T23:59:59'),
			local('2026-03-10T00:00:05'),
			local('2026-03-10T00:00:10')
		]);
	});

	test('pages and searches count the days from what follows', async () => {
		const lines = [
			logLine('needle', 80_000),
			logLine('x', 86_000),
			logLine('x', 100),
			logLine('x', 200)
		];
		folder.write('latest.log', lines.join(''), new Date('2026-03-10T00:03:20'));
		const evening = local('2026-03-09T22:13:20');
		expect((await folder.page({ text: 'needle' })).entries[0]!.at).toBe(evening);
		expect((await folder.all({ lines: 1 }))[0]!.at).toBe(evening);
	});

	test('an archive is of the day in its name', async () => {
		folder.write('2026-02-03-1.log.gz', numbered(1));
		const { entries } = await folder.page({ file: '2026-02-03-1.log.gz' });
		expect(entries[0]!.at).toBe(local('2026-02-03T00:00:00'));
	});
});

describe('text that is none', () => {
	test('bad UTF-8, NUL and UTF-16 spoil their own line only', async () => {
		const bad = Buffer.concat([
			Buffer.from(logLine('good', 1)),
			Buffer.from([
				...Buffer.from('[00:00:02] [main/INFO]: '),
				0xff,
				0xc3,
				0x28,
				0x00,
				0xe2,
				0x82,
				0x0a
			]),
			Buffer.from('utf16\n', 'utf16le'),
			Buffer.from('\n' + logLine('grüße 漢字 🙂', 3))
		]);
		folder.write('latest.log', bad);
		const { entries } = await folder.page();
		expect(entries.map(({ message }) => message)).toEqual([
			'good',
			'\ufffd\ufffd(\ufffd',
			'grüße 漢字 🙂'
		]);
		expect(entries[1]!.continuation[0]).toBe('utf16');
	});

	test('characters are whole wherever a block ends, and CRLF is no text', async () => {
		const lines = Array.from({ length: 3_000 }, (_, i) => `${'🙂é'.repeat(20 + (i % 7))}${i}`);
		folder.write(
			'latest.log',
			lines.map((line, i) => logLine(line, i).replace('\n', '\r\n')).join('')
		);
		const entries = await folder.all({ lines: 999 });
		expect(entries.map(({ message }) => message)).toEqual(lines);
	});

	test('a line of 30 MB is cut to 8 kB with a mark, and its neighbours are whole', async () => {
		folder.write('latest.log', numbered(2));
		folder.append('latest.log', '[00:00:02] [main/INFO]: start ');
		const piece = Buffer.alloc(1024 * 1024, 'é');
		for (let i = 0; i < 30; i++) folder.append('latest.log', piece);
		folder.append('latest.log', `\n${numbered(2, 3)}`);
		const { entries } = await folder.page();
		expect(entries.map(({ message }) => message.slice(0, 9))).toEqual([
			'message 0',
			'message 1',
			'start ééé',
			'message 3',
			'message 4'
		]);
		expect(entries[2]!.message).toMatch(/é … cut$/);
		expect(Buffer.byteLength(entries[2]!.message)).toBeLessThan(8_300);
		expect(messagesOf(await folder.page({ lines: 3 }))[0]).toBe(entries[2]!.message);
	});

	test('a file of newlines alone is read in pieces', async () => {
		folder.write('latest.log', '\n'.repeat(5_000_000));
		const page = await folder.page({ lines: 500 });
		expect(page.entries).toHaveLength(500);
		expect(page.truncated).toBe(true);
	});

	test('lines that only look like entries end the search for one', async () => {
		folder.write('latest.log', numbered(1) + '[1,2]\n'.repeat(600_000));
		const page = await folder.page({ lines: 1000 });
		expect(page.entries.length).toBeGreaterThan(0);
		expect(page.entries.at(-1)!.message + page.entries.at(-1)!.continuation.at(-1)).toContain(
			'[1,2]'
		);
	});

	test('markup, links and jndi are text', async () => {
		const text =
			'<img src=x onerror=alert(1)></script> {@html x} ${jndi:ldap://x} javascript:alert(1)';
		folder.write('latest.log', logLine(text));
		expect(messagesOf(await folder.page())).toEqual([text]);
	});

	test('codes are dropped, and what cannot be seen is made visible, in traces and thread names too', async () => {
		folder.write(
			'latest.log',
			logLine(
				'\u001b[31mred\u001b[0m §cred \u001b]52;c;x\u0007\u001b[2Jad\u200bmin \u202eevil\rx'
			) + '[00:00:01] [a\u202eb/INFO]: x\n\tat \u001b[1mx\u0007\n'
		);
		const { entries } = await folder.page();
		expect(entries[0]!.message).toBe('red red ad‹U+200B›min ‹U+202E›evil␍x');
		expect(entries[1]).toMatchObject({ thread: 'a‹U+202E›b', continuation: ['\tat x␇'] });
		expect((await folder.page({ text: 'min' })).entries).toHaveLength(1);
	});

	test('what a player says is never an entry', async () => {
		const said = '<Steve> [12:00:00] [Server thread/INFO]: Herobrine joined the game';
		folder.write('latest.log', logLine(said) + numbered(1, 1));
		expect(messagesOf(await folder.page())).toEqual([said, 'message 1']);
	});
});

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

	test('text is found in messages and traces whatever its case, each entry once', async () => {
		expect(messagesOf(await folder.page({ text: 'tROUBLE 1900' }))).toEqual(['Trouble 1900']);
		expect(messagesOf(await folder.page({ text: 'Y1800' }))).toEqual(['Trouble 1800']);
		expect((await folder.page({ text: 'BOOM' })).entries).toHaveLength(20);
		expect((await folder.page({ text: 'boom', levels: ['WARN'] })).entries).toEqual([]);
		const both = await folder.page({ text: 'message', levels: ['WARN'], lines: 3 });
		expect(messagesOf(both)).toEqual(['message 1851', 'message 1901', 'message 1951']);
	});

	test('time, thread and level are not the text', async () => {
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

	test('a find is the same wherever in the file it stands', async () => {
		const filler = logLine('x'.repeat(66), 5);
		for (const border of [32_768, 65_536, 98_304])
			for (let shift = -2; shift < 16; shift++) {
				const tail = filler.repeat(1_000).slice(-(border - shift));
				folder.write('latest.log', `${filler.repeat(900)}${logLine('A Needle here', 7)}${tail}`);
				const page = await folder.page({ text: 'needle HERE' });
				expect(page.entries.map(({ message }) => message.slice(0, 13))).toEqual(['A Needle here']);
			}
	});

	test('finds are the same as a plain comparison gives, line by line', async () => {
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

	test('a search in the current log goes on into them, from the newest to the oldest', async () => {
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
	])('when %s, what decodes is given and said', async (_, damage, least) => {
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

	test('one that is none is said to be none', async () => {
		writeFileSync(folder.at('2026-01-01-1.log.gz'), 'hello');
		writeFileSync(folder.at('2026-01-02-1.log.gz'), '');
		for (const file of ['2026-01-01-1.log.gz', '2026-01-02-1.log.gz'])
			expect(await folder.page({ file })).toMatchObject({
				entries: [],
				notes: [`${file} is not a packed file, although it is called one.`]
			});
	});

	test('two in one file, a header with a name and a log that is packed plain are read', async () => {
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

describe('places', () => {
	test('an entry is found again by its id, with what stands around it', async () => {
		folder.write('latest.log', numbered(400));
		const wanted = (await folder.all())[200]!;
		const page = await folder.page({ at: wanted.id, lines: 10 });
		expect(messagesOf(page)).toEqual(Array.from({ length: 10 }, (_, i) => `message ${195 + i}`));
		expect(page.entries[5]).toEqual(wanted);
		expect(messagesOf(await folder.page({ before: page.next!, lines: 1 }))).toEqual([
			'message 194'
		]);
	});

	test('also after its file has got another name, packed or not', async () => {
		folder.write('latest.log', numbered(50), new Date('2026-03-09T23:00:00'));
		const wanted = (await folder.all())[20]!;
		folder.write('2026-03-09-1.log.gz', numbered(50));
		folder.write('latest.log', logLine('other', 40).repeat(100), new Date('2026-03-10T01:00:00'));
		const page = await folder.page({ at: wanted.id, lines: 3 });
		expect(page.file).toBe('2026-03-09-1.log.gz');
		expect(page.entries.map(({ message }) => message)).toContain('message 20');
		expect(messagesOf(await folder.page({ before: wanted.id, lines: 1 }))).toEqual(['message 19']);
	});

	test('one that is gone, and what is none, is not found', async () => {
		folder.write('latest.log', numbered(50));
		const wanted = (await folder.all())[20]!;
		folder.write('latest.log', logLine('other', 40).repeat(100));
		for (const id of [
			wanted.id,
			'',
			'x',
			'-1',
			'../../etc/passwd',
			`${wanted.id}0`,
			'zzzzzz-zzzzzzzzzz-zzzzzz'
		]) {
			await expect(folder.page({ at: id })).rejects.toEqual(notFound);
			await expect(folder.page({ before: id })).rejects.toEqual(notFound);
		}
	});
});

describe('files', () => {
	test('are listed with kind, size and time, the newest first', async () => {
		folder.write('latest.log', 'x\n', new Date('2026-03-09T10:00:00Z'));
		folder.write('2026-03-08-1.log.gz', 'x', new Date('2026-03-08T10:00:00Z'));
		folder.write('crash-2026.txt', 'xy', new Date('2026-03-09T11:00:00Z'));
		folder.write('note.md', 'no log');
		expect(await folder.reader.list()).toEqual({
			files: [
				{ name: 'crash-2026.txt', kind: 'crash', bytes: 2, modifiedAt: '2026-03-09T11:00:00.000Z' },
				{ name: 'latest.log', kind: 'log', bytes: 2, modifiedAt: '2026-03-09T10:00:00.000Z' },
				expect.objectContaining({ name: '2026-03-08-1.log.gz', kind: 'archive' })
			],
			skipped: 0,
			trouble: null
		});
	});

	test('only regular files by their own names are opened', async () => {
		folder.write('latest.log', 'x\n');
		const secret = path.join(folder.serverDir, 'secret.log');
		writeFileSync(secret, 'top secret\n');
		symlinkSync(secret, folder.at('link.log'));
		symlinkSync(folder.logs, folder.at('dirlink.log'));
		mkdirSync(folder.at('dir.log'));
		spawnSync('mkfifo', [folder.at('pipe.log')]);
		const names = [
			'../secret.log',
			'..%2fsecret.log',
			'./latest.log',
			secret,
			'/etc/passwd',
			'/etc/passwd\0.log',
			'latest.log\0',
			'link.log',
			'dirlink.log',
			'dirlink.log/latest.log',
			'dir.log',
			'pipe.log',
			'LATEST.log',
			'',
			'.log',
			'..'
		];
		for (const file of names) {
			await expect(folder.page({ file })).rejects.toEqual(notFound);
			await expect(
				folder.reader.text(file, createLogMask({ secrets: [], addresses: true }))
			).rejects.toEqual(notFound);
		}
		const { files, skipped } = await folder.reader.list();
		expect(files.map(({ name }) => name)).toEqual(['latest.log']);
		expect(skipped).toBe(4);
	});

	test('a current log that is a symlink is not followed', async () => {
		symlinkSync('/etc/passwd', folder.at('latest.log'));
		const page = await folder.page();
		expect(page.entries).toEqual([]);
		expect(page.notes[0]).toMatch(/^There is no current log/);
	});

	test('strange names are listed when they can be shown, and counted when not', async () => {
		const shown = ['a "quoted" <b>.log', "it's.log", 'ünï.log', '%2e%2e.log', '-rf.log'];
		for (const name of [...shown, 'new\nline.log', 'esc\u001b[31m.log', 'bidi\u202e.log'])
			folder.write(name, numbered(1));
		closeSync(
			openSync(
				Buffer.concat([
					Buffer.from(`${folder.logs}/bad`),
					Buffer.from([0xff]),
					Buffer.from('.log')
				]),
				'w'
			)
		);
		const { files, skipped } = await folder.reader.list();
		expect(files.map(({ name }) => name).sort()).toEqual([...shown].sort());
		expect(skipped).toBe(4);
		for (const file of shown) expect((await folder.page({ file })).entries).toHaveLength(1);
	});

	test('when the folder is missing, or is none, the page says so', async () => {
		rmSync(folder.logs, { recursive: true });
		expect(await folder.page()).toMatchObject({
			entries: [],
			truncated: false,
			notes: ['There is no log yet: the server writes logs/latest.log when it starts.']
		});
		expect(await folder.reader.list()).toMatchObject({ files: [], trouble: /no log yet/ });
		writeFileSync(folder.logs, 'a file');
		expect((await folder.page()).notes).toEqual([
			expect.stringContaining('The folder logs cannot be read')
		]);
	});

	test('a file that cannot be read says why', async () => {
		const denied = Object.assign(new Error('no'), { code: 'EACCES' });
		folder.files.open = () => Promise.reject(denied);
		expect((await folder.page()).notes).toEqual([
			"latest.log cannot be read: permission was denied. Check that the dashboard's user may read it."
		]);
		await expect(folder.page({ file: 'x.log' })).rejects.toBeInstanceOf(AppError);
	});
});

describe('while it is read', () => {
	test('a log that is renamed, deleted or grows gives what it held', async () => {
		folder.write('latest.log', numbered(100_000));
		const reading = folder.page({ text: 'message 0' });
		renameSync(folder.at('latest.log'), folder.at('2026-01-01-1.log'));
		folder.write('latest.log', numbered(1));
		expect(messagesOf(await reading)).toEqual(expect.arrayContaining(['message 0']));
		const again = folder.page({ file: '2026-01-01-1.log', text: 'message 0' });
		const renamed = folder.at('2026-01-01-1.log');
		appendFileSync(renamed, numbered(10));
		await again;
	});

	test('a log that is cut to nothing ends the reading', async () => {
		folder.write('latest.log', numbered(400_000));
		const reading = folder.page({ text: 'no such text' });
		truncateSync(folder.at('latest.log'), 0);
		expect((await reading).entries).toEqual([]);
	});
});
