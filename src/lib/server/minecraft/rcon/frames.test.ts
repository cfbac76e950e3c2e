import { expect, test } from 'vitest';
import { createFrameReader, encodeFrame } from './frames.ts';

const lengthField = (length: number) => {
	const bytes = Buffer.alloc(4);
	bytes.writeInt32LE(length);
	return bytes;
};

/** Mulberry32: the same numbers for the same seed. */
const random = (seed: number) => () => {
	seed = (seed + 0x6d2b79f5) | 0;
	let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
	t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

test('packets are read the same however their bytes are split, even inside the length field', () => {
	const stream = Buffer.concat([
		encodeFrame(1, 2, ''),
		encodeFrame(-1, 2, 'Привет, мир'),
		encodeFrame(0x7fffffff, 0, 'x'.repeat(300))
	]);
	const expected = createFrameReader().push(stream);
	expect(expected.map(({ id, type, payload }) => [id, type, payload.toString()])).toEqual([
		[1, 2, ''],
		[-1, 2, 'Привет, мир'],
		[0x7fffffff, 0, 'x'.repeat(300)]
	]);
	for (let step = 1; step < stream.length; step++) {
		const reader = createFrameReader();
		const frames = [];
		for (let at = 0; at < stream.length; at += step)
			frames.push(...reader.push(stream.subarray(at, at + step)));
		expect(frames).toEqual(expected);
		expect(reader.buffered).toBe(0);
	}
});

test('lengths of -1, 0, 9 and 0x7fffffff break the stream and nothing is kept', () => {
	for (const length of [-1, 0, 9, 65_537, 0x7fffffff, -0x80000000]) {
		const reader = createFrameReader();
		const frames = reader.push(Buffer.concat([encodeFrame(1, 0, 'ok'), lengthField(length)]));
		expect(frames).toHaveLength(1);
		expect(reader.broken).toBe(true);
		expect(reader.buffered).toBe(0);
		expect(reader.push(encodeFrame(2, 0, 'later'))).toEqual([]);
		expect(reader.buffered).toBe(0);
	}
});

test('a length of 4,097 and more, up to 65,536, is accepted: vanilla fragments have up to 12,298 bytes, Cuberite does not split', () => {
	for (const length of [10, 4_097, 12_298, 65_536]) {
		const reader = createFrameReader();
		const [frame] = reader.push(encodeFrame(1, 0, 'x'.repeat(length - 10)));
		expect(frame?.payload.length).toBe(length - 10);
		expect(reader.broken).toBe(false);
	}
});

test('a server that forgets the two zero bytes loses no text', () => {
	const bytes = Buffer.concat([lengthField(8 + 5), Buffer.alloc(8), Buffer.from('hello')]);
	const [frame] = createFrameReader().push(bytes);
	expect(frame?.payload.toString()).toBe('hello');
});

test('200,000 random and mutated streams: no throw, no growth, and whole packets before the damage are kept', () => {
	const next = random(20_261_120);
	const int = (max: number) => Math.floor(next() * max);
	const valid = [
		encodeFrame(7, 0, 'There are 0 of a max'),
		encodeFrame(8, 2, ''),
		encodeFrame(-1, 2, 'ä')
	];
	let broken = 0;
	for (let round = 0; round < 200_000; round++) {
		const bytes = Buffer.from(
			round % 2 ? Buffer.concat([valid[int(3)]!, valid[int(3)]!]) : Buffer.alloc(int(40))
		);
		for (let change = int(4) + (round % 2 ? 0 : bytes.length); change > 0; change--)
			if (bytes.length > 0) bytes[int(bytes.length)] = int(256);
		const reader = createFrameReader();
		let taken = 0;
		for (let at = 0; at < bytes.length;) {
			const end = Math.min(bytes.length, at + 1 + int(bytes.length));
			for (const frame of reader.push(bytes.subarray(at, end))) taken += frame.payload.length + 12;
			at = end;
		}
		if (reader.buffered + taken > bytes.length) throw new Error(`round ${round}: it grew`);
		if (reader.broken) broken++;
	}
	expect(broken).toBeGreaterThan(50_000);
});
