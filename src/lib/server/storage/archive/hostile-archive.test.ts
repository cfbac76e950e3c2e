import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MANIFEST, manifestLine } from './manifest.ts';
import { readBack } from './read.ts';
import { BadArchive, encodeHeader, padding, type Entry } from './tar.ts';
import {
	FACTS,
	tempDir,
	setUp,
	expectedOf,
	look
} from '../../../../../tests/fakes/archives/archive-kit.ts';

describe('an archive that was altered', () => {
	async function damaged(
		harm: (bytes: Buffer) => Buffer,
		change: Partial<ReturnType<typeof expectedOf>> = {}
	) {
		const { world, pack, archive, home } = setUp();
		const noise = Buffer.alloc(300_000);
		for (let i = 0; i < noise.length; i++) noise[i] = (i * i * 31 + (i >> 3)) & 0xff;
		writeFileSync(path.join(world, 'region.mca'), noise);
		const made = await pack();
		writeFileSync(archive, harm(readFileSync(archive)));
		const into = { dir: path.join(home, 'x'), select: { all: true } as const, owner: null };
		return readBack(
			{ kind: 'read', file: archive, expected: { ...expectedOf(made), ...change }, into },
			() => {}
		);
	}
	test('one flipped bit, anywhere', async () => {
		for (const share of [0.001, 0.1, 0.5, 0.9, 0.999])
			await expect(
				damaged((bytes) => {
					const at = Math.floor(bytes.length * share);
					bytes[at] = bytes[at]! ^ 0x10;
					return bytes;
				}),
				`at ${share}`
			).rejects.toThrow(BadArchive);
	});
	test('cut off, anywhere', async () => {
		for (const left of [0, 3, 100, 0.5, 0.99, -1, -4])
			await expect(
				damaged((bytes) =>
					bytes.subarray(
						0,
						left > 0 && left < 1 ? bytes.length * left : left < 0 ? bytes.length + left : left
					)
				),
				`after ${left}`
			).rejects.toThrow(BadArchive);
	});
	test('data appended after its end', async () => {
		await expect(damaged((bytes) => Buffer.concat([bytes, Buffer.from('more')]))).rejects.toThrow(
			BadArchive
		);
		await expect(
			damaged((bytes) => Buffer.concat([bytes, zstdCompressSync(Buffer.alloc(10))]))
		).rejects.toThrow(BadArchive);
	});
	test('a manifest other than the one it was made with', async () => {
		await expect(damaged((bytes) => bytes, { manifestSha256: '0'.repeat(64) })).rejects.toThrow(
			/manifest/
		);
	});
});

