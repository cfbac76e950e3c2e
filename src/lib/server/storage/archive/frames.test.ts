import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, createZstdDecompress, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { cutFrames } from './frames.ts';

const { ZSTD_c_checksumFlag: CHECKSUM, ZSTD_c_contentSizeFlag: CONTENT_SIZE } = constants;
const CONTENTS = [
	Buffer.from('one'),
	Buffer.alloc(0),
	Buffer.alloc(3 << 20, 'again and again'),
	Buffer.alloc(400_000),
	randomBytes(70_000),
	randomBytes(3 << 20)
];
const FRAMES = CONTENTS.map((content, i) =>
	zstdCompressSync(content, { params: { [CHECKSUM]: i & 1, [CONTENT_SIZE]: (i >> 1) & 1 } })
);
const ALL = Buffer.concat(FRAMES);

/** The same bytes in buffers of about this size. */
function* inParts(bytes: Buffer, size: number) {
	for (let [at, n] = [0, 0]; at < bytes.length; n++) {
		const count = Math.max(1, size - (n % 3));
		yield bytes.subarray(at, at + count);
		at += count;
	}
}
const cut = (bytes: Buffer, size: number) => cutFrames(Readable.from(inParts(bytes, size)));

test.each([1, 5, 3000, 65_536, 1 << 20, ALL.length + 3])(
	'frames are cut where they end, however the bytes come (%i at once)',
	async (size) => {
		const chosen = FRAMES.map((_, i) => i).filter((i) => size > 1000 || FRAMES[i]!.length < 1000);
		const frames = chosen.map((i) => FRAMES[i]!);
		const got: Buffer[] = [];
		const cutOnes = Readable.from(cut(Buffer.concat(frames), size));
		for await (const part of cutOnes.pipe(createZstdDecompress())) got.push(part as Buffer);
		expect(Buffer.concat(got).equals(Buffer.concat(chosen.map((i) => CONTENTS[i]!)))).toBe(true);

		const ends = frames.map((_, i) => Buffer.concat(frames.slice(0, i + 1)).length);
		let at = 0;
		for await (const part of cut(Buffer.concat(frames), size)) {
			const inside = ends.filter((end) => end > at && end < at + part.length);
			expect(inside).toEqual([]);
			at += part.length;
		}
		expect(at).toBe(ends.at(-1));
	}
);

test('a truncated frame is passed to zstd to judge, an invalid one is refused', async () => {
	let bytes = 0;
	for await (const part of cut(ALL.subarray(0, ALL.length - 5), 1000)) bytes += part.length;
	expect(bytes).toBe(ALL.length - 5);
	const drained = async (data: Buffer) => {
		for await (const part of cut(data, 1000)) bytes += part.length;
	};
	await expect(drained(Buffer.concat([FRAMES[0]!, Buffer.from('more')]))).rejects.toThrow(
		'not a zstd frame'
	);
	await expect(drained(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 7, 0, 0]))).rejects.toThrow(
		'unknown kind'
	);
});
