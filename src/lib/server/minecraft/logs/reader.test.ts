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
import { describe, expect, test } from 'vitest';
import { logLine, messagesOf } from '../../../../../tests/fakes/game/log-folder.ts';
import { AppError } from '#core/errors';
import { createLogMask } from '#minecraft/mask';
import { folder, numbered, folderForEach } from '../../../../../tests/fakes/game/log-reader-kit.ts';

folderForEach();

const notFound = expect.objectContaining({ kind: 'not-found' });

describe('a page', () => {
	test('holds the last entries, oldest first, parsed', async () => {
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

	test('folds a stack trace into its entry, even across a block boundary', async () => {
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

	test('a line that is still being written is shown, and keeps its id when it is finished', async () => {
		folder.write('latest.log', numbered(2) + '[00:00:02] [main/INFO]: half');
		const half = (await folder.page()).entries.at(-1)!;
		expect(half.message).toBe('half');
		folder.append('latest.log', ' and half\n');
		expect((await folder.page()).entries.at(-1)).toMatchObject({
			id: half.id,
			message: 'half and half'
		});
	});

	test('an answer is bounded, even when the entries are huge', async () => {
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

	test('a log without dates counts back over midnight from the day it was last written', async () => {
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

	test('an archive belongs to the day in its name', async () => {
		folder.write('2026-02-03-1.log.gz', numbered(1));
		const { entries } = await folder.page({ file: '2026-02-03-1.log.gz' });
		expect(entries[0]!.at).toBe(local('2026-02-03T00:00:00'));
	});
});

describe('places', () => {
	test('an entry is found again by its id, with its surroundings', async () => {
		folder.write('latest.log', numbered(400));
		const wanted = (await folder.all())[200]!;
		const page = await folder.page({ at: wanted.id, lines: 10 });
		expect(messagesOf(page)).toEqual(Array.from({ length: 10 }, (_, i) => `message ${195 + i}`));
		expect(page.entries[5]).toEqual(wanted);
		expect(messagesOf(await folder.page({ before: page.next!, lines: 1 }))).toEqual([
			'message 194'
		]);
	});

	test('also after its file was renamed or compressed', async () => {
		folder.write('latest.log', numbered(50), new Date('2026-03-09T23:00:00'));
		const wanted = (await folder.all())[20]!;
		folder.write('2026-03-09-1.log.gz', numbered(50));
		folder.write('latest.log', logLine('other', 40).repeat(100), new Date('2026-03-10T01:00:00'));
		const page = await folder.page({ at: wanted.id, lines: 3 });
		expect(page.file).toBe('2026-03-09-1.log.gz');
		expect(page.entries.map(({ message }) => message)).toContain('message 20');
		expect(messagesOf(await folder.page({ before: wanted.id, lines: 1 }))).toEqual(['message 19']);
	});

	test('one that is gone, or never existed, is not found', async () => {
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

	test('unusual names are listed when they can be shown, and counted when not', async () => {
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

	test('when the folder is missing, or not a folder, the page says so', async () => {
		rmSync(folder.logs, { recursive: true });
		expect(await folder.page()).toMatchObject({
			entries: [],
			truncated: false,
			notes: ['There is no log in this folder yet.']
		});
		expect(await folder.reader.list()).toMatchObject({
			files: [],
			trouble: /no log in this folder/
		});
		writeFileSync(folder.logs, 'a file');
		expect((await folder.page()).notes).toEqual([
			expect.stringContaining('The folder logs cannot be read')
		]);
	});

	test('a file that cannot be read says why', async () => {
		const denied = Object.assign(new Error('no'), { code: 'EACCES' });
		folder.files.open = () => Promise.reject(denied);
		expect((await folder.page()).notes).toEqual([
			'latest.log cannot be read: permission was denied. Check that the dashboard’s user may read it.'
		]);
		await expect(folder.page({ file: 'x.log' })).rejects.toBeInstanceOf(AppError);
	});
});

describe('while it is read', () => {
	test('a log that is renamed, deleted or grows returns what it contained', async () => {
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

	test('truncating a log ends the reading', async () => {
		folder.write('latest.log', numbered(400_000));
		const reading = folder.page({ text: 'no such text' });
		truncateSync(folder.at('latest.log'), 0);
		expect((await reading).entries).toEqual([]);
	});
});