describe('a crafted archive', () => {
	type Crafted = (Partial<Entry> & {
		path: string;
		content?: string;
		raw?: (head: Buffer) => void;
	})[];

	const full = ({ content = '', raw: _raw, ...entry }: Crafted[number]): Entry => ({
		...{ type: 'file', mode: 0o644, size: content.length, mtimeNs: 0n, target: '' },
		...entry
	});
	function resum(head: Buffer) {
		head.fill(0x20, 148, 156);
		let sum = 0;
		for (const byte of head) sum += byte;
		head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
	}
	const tar = (entries: Crafted) =>
		Buffer.concat(
			entries.map((one) => {
				const head = encodeHeader(full(one));
				one.raw?.(head);
				if (one.raw) resum(head);
				return Buffer.concat([
					head,
					Buffer.from(one.content ?? ''),
					Buffer.alloc(padding((one.content ?? '').length))
				]);
			})
		);
	/** Sound in all but its entries: its own manifest fits to them. */
	function craft(entries: Crafted) {
		const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
		const lines = entries.map((one) => {
			const entry = full(one);
			return manifestLine(entry, entry.type === 'file' ? sha(one.content ?? '') : null);
		});
		const files = entries.filter((one) => full(one).type === 'file').length;
		const bytes = entries.reduce((sum, one) => sum + (one.content ?? '').length, 0);
		const totals = { files, entries: entries.length + 1, bytes, worldBytes: 0 };
		const head = {
			...FACTS,
			craftwarden: 'backup',
			version: 1,
			totals,
			linesSha256: sha(lines.join('')),
			warnings: []
		};
		const manifest = `${JSON.stringify(head)}\n${lines.join('')}`;
		const packed = zstdCompressSync(
			Buffer.concat([tar([...entries, { path: MANIFEST, content: manifest }]), Buffer.alloc(1024)])
		);
		return { packed, expected: { bytes: packed.length, manifestSha256: sha(manifest), totals } };
	}
	async function read({ packed, expected }: ReturnType<typeof craft>) {
		const home = tempDir();
		mkdirSync(path.join(home, 'sibling'));
		writeFileSync(path.join(home, 'sibling/file'), 'untouched');
		const file = path.join(home, 'a.tar.zst');
		writeFileSync(file, packed);
		const into = { dir: path.join(home, 'new'), select: { all: true } as const, owner: null };
		const before = [...look(path.join(home, 'sibling'))];
		try {
			return await readBack({ kind: 'read', file, expected, into }, () => {});
		} finally {
			expect(readdirSync(home).sort()).toEqual(['a.tar.zst', 'new', 'sibling']);
			expect([...look(path.join(home, 'sibling'))]).toEqual(before);
		}
	}
	const folder = (name: string) => ({ path: name, type: 'folder' }) as const;

	test('is read when it is sound', async () => {
		expect(await read(craft([folder('world'), { path: 'world/a', content: 'hello' }]))).toEqual({
			unpacked: 1
		});
	});
	test.each<[string, Crafted]>([
		['a name with ..', [folder('world'), { path: 'world/../../sibling/file', content: 'x' }]],
		['a name that is ..', [folder('..')]],
		['an absolute name', [{ path: '/etc/x', content: 'x' }]],
		['an empty part', [folder('world'), { path: 'world//a', content: 'x' }]],
		['a dot', [folder('.')]],
		['a link out', [folder('world'), { path: 'world/a', type: 'link', target: '../../sibling' }]],
		['an absolute link', [folder('world'), { path: 'world/a', type: 'link', target: '/etc' }]],
		[
			'a winding link out',
			[folder('world'), { path: 'world/a', type: 'link', target: 'b/../../x' }]
		],
		[
			'a file through a link',
			[
				folder('world'),
				{ path: 'world/a', type: 'link', target: 'b' },
				{ path: 'world/a/f', content: 'x' }
			]
		],
		[
			'the same name twice',
			[folder('world'), { path: 'world/a', content: 'x' }, { path: 'world/a', content: 'y' }]
		],
		[
			'names out of order',
			[folder('world'), { path: 'world/b', content: 'x' }, { path: 'world/a', content: 'y' }]
		],
		['a file without its folder', [{ path: 'world/a', content: 'x' }]],
		['a set-uid file', [folder('world'), { path: 'world/a', mode: 0o4755, content: 'x' }]],
		['a hard link', [folder('world'), { path: 'world/a', raw: (head) => head.write('1', 156) }]],
		['a device', [folder('world'), { path: 'world/a', raw: (head) => head.write('3', 156) }]],
		['a FIFO', [folder('world'), { path: 'world/a', raw: (head) => head.write('6', 156) }]],
		[
			'a GNU sparse file',
			[folder('world'), { path: 'world/a', raw: (head) => head.write('S', 156) }]
		],
		[
			'a GNU long name',
			[folder('world'), { path: 'world/a', raw: (head) => head.write('L', 156) }]
		],
		['a global header', [{ path: 'g', raw: (head) => head.write('g', 156) }]],
		[
			'a size in base 256',
			[folder('world'), { path: 'world/a', raw: (head) => head.fill(0xff, 124, 136) }]
		],
		['a name too long', [folder('world'), { path: `world/${'a'.repeat(256)}`, content: 'x' }]]
	])('with %s is refused', async (_what, entries) => {
		await expect(read(craft(entries))).rejects.toThrow(BadArchive);
	});
	test('with more than its manifest says is refused as soon as that is noticed', async () => {
		const sound = craft([folder('world'), { path: 'world/a', content: 'hello' }]);
		const { totals } = sound.expected;
		for (const less of [{ bytes: 3 }, { entries: 2 }])
			await expect(
				read({ ...sound, expected: { ...sound.expected, totals: { ...totals, ...less } } })
			).rejects.toThrow(/more/);
	});
	test('that unpacks to far more than it should is stopped at the first header', async () => {
		const bomb = craft([folder('world'), { path: 'world/a', content: '\0'.repeat(30_000_000) }]);
		expect(bomb.packed.length).toBeLessThan(10_000);
		const { totals } = bomb.expected;
		await expect(
			read({ ...bomb, expected: { ...bomb.expected, totals: { ...totals, bytes: 1000 } } })
		).rejects.toThrow(/more bytes/);
	});
	test('that asks for a window of 2 GB is refused', async () => {
		const sound = craft([folder('world')]);
		const packed = Buffer.from(sound.packed);
		// Not a single segment, window descriptor for 2 GiB.
		const huge = Buffer.concat([
			packed.subarray(0, 4),
			Buffer.from([0x04, 0xa8]),
			packed.subarray(6)
		]);
		await expect(
			read({ packed: huge, expected: { ...sound.expected, bytes: huge.length } })
		).rejects.toThrow(BadArchive);
	});
	test('without a manifest was never finished', async () => {
		const packed = zstdCompressSync(Buffer.concat([tar([folder('world')]), Buffer.alloc(1024)]));
		const expected = {
			bytes: packed.length,
			manifestSha256: '',
			totals: { files: 0, entries: 9, bytes: 0, worldBytes: 0 }
		};
		await expect(read({ packed, expected })).rejects.toThrow(/never finished/);
	});
});
