import { gunzipSync, gzipSync } from 'node:zlib';

/** As much of NBT as a level.dat needs. */
export type Tag = { type: number; payload: Buffer };

const sized = (type: number, bytes: number, fill: (buffer: Buffer) => void): Tag => {
	const payload = Buffer.alloc(bytes);
	fill(payload);
	return { type, payload };
};
const utf = (text: string) => {
	const bytes = Buffer.from(text);
	const length = Buffer.alloc(2);
	length.writeUInt16BE(bytes.length);
	return Buffer.concat([length, bytes]);
};

export const byte = (value: number) => sized(1, 1, (b) => b.writeInt8(value));
export const int = (value: number) => sized(3, 4, (b) => b.writeInt32BE(value));
export const long = (value: bigint) => sized(4, 8, (b) => b.writeBigInt64BE(value));
export const string = (value: string): Tag => ({ type: 8, payload: utf(value) });

export function strings(values: string[]): Tag {
	const head = sized(0, 5, (b) => {
		b.writeInt8(8);
		b.writeInt32BE(values.length, 1);
	});
	return { type: 9, payload: Buffer.concat([head.payload, ...values.map(utf)]) };
}

export function compound(entries: Record<string, Tag>): Tag {
	const parts = Object.entries(entries).map(([name, tag]) =>
		Buffer.concat([Buffer.from([tag.type]), utf(name), tag.payload])
	);
	return { type: 10, payload: Buffer.concat([...parts, Buffer.from([0])]) };
}

/** The bytes of a file with one nameless compound at its root. */
export const nbtFile = (root: Tag) =>
	gzipSync(Buffer.concat([Buffer.from([root.type]), utf(''), root.payload]));

/** The first long of that name, wherever it is: enough for `Time` and `seed` of our own files. */
export function findLong(file: Buffer, name: string): bigint | null {
	const nbt = gunzipSync(file, { maxOutputLength: 16 * 1024 * 1024 });
	const mark = Buffer.concat([Buffer.from([4]), utf(name)]);
	const at = nbt.indexOf(mark);
	return at < 0 || at + mark.length + 8 > nbt.length ? null : nbt.readBigInt64BE(at + mark.length);
}
