import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { lastLines } from './last-lines.ts';

let file: string;
beforeEach(async () => {
	file = path.join(await tempDir(), 'latest.log');
});

const MIXED = ['', 'a', '', 'ü'.repeat(70_000), 'x'.repeat(200_000), 'b', '', 'c'];
const cut = (line: string) =>
	Buffer.byteLength(line) > 8192 ? `${line.slice(0, line[0] === 'ü' ? 4096 : 8192)} … cut` : line;

test.each([
	['empty', '', []],
	['one newline', '\n', ['']],
	['one line', 'a\n', ['a']],
	['no newline at the end', 'a\nb', ['a', 'b']],
	['an empty line at the end', 'a\n\n', ['a', '']],
	['an empty line at the start', '\nb\n', ['', 'b']],
	['Windows line ends', 'a\r\nb\r\n', ['a', 'b']],
	['long lines across blocks', `${MIXED.join('\n')}\n`, MIXED.map(cut)]
])('the last lines: %s', async (_, text, wanted) => {
	writeFileSync(file, text);
	expect(await lastLines(file, 100)).toEqual(wanted);
	for (let count = 0; count <= wanted.length; count++)
		expect(await lastLines(file, count)).toEqual(wanted.slice(wanted.length - count));
});

test('the last lines match a full read, at every count and file length around the block size', async () => {
	const all = Array.from({ length: 9000 }, (_, i) => `line ${i} ${'y'.repeat(i % 23)}`);
	for (const skip of [0, 1, 7, 100, 8000]) {
		const lines = all.slice(skip);
		writeFileSync(file, `${lines.join('\n')}\n`);
		for (const count of [1, 2, 500, 3000, 20_000])
			expect(await lastLines(file, count)).toEqual(lines.slice(-count));
	}
});

test('nothing is read before the given offset', async () => {
	writeFileSync(file, 'old\nnew\nnewer\n');
	expect(await lastLines(file, 10, 4)).toEqual(['new', 'newer']);
	expect(await lastLines(file, 10, 14)).toEqual([]);
	expect(await lastLines(file, 10, 99)).toEqual([]);
});

test('a missing file, a symlink or a FIFO has no lines', async () => {
	expect(await lastLines(file, 5)).toEqual([]);
	symlinkSync('/etc/hostname', file);
	expect(await lastLines(file, 5)).toEqual([]);
	rmSync(file);
	spawnSync('mkfifo', [file]);
	expect(await lastLines(file, 5)).toEqual([]);
});

test('of a huge file without a newline only the end is read', async () => {
	writeFileSync(file, '');
	truncateSync(file, 2 ** 32); // sparse
	const [line] = await lastLines(file, 5);
	expect(line).toHaveLength(8192 + ' … cut'.length);
});
