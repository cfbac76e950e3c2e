import { expect, test } from 'vitest';
import { zip } from '../../../../../tests/fakes/mods/jars.ts';
import { encrypted, zip64 } from '../../../../../tests/fakes/mods/mod-jars.ts';
import { bufferSource, openZip, type Zip } from './zip.ts';

const open = (bytes: Buffer) => openZip(bufferSource(bytes));
async function opened(bytes: Buffer): Promise<Zip> {
	const found = await open(bytes);
	if (typeof found === 'string') throw new Error(found);
	return found;
}
const TEXT = 'a file that is long enough to be deflated, with words words words words';

test('named files are read, whether stored or deflated; others are absent', async () => {
	const archive = await opened(zip({ 'a.txt': 'short', 'b/c.txt': TEXT, d: 'x' }));
	const found = await archive.read(['a.txt', 'b/c.txt', 'none'], 1000);
	expect([...found].map(([name, data]) => [name, String(data)])).toEqual([
		['a.txt', 'short'],
		['b/c.txt', TEXT]
	]);
	expect([archive.has('d'), archive.has('e')]).toEqual([true, false]);
});

test('a file that unpacks to more than allowed is too large, and costs no more than that', async () => {
	const bomb = zip({ bomb: Buffer.alloc(8 << 20), b: TEXT });
	const archive = await opened(bomb);
	const found = await archive.read(['bomb', 'b'], 1 << 20);
	expect(found.get('bomb')).toBe('too-large');
	expect(String(found.get('b'))).toBe(TEXT);
});

test('a flipped bit makes one file damaged, and no other', async () => {
	const bytes = zip({ a: TEXT, b: 'short' });
	const at = bytes.indexOf('short');
	bytes[at] = bytes[at]! ^ 1;
	const found = await (await opened(bytes)).read(['a', 'b'], 1000);
	expect([String(found.get('a')), found.get('b')]).toEqual([TEXT, 'damaged']);
});

test('encrypted files are reported as such', async () => {
	const archive = await opened(encrypted(zip({ a: TEXT })));
	expect((await archive.read(['a'], 1000)).get('a')).toBe('encrypted');
});

test.each([
	['empty', Buffer.alloc(0)],
	['not-a-zip', Buffer.from('<!doctype html><title>Not found</title>')],
	['not-a-zip', Buffer.from('PK')],
	['truncated', zip({ a: TEXT, b: TEXT }).subarray(0, 120)],
	['zip64', zip64(zip({ a: TEXT }))]
])('an invalid zip is reported as %s', async (why, bytes) => {
	expect(await open(bytes)).toBe(why);
});

test('ten thousand entries are no problem, nor is data before the zip', async () => {
	const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f/${i}`, '']));
	const bytes = Buffer.concat([Buffer.from('#!/bin/sh\n'), zip({ ...files, wanted: TEXT })]);
	expect(String((await (await opened(bytes)).read(['wanted'], 1000)).get('wanted'))).toBe(TEXT);
});

test('directories that lie about offsets only make things absent', async () => {
	const good = zip({ a: TEXT, b: TEXT });
	for (let i = 0; i < good.length; i++) {
		const bytes = Buffer.from(good);
		bytes[i] = 0xff;
		const found = await open(bytes);
		if (typeof found !== 'string') await found.read(['a', 'b'], 1000);
	}
});
