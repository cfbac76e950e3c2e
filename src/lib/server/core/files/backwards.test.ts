import { open, writeFile, truncate } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { linesBackwards } from './backwards.ts';

type Range = Parameters<typeof linesBackwards>[1];

async function linesOf(content: string | Buffer, range?: Range) {
	const file = path.join(await tempDir(), 'file');
	await writeFile(file, content);
	const handle = await open(file);
	onTestFinished(() => handle.close());
	const found = [];
	for await (const { bytes, cut, offset } of linesBackwards(handle, range))
		found.push({ text: `${bytes}${cut ? '…' : ''}`, offset });
	return found;
}
const textsOf = async (content: string, range?: Range) =>
	(await linesOf(content, range)).map(({ text }) => text);

test('lines come from the last to the first, with or without a final newline', async () => {
	expect(await textsOf('')).toEqual([]);
	expect(await textsOf('one')).toEqual(['one']);
	expect(await textsOf('one\n')).toEqual(['one']);
	expect(await textsOf('one\ntwo')).toEqual(['two', 'one']);
	expect(await textsOf('\n\none\n\n')).toEqual(['', 'one', '', '']);
});

test('every block size gives the same lines and offsets, even inside a character', async () => {
	const content = 'größe\n\n😀 smile\nlast line without an end ☃';
	const whole = await linesOf(content);
	expect(
		whole
			.map(({ text }) => text)
			.reverse()
			.join('\n')
	).toBe(content);
	for (let blockBytes = 1; blockBytes < 20; blockBytes++)
		expect(await linesOf(content, { blockBytes })).toEqual(whole);
	const bytes = Buffer.from(content);
	for (const { text, offset } of whole)
		expect(bytes.subarray(offset).toString().startsWith(text)).toBe(true);
});

test('reading can continue before the offset of any line', async () => {
	const content = 'one\ntwo\nthree\n';
	const [, two] = await linesOf(content);
	expect(await textsOf(content, { before: two!.offset })).toEqual(['one']);
	expect(await textsOf(content, { before: 0 })).toEqual([]);
	expect(await textsOf(content, { before: 9999 })).toEqual(['three', 'two', 'one']);
});

test('of a long line the beginning is kept, and its neighbours are kept whole', async () => {
	const content = `one\n${'x'.repeat(5000)}\nthree\n`;
	for (const blockBytes of [64, 100, 4096, 9000])
		expect(await textsOf(content, { keepBytes: 5, blockBytes })).toEqual([
			'three',
			'xxxxx…',
			'one'
		]);
});

test('nothing before a given offset is read', async () => {
	const content = 'one\ntwo\nthree\n';
	for (const blockBytes of [1, 3, 100]) {
		expect(await linesOf(content, { from: 4, blockBytes })).toEqual([
			{ text: 'three', offset: 8 },
			{ text: 'two', offset: 4 }
		]);
		expect(await textsOf(content, { from: 14, blockBytes })).toEqual([]);
		expect(await textsOf(content, { from: 99, blockBytes })).toEqual([]);
	}
});

test('only as much is read as is asked for', async () => {
	const file = path.join(await tempDir(), 'sparse');
	await truncate(await written(file, ''), 0);
	const handle = await open(file, 'r+');
	onTestFinished(() => handle.close());
	await handle.truncate(4 * 1024 ** 3);
	await handle.write('\nthe last\n', 4 * 1024 ** 3);
	for await (const { bytes } of linesBackwards(handle)) {
		expect(bytes.toString()).toBe('the last');
		break;
	}
});

async function written(file: string, content: string) {
	await writeFile(file, content);
	return file;
}
